"""`mtprobe export SPEC FOLDER`: export a model as ONNX files, which `onnx:FOLDER` opens without conversion, torch or network access"""

from __future__ import annotations

import argparse
from pathlib import Path

from mtprobe.cli.arguments import model_arguments
from mtprobe.cli.model import open_model
from mtprobe.cli.output import say
from mtprobe.engine.runtime.installed import require_runtime


def arguments(parser: argparse.ArgumentParser) -> None:
    model_arguments(parser)
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="the output folder, new or empty")


def run(args: argparse.Namespace) -> int:
    require_runtime("mtprobe export")
    from mtprobe.engine.export import export

    model = open_model(args)
    manifest = export(model.name, model.backend, args.folder)
    size = sum(file.size for file in manifest.files.values())
    say(f"{args.folder}: {len(manifest.files)} files, {size / 1e6:,.1f} MB; its spec is onnx:{args.folder}")
    return 0
