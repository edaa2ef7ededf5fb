"""One sample's keys → one `Sample`, checked against what its suite declares."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from mtprobe.errors import Place, did_you_mean
from mtprobe.language import tags
from mtprobe.suite.format.evidence import SIDES, Evidence, Sides
from mtprobe.suite.sample import CONTROL, Choices, Contrast, Sample, Scalar
from mtprobe.suite.samples.conditions import Condition
from mtprobe.suite.samples.evidence import (
    Misfit,
    lemmas_of,
    rank_attributes,
    targets_of,
    trigger_spans,
    with_fillers,
    word_lists_of,
)
from mtprobe.suite.samples.focus import FocusError, Marked, emphasized, lookalike, read_marks
from mtprobe.suite.samples.frequencies import Frequencies, categories_of, word_of
from mtprobe.suite.samples.relations import Relations

_MAX_ID = 60


@dataclass(frozen=True, slots=True)
class Declared:
    """The declarations of the suite for all of its samples."""

    categories: tuple[str, ...] | None
    cluster: str | None
    cues: Mapping[str, Contrast | Choices]  # by category
    derived: Mapping[str, Mapping[str, Condition]]
    variants: Mapping[str, tuple[Scalar, ...]]  # attributes of targets, each with its values in order
    language: str  # of the sources
    frequencies: Frequencies | None = None
    preserve: tuple[str, ...] = ()
    word_lists: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    relations: Relations = field(default_factory=Relations)

    @property
    def words(self) -> set[str]:
        """The categories, and the values of derived attributes: what a condition may name."""
        return {*(self.categories or ()), *(value for values in self.derived.values() for value in values)}


@dataclass(frozen=True, slots=True)
class Written:
    """A sample's sentence with what the suite says about it beside its evidence."""

    source: str  # with its focus marks
    id: str
    place: Place
    attributes: Mapping[str, Scalar]
    category: str | None = None  # None: that of the evidence
    derived: Mapping[str, Mapping[str, Condition]] = field(default_factory=dict)  # attributes of the template
    cluster: str | None = None  # the default when the suite names none
    context: tuple[str, ...] = ()


def build_sample(declared: Declared, evidence: Evidence, written: Written) -> Sample:
    """The sample, or a `Misfit`."""
    marked = _marked("source", written.source)
    attributes = dict(written.attributes)
    attributes.update(rank_attributes(attributes, evidence.senses))
    category = written.category if written.category is not None else evidence.category
    if category is None and declared.frequencies is not None:
        category = _by_frequency(declared.frequencies, evidence, attributes, marked)
    if category is not None or declared.frequencies is None:
        _check_category(category, declared)
    for conditions in (declared.derived, written.derived):
        if conditions:
            _derive(attributes, category, conditions)
    relation, against = declared.relations.of(evidence, marked, written.id, declared.language)
    if evidence.control:
        attributes[CONTROL] = True
    return Sample(
        id=written.id,
        source=marked.text,
        focus=marked.focus,
        category=category,
        attributes=attributes,
        cluster=_cluster(declared, attributes, marked, written),
        place=written.place,
        cues=_cues(declared, evidence, category, marked),
        sources=_sources(declared, evidence, category),
        targets=targets_of(
            with_fillers(evidence.targets, evidence.fillers, marked.text, declared.language),
            declared.variants,
        ),
        lemmas=lemmas_of(evidence.lemmas, evidence.senses),
        senses=evidence.senses,
        references=None
        if evidence.references is None
        else {language: tuple(texts) for language, texts in evidence.references.items()},
        triggers=trigger_spans(evidence.triggers, marked.text),
        context=written.context,
        preserve=tuple(evidence.preserve or declared.preserve),
        names=tuple(evidence.names or ()),
        relation=relation,
        against=against,
        word_lists={**declared.word_lists, **word_lists_of(evidence)},
    )


class _Words(dict[int, int]):
    """For `str.translate`: keeps letters, digits and their accents, and turns everything else into a space."""

    def __missing__(self, code: int) -> int:
        self[code] = code if unicodedata.category(chr(code))[0] in "LNM" else ord(" ")
        return self[code]


_WORDS = _Words()


def slug(text: str) -> str:
    """A name made from a sentence's words; a long one is shortened and made unique by a hash."""
    words = "-".join(text.casefold().translate(_WORDS).split())
    if len(words) <= _MAX_ID:
        return words or "sample"
    return f"{words[:_MAX_ID].rpartition('-')[0] or words[:_MAX_ID]}-{_hash(text)}"


def slug_of_value(value: str) -> str:
    """A name for a slot's value, different for different values: a hash replaces characters that are lost."""
    words = "-".join(value.translate(_WORDS).split())
    return words if words.replace("-", " ") == value else f"{words}-{_hash(value)}".lstrip("-")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _marked(key: str, written: str) -> Marked:
    try:
        return read_marks(written)
    except FocusError as error:
        raise Misfit(key, f"{error}: {written!r}") from None


