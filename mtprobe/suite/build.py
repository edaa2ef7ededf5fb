"""One sample's keys → one `Sample`, checked against what its suite declares."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from mtprobe.errors import Place, SuiteError, did_you_mean
from mtprobe.suite.conditions import Condition
from mtprobe.suite.focus import FocusError, Marked, read_marks
from mtprobe.suite.model import Evidence, Lemmas, Sides
from mtprobe.suite.sample import Contrast, Sample, Scalar

_MAX_ID = 60


@dataclass(frozen=True, slots=True)
class Declared:
    """What the suite says for all of its samples."""

    categories: tuple[str, ...] | None
    cluster: str | None
    cues: Mapping[str, Contrast]  # by category
    derived: Mapping[str, Mapping[str, Condition]]


def build_sample(
    declared: Declared,
    evidence: Evidence,
    *,
    written: str,
    id: str,
    place: Place,
    category: str | None = None,
    attributes: Mapping[str, Scalar] | None = None,
    derived: Mapping[str, Mapping[str, Condition]] | None = None,
    cluster: str | None = None,
) -> Sample:
    """The sample; `cluster` is the default when the suite names none."""
    try:
        marked = read_marks(written)
    except FocusError as error:
        raise SuiteError.at(place, f"{error}: {written!r}") from None
    category = category if category is not None else evidence.category
    _check_category(category, declared, place)
    known: dict[str, Scalar] = dict(evidence.attributes if attributes is None else attributes)
    for conditions in (declared.derived, derived or {}):
        _derive(known, category, conditions)
    return Sample(
        id=id,
        source=marked.text,
        focus=marked.focus,
        category=category,
        attributes=known,
        cluster=_cluster(declared, known, marked, cluster, id),
        place=place,
        cues=_cues(declared, evidence, category, marked, place),
        sources=_contrast(evidence.sources),
        targets=_by_language(evidence.targets),
        lemmas=_by_language(evidence.lemmas),
    )


def slug(text: str) -> str:
    """A name made from a sentence's words; a long one is cut and told apart by a hash."""
    words = "-".join(re.findall(r"[^\W_]+", text.casefold()))
    if len(words) <= _MAX_ID:
        return words or "sample"
    return f"{words[:_MAX_ID].rpartition('-')[0]}-{hashlib.sha256(text.encode()).hexdigest()[:6]}"


def _check_category(category: str | None, declared: Declared, place: Place) -> None:
    if declared.categories is None:
        if category is not None:
            raise SuiteError.at(place, f'category "{category}": the suite declares no `categories`')
    elif category is None:
        raise SuiteError.at(place, f"has no category; the suite declares {', '.join(declared.categories)}")
    elif category not in declared.categories:
        raise SuiteError.at(
            place, f'category "{category}" is not declared{did_you_mean(category, declared.categories)}'
        )


def _derive(
    known: dict[str, Scalar], category: str | None, derived: Mapping[str, Mapping[str, Condition]]
) -> None:
    for name, conditions in derived.items():
        values: dict[str, Scalar | None] = {**known, "category": category}
        for value, condition in conditions.items():
            if condition.holds(values):
                known[name] = value
                break


def _cluster(
    declared: Declared, known: Mapping[str, Scalar], marked: Marked, default: str | None, id: str
) -> str:
    if declared.cluster is not None:
        return str(known.get(declared.cluster, id))
    if default is not None:
        return default
    if "lemma" in known:
        return str(known["lemma"])
    return marked.text[slice(*marked.focus)].casefold() if marked.focus else id


def _cues(
    declared: Declared, evidence: Evidence, category: str | None, marked: Marked, place: Place
) -> Contrast | None:
    own = evidence.cues
    if isinstance(own, dict):
        if category not in own:
            raise SuiteError.at(place, f'`cues` has nothing for category "{category}"')
        cues: Contrast | None = _contrast(own[category])
    else:
        cues = _contrast(own) or declared.cues.get(category or "")
    if cues is not None and marked.focus is None:
        if own is None:
            return None  # the suite's cues serve the samples that have a focus
        raise SuiteError.at(place, "has cues but no focus; mark it as <word> in `source`")
    return cues


def _contrast(sides: Sides | Lemmas | None) -> Contrast | None:
    if sides is None:
        return None
    if isinstance(sides, Lemmas):
        return Contrast(tuple(sides.good), tuple(sides.bad))
    return Contrast(tuple(sides.correct), tuple(sides.incorrect))


def _by_language(evidence: Mapping[str, Sides] | Mapping[str, Lemmas] | None) -> dict[str, Contrast] | None:
    if evidence is None:
        return None
    return {language: contrast for language, sides in evidence.items() if (contrast := _contrast(sides))}
