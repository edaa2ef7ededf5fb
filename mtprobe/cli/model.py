"""Opens the models and the store that a verb's arguments name."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

from mtprobe.backends.answers import can_answer, can_complete
from mtprobe.backends.model import Model
from mtprobe.backends.protocols import Backend
from mtprobe.backends.scorer import can_score
from mtprobe.backends.stored import translate_all
from mtprobe.errors import Failure, ModelError, MtprobeError
from mtprobe.plan import open_models
from mtprobe.progress import Progress
from mtprobe.settings import Settings, read_settings
from mtprobe.store import Store, keep_out_of_git


@contextmanager
def store_while_running(args: argparse.Namespace) -> Iterator[Path]:
    """The path of a store: what was translated and scored is not done again, even without a store to keep."""
    if args.store is None:
        with TemporaryDirectory(prefix="mtprobe-") as folder:
            yield Path(folder, "store.sqlite")
    else:
        keep_out_of_git(args.store.parent)
        yield args.store


def open_store(path: Path | None) -> AbstractContextManager[Store | None]:
    """The store at this path, ignored by Git; None without a path."""
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
        raise ModelError(f"{evaluator.name} {evaluator.cannot_score}, so it cannot be an evaluator")
    return evaluator


def open_evaluators(args: argparse.Namespace) -> Mapping[str | None, Model]:
    """The models that `--evaluator` names, by the target language that they are for: each scores or answers questions."""
    settings = read_settings(
        evaluators=args.evaluator, source=args.source, target=args.target, device=args.device
    )
    evaluators = open_models(settings).evaluators
    for evaluator in evaluators.values():
        if not any(able(evaluator.backend) for able in (can_score, can_answer, can_complete)):
            raise ModelError(f"{evaluator.name} {evaluator.cannot_score}, so it cannot be an evaluator")
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
