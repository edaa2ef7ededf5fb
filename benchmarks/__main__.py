"""Runs every benchmark and writes benchmarks/RESULTS.md: `make bench`; or some by name, which only prints.

`python -m benchmarks opus_shape`
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ALL = (
    "plugin_overhead",
    "collect_100k",
    "second_run",
    "sequential",
    "loading",
    "demo_model",
    "siblings",
    "opus_shape",
    "opus_real",
    "whole_run",
    "number_formats",
    "causal",
    "report_100k",
    "run_100k",
    "lemmas",
    "ray_workers",
)
RESULTS = Path(__file__).parent / "RESULTS.md"
HEAD = """\
# Measured side by side

What work takes with mtprobe, next to other programs that do the same. `make bench` measures everything and writes this page;
`python -m benchmarks NAME` measures one part and prints it. `MTPROBE_MODELS` names the folder of the published models,
`MTPROBE_DATA` that of the public test sets; what needs them is skipped without them.

Contestants take turns in one process on two cores. Ratios are of medians, with the range over rounds in brackets; compare
ratios, not times, since machines differ. [Speed](../docs/explanation/speed.md#goals) lists the goals.

"""
PACKAGES = (
    "mtprobe",
    "onnxruntime-gpu",
    "onnxruntime",
    "torch",
    "transformers",
    "ctranslate2",
    "fxtranslate",
    "ray",
)


def versions() -> str:
    found = []
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)


def run(name: str) -> str:
    module = import_module(f"benchmarks.{name}")
    about = (module.__doc__ or "").strip()
    text = f"## {name}\n\n{about}\n\n" + "\n\n".join(module.main()) + "\n"
    print(text, flush=True)
    return text


def in_a_process_of_its_own(name: str) -> str:
    """So that no benchmark pays for the memory, or finds the libraries, of those before it."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "result.md"
        subprocess.run([sys.executable, "-m", "benchmarks", name, "--into", str(place)], check=True)
        return place.read_text(encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *ALL], metavar="NAME", help=", ".join(ALL))
    parser.add_argument("--into", type=Path, help="also write what is printed into a file")
    args = parser.parse_args()
    if args.names:
        text = "\n".join([run(name) for name in args.names])
        if args.into:
            args.into.write_text(text, encoding="utf-8")
        return
    head = f"{HEAD}Measured on {datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {versions()}.\n\n"
    RESULTS.write_text(head + "\n".join([in_a_process_of_its_own(name) for name in ALL]), encoding="utf-8")


if __name__ == "__main__":
    main()
