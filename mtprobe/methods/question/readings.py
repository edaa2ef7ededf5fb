"""The readings that a judge may choose between for a sample, and the words that describe them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mtprobe.methods.gender_morphology import GENDERS
from mtprobe.methods.question.keys import QuestionWording
from mtprobe.suite.labels import CORRECT, INCORRECT, UNCLEAR
from mtprobe.suite.sample import Sample, Suite
from mtprobe.suite.samples.focus import insert_cue

Kind: TypeAlias = Literal["gender", "choices", "sentences", "meaning"]
LACKS = (
    "needs a category that says which reading is right (male, female, or one described in `question: {choices: …}`), "
    "choices of an open category, or `cues` or `sources` that describe two readings; and a <focus>, unless the question "
    "does without one"
)


@dataclass(frozen=True, slots=True)
class Reading:
    """One of the choices."""

    side: str  # "correct", "incorrect", a choice of an open sample, or "unclear"
    text: str  # as the question describes it
    name: str | None = None  # the category, where readings are categories


@dataclass(frozen=True, slots=True)
class Readings:
    kind: Kind  # the question that is asked where the suite has no text of its own
    each: tuple[Reading, ...]


def readings_of(sample: Sample, suite: Suite, genders: Mapping[str, str]) -> Readings | None:
    """None where nothing says between which readings a judge should choose. `genders` describes them."""
    wording: QuestionWording | None = suite.options.get("question")
    declared = (wording.choices if wording else None) or {}
    found = _of_sample(sample, suite, declared, genders)
    if found is None or len({reading.text for reading in found.each}) < len(found.each):
        return None
    if UNCLEAR in declared:
        return Readings(found.kind, (*found.each, Reading(UNCLEAR, declared[UNCLEAR])))
    return found


def _of_sample(
    sample: Sample, suite: Suite, declared: Mapping[str, str], genders: Mapping[str, str]
) -> Readings | None:
    if sample.choices:
        kind: Kind = "choices" if sample.sources is None else "sentences"
        kind = "gender" if sample.focus and all(name in genders for name in sample.choices) else kind
        cues = _described(sample, suite.source)
        texts = {**cues, **(genders if kind == "gender" else {}), **declared}
        return Readings(kind, tuple(Reading(name, texts.get(name, name), name) for name in sample.choices))
    if sample.category in declared and sample.category != UNCLEAR:
        names = {name: text for name, text in declared.items() if name != UNCLEAR}
        kind = "gender" if all(name in genders for name in names) else "choices"
        return _by_category(kind, sample.category or "", names)
    if sample.category in GENDERS:
        asked = [name for name in genders if name in suite.categories or name in GENDERS[:2]]
        return _by_category("gender", sample.category or "", {name: genders[name] for name in asked})
    sides = _described(sample, suite.source)
    if set(sides) != {CORRECT, INCORRECT}:
        return None
    kind = "meaning" if sample.sources is None else "sentences"
    return Readings(kind, tuple(Reading(side, text) for side, text in sides.items()))


def _by_category(kind: Kind, right: str, names: Mapping[str, str]) -> Readings | None:
    if len(names) < 2:
        return None
    return Readings(
        kind,
        tuple(Reading(CORRECT if name == right else INCORRECT, text, name) for name, text in names.items()),
    )


def _described(sample: Sample, language: str) -> dict[str, str]:
    """The text of the cues or whole sources, by the reading that they force."""
    if sample.sources is not None:
        return {
            side: ", or ".join(f"“{text}”" for text in texts) for side, texts in sample.sources.sides.items()
        }
    if sample.cues is None or sample.focus is None:
        return {}
    word = sample.source[slice(*sample.focus)]
    word = word if sample.focus[0] else word[:1].lower() + word[1:]
    return {
        side: ", ".join(dict.fromkeys(insert_cue(word, (0, len(word)), cue, language) for cue in cues))
        for side, cues in sample.cues.sides.items()
    }
