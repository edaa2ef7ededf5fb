"""`mtprobe tune MODEL SUITE… -o FOLDER`: fine-tune a model on what suites know, and hold a part of them out"""

from __future__ import annotations

import argparse
from pathlib import Path

from mtprobe.verbs import say

from .arguments import at_least, request_of, schedule_of, settings_of, share, training_arguments
from .material.split import Shares
from .material.suites import Selection, read_suites
from .networks.base import open_base
from .objectives import OBJECTIVES, Weights, objective_named
from .session import Session

INTERMIXED = True


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "model", metavar="MODEL", help="hf:NAME_OR_PATH, firefox:FOLDER or demo, as in pytest's --mt-model"
    )
    parser.add_argument(
        "suites", type=Path, nargs="+", metavar="SUITE", help="suites to learn from, or folders of them"
    )
    abouts = "; ".join(f"{name}: {kind.about}" for name, kind in OBJECTIVES.items())
    parser.add_argument(
        "--objective", default="cross-entropy", metavar="NAME", help=f"{abouts} (default: cross-entropy)"
    )
    parser.add_argument(
        "--counterfactuals",
        action="store_true",
        help="where samples have no targets, make pairs from the model's own translations: a grammar or lexicon puts "
        "them into the other reading",
    )
    parser.add_argument(
        "--hold-out",
        type=float,
        default=0.5,
        metavar="SHARE",
        help="of clusters, to test with (default: 0.5)",
    )
    parser.add_argument(
        "--test",
        type=Path,
        action="append",
        default=[],
        metavar="SUITE",
        help="a further suite, or a folder of them, to test with: nothing of it is trained on, and its samples whose cluster "
        "is not trained on are held out (may be repeated)",
    )
    parser.add_argument(
        "--dev",
        type=float,
        default=0.2,
        metavar="SHARE",
        help="of the other clusters, to decide when to stop (default: 0.2)",
    )
    parser.add_argument(
        "--take",
        type=int,
        metavar="N",
        help="train on about N samples, in whole clusters, for few-shot curves",
    )
    parser.add_argument(
        "--replay", type=Path, metavar="FILE", help="plain text in the source language, one sentence per line, or suites, "
        "of which the sources are taken: the model's own translations of it are mixed in against forgetting",
    )  # fmt: skip
    parser.add_argument(
        "--replay-share", type=float, default=0.5, metavar="SHARE", help="of examples (default: 0.5)"
    )
    weights = Weights()
    parser.add_argument(
        "--penalty",
        type=float,
        default=weights.penalty,
        metavar="λ",
        help="weight of the penalty (default: 100)",
    )
    parser.add_argument(
        "--margin",
        type=float,
        default=weights.margin,
        metavar="NATS",
        help="of the objective margin (default: 2)",
    )
    parser.add_argument(
        "--contrast",
        type=float,
        default=weights.contrast,
        metavar="C",
        help="weight of the margin (default: 1)",
    )
    parser.add_argument("--data-root", type=Path, metavar="DIR", help="as pytest's --mt-data-root")
    training_arguments(parser, rate=1e-5, epochs=10, warmup=0)


def run(args: argparse.Namespace) -> int:
    at_least(1, "take", args.take)
    for name in ("penalty", "margin", "contrast"):
        at_least(0, name, getattr(args, name))
    weights = Weights(args.smoothing, args.penalty, args.margin, args.contrast)
    objective = objective_named(args.objective, weights)
    shares = Shares(share("hold-out", args.hold_out), share("dev", args.dev), args.seed)
    replay = share("replay-share", args.replay_share) if args.replay else 0.0
    schedule = schedule_of(args, replay)
    base = open_base(args.model, request_of(args))
    suites = read_suites(args.suites, args.data_root, base.model.languages)
    tests = read_suites(args.test, args.data_root, base.model.languages) if args.test else []
    selection = Selection(shares, args.take, args.counterfactuals, args.replay, objective, tests)
    settings = settings_of(args, base, made_by="mtprobe tune", suites=[suite.digest for suite in suites])
    session = Session(base, args.output, schedule, settings, args.threads)
    session.run(
        lambda: selection.collect(suites, base, args.store, args.output),
        lambda: (base.load(args.device), objective),
    )
    if shares.hold_out or tests:
        say(f"held out: pytest --mt-model={base.spec(args.output)} {args.output / 'held-out'}")
    return 0