def _by_frequency(
    frequencies: Frequencies, evidence: Evidence, attributes: Mapping[str, Scalar], marked: Marked
) -> str | None:
    if frequencies.categories is None:
        return None
    target = frequencies.target
    lemmas = (evidence.lemmas or {}).items()
    good = next((sides.good for tag, sides in lemmas if tags.fits(target, tag)), None)
    if good is None:
        raise Misfit(
            "lemmas",
            f"category: is missing, and there are no `lemmas` for {target} to look it up in `frequencies`",
        )
    word = word_of(attributes, marked.text, marked.focus)
    matches = categories_of(word, good, frequencies.categories)
    if len(matches) != 1:
        how = "both frequent and rare" if matches else "neither frequent nor rare"
        raise Misfit(
            "category", f'"{word}" ({", ".join(good)}) is {how} in `frequencies`; give it a category'
        )
    return matches.pop()


def _check_category(category: str | None, declared: Declared) -> None:
    if declared.categories is None:
        if category is not None:
            raise Misfit("category", f'category "{category}": the suite declares no `categories`')
    elif category is None:
        raise Misfit("category", f"category: is missing; the suite declares {', '.join(declared.categories)}")
    elif category not in declared.categories:
        raise Misfit("category", undeclared(category, declared.categories))


def undeclared(category: str, categories: Collection[str]) -> str:
    """The message about a category that the suite does not declare."""
    if not categories:
        return f'category "{category}" is not declared; the suite lists its categories: `categories: [{category}, …]`'
    return f'category "{category}" is not declared{did_you_mean(category, categories)}'


def _derive(
    attributes: dict[str, Scalar], category: str | None, derived: Mapping[str, Mapping[str, Condition]]
) -> None:
    values: dict[str, Scalar | None] = {**attributes, "category": category}
    for name, conditions in derived.items():
        for value, condition in conditions.items():
            if condition.holds(values):
                attributes[name] = value
                if name != "category":  # conditions refer to the sample's own
                    values[name] = value
                break


def _cluster(declared: Declared, attributes: Mapping[str, Scalar], marked: Marked, written: Written) -> str:
    if declared.cluster is not None:
        return str(attributes.get(declared.cluster, written.id))
    if written.cluster is not None:
        return written.cluster
    if "lemma" in attributes:
        return str(attributes["lemma"])
    return marked.text[slice(*marked.focus)].casefold() if marked.focus else written.id


def _cues(
    declared: Declared, evidence: Evidence, category: str | None, marked: Marked
) -> Contrast | Choices | None:
    own: Any = evidence.cues
    if own is None:  # the suite's cues serve the samples that have a focus
        return declared.cues.get(category or "") if marked.focus else None
    if marked.focus is None:
        hint = lookalike(marked.text) or emphasized(marked.text) or "mark a word as <word>"
        raise Misfit("source", f"source: cues need a focus; {hint}")
    categories = declared.categories or ()
    if isinstance(own, Sides) or any(isinstance(value, list) for value in own.values()):
        return sides_of("cues", own, category, categories)
    for name in own:
        if name not in categories:
            raise Misfit("cues", f"cues: {undeclared(name, categories)}")
    if category is None or category not in own:
        raise Misfit("cues", f'cues: there are none for the category "{category}"')
    return sides_of("cues", own[category], category, categories)


def _sources(declared: Declared, evidence: Evidence, category: str | None) -> Contrast | Choices | None:
    """Whole contrastive sources; they may mark a focus too, as in the source that they were copied from."""

    def read(text: str) -> str:
        return _marked("sources", text).text

    if evidence.sources is None:
        return None
    return sides_of("sources", evidence.sources, category, declared.categories or (), read)


# For the sides, as authors write them.
_OTHER_WORDS = {"good": "correct", "right": "correct", "bad": "incorrect", "wrong": "incorrect"}


def sides_of(
    key: str,
    written: Sides | Mapping[str, Any],
    category: str | None,
    categories: tuple[str, ...],
    read: Callable[[str], str] = str,
) -> Contrast | Choices:
    """The evidence for the right and the wrong reading, or for each choice of an open category."""
    if isinstance(written, Sides):
        return Contrast(tuple(map(read, written.correct)), tuple(map(read, written.incorrect)))
    for choice in written:
        if choice not in categories:
            meant = _OTHER_WORDS.get(choice)
            hint = f'; did you mean "{meant}"?' if meant else did_you_mean(choice, [*SIDES, *categories])
            raise Misfit(key, f'{key}: the choice "{choice}" is not one of the `categories`{hint}')
        if choice == category:
            raise Misfit(
                key, f'{key}: "{choice}" is the category itself; an open category cannot be its own choice'
            )
    return Choices({choice: tuple(map(read, texts)) for choice, texts in written.items()})
