"""Shared by verbs: arguments for models and the store, opening them, and reading lines from standard input."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mtprobe.backends.answers import can_answer, can_complete
from mtprobe.backends.device import DTYPES
from mtprobe.backends.model import Model
from mtprobe.backends.protocols import Backend
from mtprobe.backends.scorer import can_score
from mtprobe.backends.stored import translate_all
from mtprobe.errors import Failure, ModelError, MtprobeError
from mtprobe.language import tags
from mtprobe.plan import open_models
from mtprobe.progress import Progress
from mtprobe.settings import DEFAULT_STORE, NO_STORE, Settings, read_settings
from mtprobe.store import Store, keep_out_of_git

CHUNK = 256  # lines read before the model is called


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


def judged_settings(args: argparse.Namespace, **more: Any) -> Settings:
    """The settings of a verb that runs suites: `--model`, `--evaluator`, languages, device and `--data-root`."""
    return read_settings(
        models=args.model,
        evaluators=args.evaluator,
        source=args.source,
        target=args.target,
        device=args.device,
        data_root=args.data_root,
        **more,
    )


@contextmanager
def store_while_running(args: argparse.Namespace) -> Iterator[Path]:
    """The path of a store: what was translated and scored is not done again, even without a store to keep."""
    if args.store is None:
        with TemporaryDirectory(prefix="mtprobe-") as folder:
            yield Path(folder, "store.sqlite")
    else:
        keep_out_of_git(args.store.parent)
        yield args.store


def standard_languages(args: argparse.Namespace) -> tuple[str, str]:
    """`--target` and `--source` in their standard spelling; an error if one is not a language tag."""
    for option, tag in (("--target", args.target), ("--source", args.source)):
        if not tags.is_language(tag):
            raise MtprobeError(
                f'{option}: "{tag}" is not a language tag; write BCP 47, for example de or pt-BR'
            )
    return tags.standard(args.target), tags.standard(args.source)


def store_arguments(
    parser: argparse.ArgumentParser,
    about: str = "where scores are stored",
    without: str | None = "neither store nor reuse scores",
) -> None:
    """`--store`, which is None for `none`; and `--no-store`, which says the same, with `without` as its help."""
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


def open_store(path: Path | None) -> AbstractContextManager[Store | None]:
    """A store that Git ignores; without a path there is none."""
    if path is None:
        return nullcontext()
    keep_out_of_git(path.parent)
    return Store(path)


def open_model(args: argparse.Namespace) -> Model:
    settings = read_settings(
        models=args.spec, source=args.source, target=args.target, device=args.device, dtype=args.dtype
    )
    _check_one_target(settings)
    return open_models(settings).tested[0]


def open_evaluator(args: argparse.Namespace) -> Model:
    """The model that `--evaluator` names; one that cannot score is an error."""
    _check_one_target(read_settings(target=args.target))
    evaluators = open_evaluators(args)
    if not evaluators:
        raise ModelError(f"{args.evaluator} cannot score, so it cannot be an evaluator")
    evaluator = next(iter(evaluators.values()))
    if not can_score(evaluator.backend):
        raise ModelError(f"{evaluator.name} cannot score, so it cannot be an evaluator")
    return evaluator


def open_evaluators(args: argparse.Namespace) -> Mapping[str | None, Model]:
    """The models that `--evaluator` names, by the target language that they are for: each scores or answers questions."""
    settings = read_settings(
        evaluators=args.evaluator, source=args.source, target=args.target, device=args.device
    )
    evaluators = open_models(settings).evaluators
    for evaluator in evaluators.values():
        if not any(able(evaluator.backend) for able in (can_score, can_answer, can_complete)):
            raise ModelError(f"{evaluator.name} cannot score, so it cannot be an evaluator")
    return evaluators


def _check_one_target(settings: Settings) -> None:
    if len(settings.targets) > 1:
        raise MtprobeError(f"--target: name one language, not {', '.join(settings.targets)}")


def open_translator(
    args: argparse.Namespace, stack: ExitStack, progress: Progress
) -> tuple[Model, Callable[[Sequence[str]], Mapping[str, str | Failure]]]:
    """The model of `args.spec`; translations made before an interruption are reused."""
    model = open_model(args)
    backend = model.backend
    if not isinstance(backend, Backend):
        raise ModelError(f"{model.name} cannot translate")
    store = stack.enter_context(open_store(args.store))
    return model, lambda sources: translate_all(backend, sources, store, progress)


def lines() -> Iterator[str]:
    """Standard input, line by line."""
    try:
        for line in sys.stdin:
            yield line.rstrip("\r\n")
    except UnicodeDecodeError:
        raise MtprobeError("standard input is not UTF-8 text") from None


def chunks_of_lines() -> Iterator[list[str]]:
    """Standard input, `CHUNK` lines at a time."""
    remaining = lines()
    while chunk := list(islice(remaining, CHUNK)):
        yield chunk
