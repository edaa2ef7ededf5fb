"""Wino-X (Emelin and Sennrich, 2021), its MT part and its LM part. A tie is wrong.

Attributes say what the right variant has, and with `_incorrect` what the wrong one has: the gender of the
pronoun, and whether the noun that it refers to comes first or second. Both sentences of a schema share `schema`.
Targets carry the same as variants, in the paper's numbers, so that `bias[gender]` and `bias[position]` can be asked.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import BaseModel

from mtprobe.datasets.contrastive import contrastive_preset, contrastive_sample
from mtprobe.datasets.preset import Preset
from mtprobe.datasets.reading import Item, LeftOut, Reading, with_copies
from mtprobe.errors import Place, SuiteError
from mtprobe.suite.format.fields import is_count
from mtprobe.suite.format.public import WinoX
from mtprobe.suite.format.suite import SampleModel
from mtprobe.suite.parsing.lines import checked, json_line, text_lines
from mtprobe.suite.sample import Scalar

GENDERS = {
    "de": {"er": "masculine", "sie": "feminine", "es": "neuter"},
    "fr": {"il": "masculine", "ils": "masculine", "elle": "feminine", "elles": "feminine"},
    "ru": {"он": "masculine", "она": "feminine", "оно": "neuter"},
}
RANKS = {"masculine": 1, "feminine": 2, "neuter": 3}  # as the paper counts them, for `bias`
_LOOK_ALIKES = str.maketrans("aceopxy", "асеорху")  # Latin letters in Russian words
_GAP = "_"


class _MT(BaseModel):
    qID: str
    sentence: str
    translation1: str
    translation2: str
    answer: Literal[1, 2]
    pronoun1: str
    pronoun2: str
    referent1_en: str
    referent2_en: str


class _LM(BaseModel):
    """An item of the LM part, its keys without the language at their end."""

    qID: str
    source: str
    context: str
    option1: str
    option2: str
    answer: Literal[1, 2]
    referent1: str | None = None
    referent2: str | None = None


def read(data: WinoX, reading: Reading) -> Iterator[Item]:
    """Each line's pair."""
    yield from with_copies(_read(data, reading))


def _read(data: WinoX, reading: Reading) -> Iterator[Item]:
    target = reading.target(data.target)
    for place, line in text_lines(reading.find("file", data.file)):
        try:
            if isinstance(line, SuiteError):
                raise line
            if line.strip():
                yield place, _sample(data, json_line(line, place), target, reading.source, place)
        except SuiteError as problem:
            yield place, problem


def _sample(data: WinoX, item: Any, target: str, source: str, place: Place) -> SampleModel | LeftOut:
    if not isinstance(item, dict):
        raise SuiteError.at(place, "must be a mapping of names to values")
    item = {**item, "answer": _number(item.get("answer"))}
    if any(key.startswith("context_") for key in item):
        return _filled_gap(data, item, target, source, place)
    held = checked(_MT, item, place)
    return _pair(
        data,
        place,
        held.qID,
        held.sentence,
        target,
        held.answer,
        (held.translation1, held.translation2),
        _genders(target, held.pronoun1, held.pronoun2),
        _positions(held.sentence, held.referent1_en, held.referent2_en),
    )


def _filled_gap(
    data: WinoX, item: Mapping[str, Any], target: str, source: str, place: Place
) -> SampleModel | LeftOut:
    right = item.get(f"option{item['answer']}_{source}")
    named = {
        "qID": item.get("qID"),
        "answer": item["answer"],
        "source": str(item.get(f"context_{source}", "")).replace(_GAP, str(right or "")),
        "context": item.get(f"context_{target}"),
        "option1": item.get(f"option1_{target}"),
        "option2": item.get(f"option2_{target}"),
        "referent1": item.get(f"context_referent_of_option1_{target}"),
        "referent2": item.get(f"context_referent_of_option2_{target}"),
    }
    for key in ("context", "option1", "option2"):
        if named[key] is None:
            raise SuiteError.at(place, f"{key}_{target}: is missing")
    held = checked(_LM, named, place)
    if _GAP not in held.context:
        raise SuiteError.at(place, f'context_{target}: has no gap "{_GAP}"')
    filled = (held.context.replace(_GAP, held.option1), held.context.replace(_GAP, held.option2))
    positions = None
    if held.referent1 and held.referent2:
        positions = _positions(held.context, held.referent1, held.referent2)
    return _pair(data, place, held.qID, held.source, target, held.answer, filled, None, positions)


def _pair(
    data: WinoX,
    place: Place,
    id: str,
    source: str,
    target: str,
    answer: int,
    variants: tuple[str, str],
    genders: tuple[str, str] | None,
    positions: tuple[int, int] | None,
) -> SampleModel | LeftOut:
    right, wrong = answer - 1, 2 - answer
    attributes: dict[str, Scalar | None] = {"origin": "machine", "schema": re.sub(r"-[12]$", "", id)}
    for name, values in (("gender", genders), ("antecedent", positions)):
        if values is not None:
            attributes |= {name: values[right], f"{name}_incorrect": values[wrong]}
    told_apart: dict[str, dict[str, Scalar]] = {}
    if genders is not None:
        told_apart["gender"] = {"correct": RANKS[genders[right]], "incorrect": RANKS[genders[wrong]]}
    if positions is not None:
        told_apart["position"] = {"correct": positions[right], "incorrect": positions[wrong]}
    return contrastive_sample(
        data,
        place,
        id=id,
        source=source,
        target=target,
        correct=variants[right],
        incorrect=[variants[wrong]],
        attributes=attributes,
        variants=told_apart,
    )


def _number(answer: Any) -> Any:
    return int(answer) if isinstance(answer, str) and is_count(answer) else answer


def _genders(target: str, *pronouns: str) -> tuple[str, str] | None:
    """The genders of both pronouns, if both are told by the form alone."""
    known = GENDERS.get(target, {})
    words = [pronoun.strip().lower() for pronoun in pronouns]
    if target == "ru":
        words = [word.translate(_LOOK_ALIKES) for word in words]
    first, second = (known.get(word) for word in words)
    return (first, second) if first and second else None


def _positions(text: str, *referents: str) -> tuple[int, int] | None:
    """Which of the two nouns comes first (1) and which second (2), by where each stands last."""
    words = [word.strip(string.punctuation).lower() for word in text.split()]
    ends = []
    for referent in referents:
        wanted = [word.strip(string.punctuation).lower() for word in referent.split()]
        last = wanted[-1] if wanted else ""
        if last not in words:
            return None
        ends.append(len(words) - words[::-1].index(last))
    first, second = ends
    if first == second:
        return None
    return (1, 2) if first < second else (2, 1)


def preset(data: WinoX) -> Preset:
    return contrastive_preset(
        data,
        "wino-x",
        "Does the model score the translation with the right pronoun above the other one?",
        source="en",
        cluster="schema",
        ties="incorrect",
        gaps=("gender", "antecedent"),
    )
