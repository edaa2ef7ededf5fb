"""`mtprobe expand SUITE`: show every sample of a suite, with its contrastive sources"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from mtprobe.authoring.expansion import lines_of, marked, triggers
from mtprobe.cli.output import say, say_json, warn
from mtprobe.errors import MtprobeError
from mtprobe.suite import Contrast, Sample, Suite
from mtprobe.suite.sample import SenseLemmas
from mtprobe.suite.samples.focus import contrastive_sources, escaped
from mtprobe.suites import load_suite


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("suite", type=Path, metavar="SUITE", help="a suite's file")
    parser.add_argument(
        "--jsonl", action="store_true", help="write the samples as JSON Lines, as `data:` reads them"
    )
    parser.add_argument("--grep", metavar="TEXT", help="only samples that contain this text, ignoring case")
    parser.add_argument("--take", type=int, metavar="N", help="take N samples, as --mt-take of pytest")
    parser.add_argument("--data-root", type=Path, metavar="DIR", help="as --mt-data-root of pytest")


def run(args: argparse.Namespace) -> int:
    if args.take is not None and args.take < 1:
        raise MtprobeError("--take: must be at least 1")
    suite = load_suite(args.suite, args.data_root)
    if args.take is not None:
        suite = suite.take(args.take)
    shown = 0
    pattern = (args.grep or "").casefold()
    for sample in suite.samples:
        lines = list(lines_of(sample, suite))
        if pattern in "\n".join(lines).casefold():
            shown += 1
            if args.jsonl:
                say_json(_record(sample, suite))
            else:
                say(*lines, "")
    sys.stdout.flush()  # here, where a closed pipe is expected
    if not args.jsonl:
        of = f" of {len(suite.samples)}" if shown < len(suite.samples) else ""
        warn(f"{shown}{of} sample{'' if shown == 1 else 's'}")
    return 0


def _record(sample: Sample, suite: Suite) -> dict[str, Any]:
    """For machines, with the keys of `samples`: the lines are a data file that a suite may name."""
    record: dict[str, Any] = {"id": sample.id, "source": marked(sample, escaped)}
    if sample.context:
        record["context"] = list(sample.context)
    if sample.category is not None:
        record["category"] = sample.category
    if sample.attributes:
        record["attributes"] = dict(sample.attributes)
    if sources := contrastive_sources(sample, suite.source):
        record["sources"] = {side: [escaped(text) for text in texts] for side, texts in sources.sides.items()}
    if sample.targets:
        record["targets"] = {
            language: {**{side: list(texts) for side, texts in contrast.sides.items()}, **_variants(contrast)}
            for language, contrast in sample.targets.items()
        }
    if sample.lemmas:
        record["lemmas"] = {
            language: {"good": list(lemmas.correct), "bad": _bad(lemmas), **_either(lemmas), **_also(lemmas)}
            for language, lemmas in sample.lemmas.items()
        }
    if sample.senses:
        record["senses"] = dict(sample.senses)
    if sample.references:
        record["references"] = {language: list(texts) for language, texts in sample.references.items()}
    for key, by_language in sample.word_lists.items():
        record[key] = {language: list(words) for language, words in by_language.items()}
    for key, texts in (("preserve", sample.preserve), ("names", sample.names)):
        if texts:
            record[key] = list(texts)
    if sample.triggers:
        record["triggers"] = triggers(sample)
    return record


def _variants(contrast: Contrast) -> dict[str, Any]:
    """The attributes in which the targets differ, if they have any."""
    variants = {
        name: {"correct": list(values.correct), "incorrect": list(values.incorrect)}
        for name, values in contrast.variants.items()
    }
    return {"variants": variants} if variants else {}


def _either(lemmas: SenseLemmas) -> dict[str, Any]:
    """The lemmas that fit both senses, if there are any."""
    return {"either": list(lemmas.either)} if lemmas.either else {}


def _also(lemmas: SenseLemmas) -> dict[str, Any]:
    """The other senses of good lemmas, if there are any."""
    also: dict[str, list[str]] = {}
    for lemma in lemmas.correct:
        for sense in lemmas.senses.get(lemma, ()):
            also.setdefault(sense, []).append(lemma)
    return {"also": also} if also else {}


def _bad(lemmas: SenseLemmas) -> list[str] | dict[str, list[str]]:
    """By sense, if every bad lemma has one."""
    if not all(lemma in lemmas.senses for lemma in lemmas.incorrect):
        return list(lemmas.incorrect)
    by_sense: dict[str, list[str]] = {}
    for lemma in lemmas.incorrect:
        for sense in lemmas.senses[lemma]:
            by_sense.setdefault(sense, []).append(lemma)
    return by_sense
