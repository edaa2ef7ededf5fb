"""Two translations that differ in the filler → one with a gap, and both fillers (LM-Wino-X, for language models).

Where predicates agree with their subject in gender, they would show the filler: both must have the same gender there.
"""

from __future__ import annotations

from dataclasses import dataclass

from mtprobe.authoring.winograd.contrast import (
    MORE_DIFFERS,
    NO_GENDER,
    NOT_NOMINATIVE,
    Filler,
    find_fillers,
)
from mtprobe.authoring.winograd.genders import gender_of
from mtprobe.authoring.winograd.make import Part, antecedents
from mtprobe.authoring.winograd.schema import GAP, Instance
from mtprobe.language.tagging import tokens_of
from mtprobe.suite.format.evidence import SampleModel

DIFFERENT_GENDER = "the fillers have different genders"

# Languages whose predicates agree with the subject in gender.
_AGREEING = ("fr", "pt", "ru")


@dataclass(frozen=True, slots=True)
class Gapped:
    """A translation with a gap, and what fills it, in the order of the options."""

    context: str
    fillers: tuple[str, str]

    def filled(self, option: int) -> str:
        return self.context.replace(GAP, self.fillers[option])


def with_gap(language: str, first: str, second: str) -> Gapped | str:
    """The translation with a gap, or the filter that rejects it."""
    tokens = [tokens_of(text) for text in (first, second)]
    fillers = find_fillers([[word for word, _ in side] for side in tokens], language)
    if isinstance(fillers, str):
        return fillers
    contexts, phrases, genders = [], [], []
    for text, side, filler in zip((first, second), tokens, fillers, strict=True):
        gender = gender_of(language, [word for word, _ in side], filler.start, filler.end)
        if gender is None:
            return NO_GENDER
        if gender == "oblique":
            return NOT_NOMINATIVE
        start, end = _span(side, filler)
        contexts.append(f"{text[:start]}{GAP}{text[end:]}")
        phrases.append(text[start:end])
        genders.append(gender)
    if language in _AGREEING and genders[0] != genders[1]:
        return DIFFERENT_GENDER
    if contexts[0] != contexts[1] or contexts[0].count(GAP) != 1:
        return MORE_DIFFERS
    return Gapped(contexts[0], (phrases[0], phrases[1]))


def _span(tokens: list[tuple[str, int]], filler: Filler) -> tuple[int, int]:
    last, start = tokens[filler.end - 1]
    return tokens[filler.start][1], start + len(last)


def _sample(instance: Instance, gapped: Gapped, target: str) -> SampleModel:
    """The English sentence with its gap as the source; its fillers are targets in English."""
    right, wrong = instance.answer, 1 - instance.answer
    antecedent, other = antecedents(instance)
    position = {"antecedent": {"correct": antecedent, "incorrect": other}}
    return SampleModel.model_validate(
        {
            "id": instance.id,
            "source": instance.gapped,
            "category": ("first", "second")[antecedent - 1],
            "attributes": {"schema": instance.schema, "line": instance.place.line},
            "fillers": {
                "correct": instance.filler(right),
                "incorrect": instance.filler(wrong),
                "variants": position,
            },
            "targets": {
                target: {
                    "correct": gapped.filled(right),
                    "incorrect": gapped.filled(wrong),
                    "variants": position,
                }
            },
        }
    )


GAPS: Part[Gapped] = Part(with_gap, _sample)
"""The sentences differ in a noun phrase: LM-Wino-X."""
