"""Arguments shared by verbs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from mtprobe.backends.device import DTYPES
from mtprobe.errors import MtprobeError
from mtprobe.language import tags
from mtprobe.settings import DEFAULT_STORE, NO_STORE, Settings, read_settings


def model_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", metavar="SPEC", help="the model, as in pytest's --mt-model")
    language_arguments(parser)
    parser.add_argument(
        "--dtype", default="fp32", choices=DTYPES, help="number format of the computation (default: fp32)"
    )


def language_arguments(
    parser: argparse.ArgumentParser, about: str = "the {} language, if the model does not define it"
) -> None:
    """`--source`, `--target` and `--device`."""
    for side in ("source", "target"):
        parser.add_argument(f"--{side}", metavar="TAG", help=about.format(side))
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N")


def data_root_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data-root", type=Path, metavar="DIR", help="as pytest's --mt-data-root")


def judged_arguments(parser: argparse.ArgumentParser, model: str, *, required: bool = True) -> None:
    """The arguments of a verb that runs suites, for `judged_settings`; `model` says what the model is for."""
    parser.add_argument("--model", "--mt-model", required=required, metavar="SPEC", help=model)
    parser.add_argument(
        "--evaluator",
        "--mt-evaluator",
        action="append",
        metavar="SPEC",
        help="as pytest's --mt-evaluator (default: the model itself); several score together",
    )
    language_arguments(parser)
    data_root_argument(parser)


def judged_settings(args: argparse.Namespace, **more: Any) -> Settings:
    """The settings of a verb that runs suites, from `judged_arguments`."""
    return read_settings(
        models=args.model,
        evaluators=args.evaluator,
        source=args.source,
        target=args.target,
        device=args.device,
        data_root=args.data_root,
        **more,
    )


def store_arguments(
    parser: argparse.ArgumentParser,
    about: str = "where scores are stored",
    without: str | None = "do not store or reuse scores",
) -> None:
    """Adds `--store` (None for `none`) and `--no-store`, whose help text is `without`."""
    parser.add_argument(
        "--store",
        type=_store_path,
        default=DEFAULT_STORE,
        metavar="PATH",
        help=f"{about} (default: {DEFAULT_STORE})",
    )
    if without is not None:
        parser.add_argument("--no-store", dest="store", action="store_const", const=None, help=without)


def _store_path(text: str) -> Path | None:
    return None if text == NO_STORE else Path(text)


def standard_languages(args: argparse.Namespace) -> tuple[str, str]:
    """`--target` and `--source` in their standard spelling; an error if one is not a language tag."""
    for option, tag in (("--target", args.target), ("--source", args.source)):
        if not tags.is_language(tag):
            raise MtprobeError(
                f'{option}: "{tag}" is not a language tag; write BCP 47, for example de or pt-BR'
            )
    return tags.standard(args.target), tags.standard(args.source)
