"""Wino-X (Emelin and Sennrich, 2021), its MT part and its LM part. A tie is wrong.

Attributes say what the right variant has, and with `_incorrect` what the wrong one has: the gender of the
pronoun, and whether the noun that it refers to comes first or second. Both sentences of a schema share `schema`.
Targets have the same as variants, for `bias[gender]` and `bias[position]`. The paper counts masculine, feminine, neuter;
its code sorts the values by name (female, male, neutral), and only that order gives the figures of its Table 4.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

from pydantic import BaseModel

from mtprobe.datasets.contrastive.family import CONTRASTIVE, Contrasted, Contrastive, contrastive_preset
from mtprobe.datasets.format import Format, read_guide
from mtprobe.datasets.preset import Preset
from mtprobe.datasets.reading import sample_per_line, with_copies
from mtprobe.errors import MtprobeError, Place, SuiteError
from mtprobe.suite.data import Item, Reading, Skipped
from mtprobe.suite.format.evidence import SampleModel
from mtprobe.suite.format.fields import Text, is_count
from mtprobe.suite.parsing.lines import checked, json_line, text_lines
from mtprobe.suite.sample import Scalar


class WinoX(Contrastive):
    """Wino-X: Winograd schemas whose two translations (MT) or filled gaps (LM) differ in what a pronoun refers to."""

    KNOWN: ClassVar[tuple[str, ...]] = (
        "origin",
        "schema",
        "part",
        "gender",
        "gender_incorrect",
        "antecedent",
        "antecedent_incorrect",
    )

    format: Literal["wino-x"]
    """JSON Lines, of the MT part or of the LM part; their keys show which."""
    file: Text
    """`en_de_test.jsonl`."""
    order: Literal["authors", "stated"] = "authors"
    """How genders rank for `bias[gender]`: `authors`, as in the authors' code and in their Table 4 (feminine, masculine, neuter), or `stated`, as in the paper's text (masculine, feminine, neuter)."""

    @property
    def scales(self) -> Mapping[str, tuple[Scalar, ...]]:
        return {"gender": ORDERS[self.order]}


GENDERS = {
    "de": {"er": "masculine", "sie": "feminine", "es": "neuter"},
    "fr": {"il": "masculine", "ils": "masculine", "elle": "feminine", "elles": "feminine"},
    "ru": {"он": "masculine", "она": "feminine", "оно": "neuter"},
}
ORDERS = {
    "authors": ("feminine", "masculine", "neuter"),
    "stated": ("masculine", "feminine", "neuter"),
}
_LOOK_ALIKES = str.maketrans("aceopxy", "асеорху")  # Latin letters in Russian words
_GAP = "_"
LM = "lm"  # the part for language models


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


@with_copies
def read(data: WinoX, reading: Reading) -> Iterator[Item]:
    """Each line's pair."""
    target = reading.target(data.target)

    def sample(line: str, place: Place) -> SampleModel | Skipped:
        pair = _read_pair(json_line(line, place), target, reading.source, place)
        return pair.sample(data, target, place)

    yield from sample_per_line(text_lines(reading.find("file", data.file)), sample)


def _read_pair(item: Any, target: str, source: str, place: Place) -> Contrasted:
    if not isinstance(item, dict):
        raise SuiteError.at(place, "must be a mapping of names to values")
    item = {**item, "answer": _number(item.get("answer"))}
    if any(key.startswith("context_") for key in item):
        return _filled_gap(item, target, source, place)
    row = checked(_MT, item, place)
    genders = _genders(target, row.pronoun1, row.pronoun2)
    positions = _positions(row.sentence, row.referent1_en, row.referent2_en)
    translations = (row.translation1, row.translation2)
    pair = _pair(row.qID, row.sentence, row.answer, translations, genders, positions)
    return replace(pair, focus=_pronoun(row.sentence), attributes={**pair.attributes, "part": "mt"})


def _filled_gap(item: Mapping[str, Any], target: str, source: str, place: Place) -> Contrasted:
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
    row = checked(_LM, named, place)
    if _GAP not in row.context:
        raise SuiteError.at(place, f'context_{target}: has no gap "{_GAP}"')
    filled = (row.context.replace(_GAP, row.option1), row.context.replace(_GAP, row.option2))
    positions = None
    if row.referent1 and row.referent2:
        positions = _positions(row.context, row.referent1, row.referent2)
    pair = _pair(row.qID, row.source, row.answer, filled, None, positions)
    return replace(pair, attributes={**pair.attributes, "part": LM})


def _pair(
    id: str,
    source: str,
    answer: int,
    targets: tuple[str, str],
    genders: tuple[str, str] | None,
    positions: tuple[int, int] | None,
) -> Contrasted:
    right, wrong = answer - 1, 2 - answer
    attributes: dict[str, Scalar] = {"origin": "machine", "schema": re.sub(r"-[12]$", "", id)}
    variants: dict[str, dict[str, Scalar]] = {}
    if genders is not None:
        attributes |= {"gender": genders[right], "gender_incorrect": genders[wrong]}
        variants["gender"] = {"correct": genders[right], "incorrect": genders[wrong]}
    if positions is not None:
        attributes |= {"antecedent": positions[right], "antecedent_incorrect": positions[wrong]}
        variants["position"] = {"correct": positions[right], "incorrect": positions[wrong]}
    return Contrasted(id, source, targets[right], [targets[wrong]], attributes, variants)


def _pronoun(sentence: str) -> tuple[int, int] | None:
    """The last *it* of the sentence, as the authors' code finds it; else the last *It*."""
    found = [*re.finditer(r"\bit\b", sentence)] or [*re.finditer(r"\bIt\b", sentence)]
    return found[-1].span() if found else None


def _number(answer: Any) -> Any:
    return int(answer) if isinstance(answer, str) and is_count(answer) else answer


def _genders(target: str, *pronouns: str) -> tuple[str, str] | None:
    """The genders of both pronouns, if the forms alone show both."""
    genders = GENDERS.get(target, {})
    words = [pronoun.strip().lower() for pronoun in pronouns]
    if target == "ru":
        words = [word.translate(_LOOK_ALIKES) for word in words]
    first, second = (genders.get(word) for word in words)
    return (first, second) if first and second else None


def _positions(text: str, *referents: str) -> tuple[int, int] | None:
    """Which of the two nouns comes first (1) and which second (2), by the last mention of each."""
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
    """The preset of the MT part."""
    suite = contrastive_preset(
        data,
        about="Does the model score the translation with the right pronoun above the other one?",
        cluster="schema",
        gaps=("gender", "antecedent"),
    )
    return replace(suite, variants=data.scales)


def adapted(suite: Preset, samples: Sequence[SampleModel]) -> Preset:
    """The LM part is for masked language models."""
    parts = {sample.attributes["part"] for sample in samples}
    if len(parts) > 1:
        raise MtprobeError(
            "wino-x: the MT part and the LM part are suites of their own; import one at a time"
        )
    if parts != {LM}:
        return suite
    about = "Does the language model score the sentence with the right noun in its gap above the other one?"
    return replace(suite, about=about, methods=("masked-lm",), variants={})


FORMAT = Format(
    name="wino-x",
    heading="Wino-X",
    entry=WinoX,
    read=read,
    preset=preset,
    adapted=adapted,
    family=CONTRASTIVE,
    guide=read_guide("wino-x"),
)
