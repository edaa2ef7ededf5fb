"""Detects texts that support two readings at once and therefore decide nothing."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping

from mtprobe.language.match import fold
from mtprobe.suite.sample import Choices, Contrast, Sample
from mtprobe.suite.samples.evidence import Misfit

_REMEDY = "remove it from one of the two"
_SPLIT = " (in […] a comma splits a sentence that has no quotes)"
_BRACKETS = re.compile(r"(?<!\\)[<>]")
_SEVERAL_CUES = re.compile(r"<[^<>]+>(?:\s*,\s*<[^<>]+>)+,?")
_LEMMA_SIDES = {"correct": "good", "incorrect": "bad"}


def on_both_sides(
    sides: Mapping[str, tuple[str, ...]], folded: Callable[[str], str] = str
) -> Iterator[tuple[str, str, str]]:
    """Every text that speaks for two readings, with the readings. Texts are compared as `folded` makes them."""
    for (first, texts), (second, other_texts) in itertools.combinations(sides.items(), 2):
        others = {*map(folded, other_texts)}
        yield from ((text, first, second) for text in texts if folded(text) in others)


def check_sides(key: str, contrast: Contrast | Choices | None) -> None:
    """A `Misfit` if the cues, sources or targets share a text, or a cue is several. Capitals matter here: *Polish* and *polish* differ."""
    kind = key.partition(".")[0]
    for text in itertools.chain.from_iterable(contrast.sides.values() if contrast else ()):
        if kind not in ("sources", "targets") and _SEVERAL_CUES.fullmatch(text):
            raise Misfit(kind, f'{key}: "{text}" is a cue with commas; write a list: [{text}]')
        if kind == "cues" and (found := _BRACKETS.findall(text)) and len(found) % 2:
            raise Misfit(kind, f'{key}: "{text}": write a cue that replaces the focus as <cue>')
    for text, first, second in on_both_sides(contrast.sides if contrast else {}):
        hint = _SPLIT if kind in ("sources", "targets") else ""
        raise Misfit(kind, f'{key}: "{text}" is both {first} and {second}; {_REMEDY}{hint}')


def check_evidence_of(sample: Sample) -> None:
    """A `Misfit` if something that the sample lists speaks for both readings."""
    check_sides("cues", sample.cues)
    check_sides("sources", sample.sources)
    for language, contrast in (sample.targets or {}).items():
        check_sides(f"targets.{language}", contrast)
    for language, lemmas in (sample.lemmas or {}).items():
        for text, *sides in on_both_sides(lemmas.sides, fold):  # compared as they are matched
            first, second = (_LEMMA_SIDES[side] for side in sides)
            raise Misfit(
                "lemmas",
                f'lemmas.{language}: "{text}" is both {first} and {second}; {_REMEDY}, or list it under `either`',
            )
