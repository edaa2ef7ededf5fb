"""`mtprobe distil TEACHER --text FILE -o FOLDER`: train a student with fewer layers on a model's own translations"""

from __future__ import annotations

import argparse
from pathlib import Path

from mtprobe.backends import ModelError, MtprobeError
from mtprobe.verbs import open_store, progress_of_a_verb

from .arguments import request_of, schedule_of, settings_of, share, training_arguments
from .material.example import rank
from .material.files import Material
from .material.text import parallel_text, sentences_of, translated_text
from .networks.base import Base, open_base
from .networks.hugging_face import HuggingFace
from .networks.network import Network
from .networks.student import Depth, student_of
from .objectives.cross_entropy import CrossEntropy
from .objectives.objective import Objective, Weights
from .objectives.word_level import WordLevel
from .session import Session


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("teacher", metavar="TEACHER", help="hf:NAME_OR_PATH, as in pytest's --mt-model")
    parser.add_argument(
        "--text",
        type=Path,
        required=True,
        metavar="FILE",
        help="sentences in the source language, one per line",
    )
    parser.add_argument(
        "--references",
        type=Path,
        metavar="FILE",
        help="train on these translations of the text, line by line, instead of the teacher's",
    )
    parser.add_argument(
        "--layers",
        default="3+3",
        metavar="E+D",
        help="encoder and decoder layers of the student, which begins as evenly spaced layers of the teacher (default: 3+3)",
    )
    parser.add_argument(
        "--word-level",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="weight of the divergence from the teacher's distribution at every token, beside the cross-entropy (default: 0)",
    )
    parser.add_argument(
        "--dev",
        type=float,
        default=0.02,
        metavar="SHARE",
        help="of the text, to decide when to stop (default: 0.02)",
    )
    training_arguments(parser, rate=1e-4, epochs=3, warmup=100)


def run(args: argparse.Namespace) -> int:
    depth = Depth.parse(args.layers)
    share("dev", args.dev)
    share("word-level", args.word_level, with_one=True)
    schedule = schedule_of(args)
    base = open_base(args.teacher, request_of(args))
    if not isinstance(base, HuggingFace):
        raise ModelError(
            f"{base.model.name}: students are made from Hugging Face models only (hf:NAME_OR_PATH)"
        )
    settings = settings_of(args, base, made_by="mtprobe distil")
    session = Session(base, args.output, schedule, settings, args.threads)
    session.run(lambda: _collect(args, base), lambda: _build(args, base, depth))
    return 0


def _collect(args: argparse.Namespace, base: Base) -> Material:
    if args.references is not None:
        examples = list(parallel_text(args.text, args.references))
    else:
        sentences = sentences_of(args.text)
        with open_store(args.store) as store:
            made = translated_text(sentences, base.model, store, progress_of_a_verb(), replay=False)
            examples = list(made)
    in_dev = [rank("dev", args.seed, example.source) < args.dev for example in examples]
    material = Material(
        tuple(example for example, dev in zip(examples, in_dev, strict=True) if not dev),
        tuple(example for example, dev in zip(examples, in_dev, strict=True) if dev),
    )
    if not material.train or (args.dev and not material.dev):
        part = "training" if not material.train else "development"
        raise MtprobeError(
            f"{args.text}: the {part} part is empty: {len(examples)} sentences are too few for --dev {args.dev:g}"
        )
    return material


def _build(args: argparse.Namespace, base: Base, depth: Depth) -> tuple[Network, Objective]:
    teacher = base.load(args.device)
    teacher.module.eval()
    student = student_of(teacher, depth)
    if args.word_level:
        return student, WordLevel(args.word_level, args.smoothing, teacher)
    return student, CrossEntropy(Weights(smoothing=args.smoothing))
