"""Arguments shared by both verbs, with their checks."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Any

from mtprobe.backends import MtprobeError, OpenRequest
from mtprobe.verbs import is_language, language_arguments, standard, store_arguments

from .networks.base import Base
from .training.schedule import Schedule

# Arguments that do not decide about the weights, or that the model's fingerprint and the suites' digests stand for.
_NOT_SETTINGS = {
    *("model", "teacher", "source", "target", "suites", "test", "data_root"),
    *("output", "store", "device", "threads"),
}


def training_arguments(parser: argparse.ArgumentParser, *, rate: float, epochs: int, warmup: int) -> None:
    """`-o`, languages, device, the store, and how long and how fast to train."""
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="where the trained model is written",
    )
    language_arguments(parser)
    store_arguments(parser, "where translations are stored", "do not store or reuse translations")
    parser.add_argument("--epochs", type=int, default=epochs, metavar="N", help=f"(default: {epochs})")
    parser.add_argument("--steps", type=int, metavar="N", help="stop after this many steps, if not earlier")
    parser.add_argument("--batch", type=int, default=16, metavar="N", help="sentences per step (default: 16)")
    parser.add_argument("--learning-rate", type=float, default=rate, metavar="R", help=f"(default: {rate:g})")
    parser.add_argument(
        "--warmup", type=int, default=warmup, metavar="N", help=f"steps until that rate (default: {warmup})"
    )
    parser.add_argument("--smoothing", type=float, default=0.1, metavar="E", help="of labels (default: 0.1)")
    parser.add_argument(
        "--every",
        type=int,
        metavar="N",
        help="validate, and write a checkpoint, every N steps (default: each epoch)",
    )
    parser.add_argument(
        "--patience",
        type=int,
        default=3,
        metavar="N",
        help="stop after N validations without improvement; 0: never (default: 3)",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of everything random (default: 0)")
    parser.add_argument("--threads", type=int, metavar="N", help="of torch (default: its own choice)")


def share(name: str, value: float, *, with_one: bool = False) -> float:
    """An option from 0 to below 1, or to 1."""
    if not (0 <= value < 1 or (with_one and value == 1)):
        raise MtprobeError(
            f"--{name}: {value:g} is not a share: write a number from 0 to {'' if with_one else 'below '}1"
        )
    return value


def at_least(least: float, name: str, value: float | None) -> None:
    """Checks an option that has a smallest value."""
    if value is not None and not least <= value < math.inf:
        raise MtprobeError(f"--{name}: must be at least {least:g}")


def schedule_of(args: argparse.Namespace, replay: float = 0.0) -> Schedule:
    for name in ("epochs", "steps", "batch", "every", "threads"):
        at_least(1, name, getattr(args, name))
    for name in ("warmup", "patience", "seed"):
        at_least(0, name, getattr(args, name))
    if not 0 < args.learning_rate < 1:
        raise MtprobeError("--learning-rate: must be between 0 and 1")
    share("smoothing", args.smoothing)
    return Schedule(
        seed=args.seed,
        batch=args.batch,
        epochs=args.epochs,
        steps=args.steps,
        rate=args.learning_rate,
        warmup=args.warmup,
        patience=args.patience,
        every=args.every,
        replay=replay,
    )


def request_of(args: argparse.Namespace) -> OpenRequest:
    """How the model is opened that translates."""
    for option, tag in (("--source", args.source), ("--target", args.target)):
        if tag is not None and not is_language(tag):
            raise MtprobeError(
                f'{option}: "{tag}" is not a language tag; write BCP 47, for example de or pt-BR'
            )
    source, target = (tag and standard(tag) for tag in (args.source, args.target))
    return OpenRequest(source=source, target=target, device=args.device, threads=args.threads)


def settings_of(args: argparse.Namespace, base: Base, **more: Any) -> dict[str, Any]:
    """The settings that determine the weights: an interrupted training resumes only with the same settings."""
    return {
        "model": base.model.backend.fingerprint,
        "languages": str(base.model.languages),
        **more,
        **{
            name: str(value) if isinstance(value, Path) else value
            for name, value in vars(args).items()
            if name not in _NOT_SETTINGS
        },
    }
