"""What `pairs` and `winograd` share: a model that translates, through the store."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from mtprobe.backends.model import Model
from mtprobe.backends.protocols import Backend
from mtprobe.backends.stored import translate_all
from mtprobe.cli.model import open_model
from mtprobe.errors import Failure, ModelError
from mtprobe.progress import Progress
from mtprobe.settings import DEFAULT_STORE
from mtprobe.store import Store, keep_out_of_git


def store_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--store",
        type=Path,
        default=DEFAULT_STORE,
        metavar="PATH",
        help=f"where translations are stored, as --mt-store (default: {DEFAULT_STORE})",
    )


def open_translator(
    args: argparse.Namespace, stack: ExitStack, progress: Progress
) -> tuple[Model, Callable[[Sequence[str]], Mapping[str, str | Failure]]]:
    """The model of `args.spec`; translations made before an interruption are reused."""
    model = open_model(args)
    backend = model.backend
    if not isinstance(backend, Backend):
        raise ModelError(f"{model.name} cannot translate")
    keep_out_of_git(args.store.parent)
    store = stack.enter_context(Store(args.store))
    return model, lambda sources: translate_all(backend, sources, store, progress)
