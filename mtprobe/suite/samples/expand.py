"""Templates → samples: every combination of slot values, filled in and repaired."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mtprobe.errors import MOST_PROBLEMS, Place, Problem, SuiteError, did_you_mean
from mtprobe.language import tags
from mtprobe.suite.format.template import Template
from mtprobe.suite.parsing.tree import Location, Tree
from mtprobe.suite.sample import Sample, Scalar
from mtprobe.suite.samples import english
from mtprobe.suite.samples.build import Declared, Written, build_sample, slug, slug_of_value
from mtprobe.suite.samples.clauses import Clauses, check_clauses, clauses_of
from mtprobe.suite.samples.conditions import Condition, ConditionError, read_condition
from mtprobe.suite.samples.evidence import Misfit
from mtprobe.suite.samples.opposites import check_evidence_of
from mtprobe.suite.samples.slots import (
    NAME_IN_BRACES,
    Room,
    SlotTable,
    Value,
    check_braces,
    combinations,
    fill,
    names_in,
    slot_and_attribute,
    texts_of,
)

MAX_CONDITIONS = 500  # of derived attributes: each is evaluated for every sample
_EVIDENCE = (
    "cues",
    "sources",
    "targets",
    "lemmas",
    "references",
    "fillers",
    "triggers",
    "names",
    "against",
    "must_contain",
    "must_not_contain",
)
_REACH = 200  # characters before a slot that matter to it: an article, the end of a sentence
_FOCUS = re.compile(r"(?<!\\)<(.*?)(?<!\\)>")


@dataclass(frozen=True, slots=True)
class Expansion:
    """The state shared by all templates of a suite."""

    declared: Declared
    slots: SlotTable  # those of the suite
    tree: Tree
    room: Room = field(default_factory=Room)
    templates: list[OpenTemplate] = field(default_factory=list)  # so far


@dataclass(frozen=True)
class OpenTemplate:
    """A template, checked and ready to be filled: with every combination of slot values, or with any one of them."""

    template: Template  # its `source` has all optional clauses, without brackets
    clauses: Clauses
    slots: SlotTable  # those that it uses
    fixed: Mapping[str, Scalar]  # attributes of all samples
    derived: Mapping[str, Mapping[str, Condition]]
    place: Place
    declared: Declared

    @cached_property
    def prefix(self) -> str:
        """The first part of the ids."""
        source = self.template.source
        return self.template.id or slug(fill(source, dict.fromkeys(names_in(source), " ")))

    @cached_property
    def _focus_slot(self) -> str | None:
        in_focus = _FOCUS.search(self.template.source)
        names = names_in(in_focus.group(1)) if in_focus else []
        return slot_and_attribute(names[0], self.slots)[0] if names else None

    @cached_property
    def _filled(self) -> Callable[[Mapping[str, str]], Template]:
        return _filler(self.template, self.declared.language)

    def allows(self, chosen: Mapping[str, Value]) -> bool:
        """Whether these values go together."""
        return (
            next(combinations({name: [value] for name, value in chosen.items()}, self.template.except_), None)
            is not None
        )

    def samples(self) -> Iterator[Sample]:
        """One for each combination; `Misfit` if one cannot be made."""
        return map(self.sample, combinations(self.slots, self.template.except_))

    def sample(self, chosen: Mapping[str, Value], dropped: Collection[int] = ()) -> Sample:
        """The sample with these values and without these optional clauses, or a `Misfit`."""
        words = {name: value.text for name, value in chosen.items()}
        texts = texts_of(chosen)
        attributes: dict[str, Scalar] = {**self.fixed, **words}
        for value in chosen.values():
            attributes.update(value.attributes)
        category = attributes.pop("category", None)
        language = self.declared.language
        source = self.clauses.text(dropped, language) if dropped else self.template.source
        without = [f"without-{slug(self.clauses.optional[number])}" for number in sorted(dropped)]
        written = Written(
            fill_sentence(source, texts, language),
            id="/".join([self.prefix, *map(slug_of_value, words.values()), *without]),
            place=self.place,
            attributes=attributes,
            category=None if category is None else str(category),
            derived=self.derived,
            cluster=words[self._focus_slot] if self._focus_slot else None,
        )
        sample = build_sample(self.declared, self._filled(texts), written)
        check_evidence_of(sample)
        return sample


def expand_template(template: Template, own: SlotTable, at: Location, context: Expansion) -> OpenTemplate:
    """The template at location `at`, whose own slots are `own`; it is checked, and so is its size."""
    place = context.tree.place
    clauses = clauses_of(template.source, place((*at, "source")))
    if (source := clauses.text()) != template.source:
        template = template.model_copy(update={"source": source})
    texts = template.model_dump(include={"source", *_EVIDENCE}, exclude_none=True)
    used = _used_slots(texts, own, at, context)
    if clauses.optional:
        evidence = {key: list(_strings(texts[key])) for key in _EVIDENCE if key in texts}
        check_clauses(clauses, evidence, used, place((*at, "source")))
    _check_exceptions(template, used, at, place)
    fixed = {name: value for name, value in template.attributes.items() if not isinstance(value, Mapping)}
    derived = read_derived(
        {name: value for name, value in template.attributes.items() if isinstance(value, Mapping)},
        {*fixed, *context.declared.derived, *attribute_names(used)},
        {*attribute_values(used), *context.declared.words},
        (*at, "attributes"),
        place,
    )
    conditions = sum(len(values) for by in (context.declared.derived, derived) for values in by.values())
    context.room.take(used, list(_strings(texts)), len(template.except_) + conditions, place(at))
    return OpenTemplate(template, clauses, used, fixed, derived, place(at), context.declared)


def samples_of(opened: OpenTemplate, at: Location, context: Expansion) -> Iterator[Sample]:
    """Every sample of the template at location `at`, made one by one; an error if there is none."""
    place = context.tree.place
    count = 0
    try:
        for count, sample in enumerate(opened.samples(), start=1):  # noqa: B007 - it is counted
            yield sample
    except Misfit as misfit:
        raise SuiteError.at(place((*at, misfit.key)), str(misfit)) from None
    if not count:
        raise SuiteError.at(
            place(at), "no combination of slot values is left; check `except` and the categories"
        )


def read_derived(
    written: Mapping[str, Mapping[str, str]],
    names: Collection[str],
    words: Collection[str],
    at: Location,
    place: Callable[[Location], Place],
) -> dict[str, dict[str, Condition]]:
    """The parsed conditions of derived attributes; later ones may refer to earlier ones."""
    if (count := sum(map(len, written.values()))) > MAX_CONDITIONS:
        raise SuiteError.at(place(at), f"attributes: {count:,} conditions; a suite may have {MAX_CONDITIONS}")
    known, values = {*names, "category"}, {*words}
    problems: list[Problem] = []
    result: dict[str, dict[str, Condition]] = {}
    for name, conditions in written.items():
        result[name] = {}
        for value, text in conditions.items():
            if len(problems) >= MOST_PROBLEMS:
                break
            try:
                result[name][value] = read_condition(text, known, values)
            except ConditionError as error:
                problems.append(Problem(place((*at, name, value)), str(error)))
        known.add(name)
        values.update(conditions)
    if problems:
        raise SuiteError(problems)
    return result


def fill_sentence(text: str, words: Mapping[str, str], language: str) -> str:
    """Fills a sentence; in English a/an before a slot is adjusted, and a slot that starts a sentence gets a capital."""
    done: list[str] = []  # beyond the reach of repairs
    filled, last = "", 0
    for match in NAME_IN_BRACES.finditer(text):
        filled += text[last : match.start()]
        last = match.end()
        if match.group(1) is None:  # a doubled brace
            filled += match.group()[0]
            continue
        if len(filled) > 2 * _REACH:
            done.append(filled[:-_REACH])
            filled = filled[-_REACH:]
        word = words[match.group(1)]
        if english.starts_sentence(filled.replace("<", "")):
            word = english.capitalised(word)
        if tags.fits("en", language):
            mark = "<" * filled.endswith("<")  # the focus may open between the article and the slot
            filled = english.with_article(filled.removesuffix("<"), word) + mark
        filled += word
    return "".join([*done, filled, text[last:]])


def attribute_names(slots: SlotTable) -> set[str]:
    """The slots themselves, and the attributes of their values."""
    return {*slots, *(name for values in slots.values() for value in values for name in value.attributes)}


def attribute_values(slots: SlotTable) -> set[str]:
    """Every value that may be a bare word in a condition."""
    values = [value for values in slots.values() for value in values]
    attributes = (attribute for value in values for attribute in value.attributes.values())
    return {value.text for value in values} | {text for text in attributes if isinstance(text, str)}


def _used_slots(texts: Mapping[str, Any], own: SlotTable, at: Location, context: Expansion) -> SlotTable:
    """The slots that the texts of a template name, those of the sentence first."""
    place = context.tree.place
    table = {**context.slots, **own}
    used: dict[str, Any] = {}
    for key in ("source", *_EVIDENCE):
        for location, text in _located(texts.get(key, ()), (*at, key)):
            check_braces(text, table, place(location))
            for name in names_in(text):
                slot, _ = slot_and_attribute(name, table)
                used[slot] = table[slot]
    for name in own:
        if name not in used:
            raise SuiteError.at(
                place((*at, "slots", name)), f"the sentence has no {{{name}}}{did_you_mean(name, used)}"
            )
    return used


def _located(value: Any, at: Location) -> Iterator[tuple[Location, str]]:
    """Every text with its location."""
    if isinstance(value, str):
        yield at, value
    elif isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _located(part, (*at, key))


def _strings(value: Any) -> Iterator[str]:
    return (text for _, text in _located(value, ()))


def _filler(template: Template, language: str) -> Callable[[Mapping[str, str]], Template]:
    """Fills the slots in a template's evidence: sentences are repaired, single words are not."""
    evidence = template.model_dump(include=set(_EVIDENCE), exclude_none=True)
    if not any("{" in text or "}" in text for text in _strings(evidence)):
        return lambda _: template

    def filled(words: Mapping[str, str]) -> Template:
        def word(text: str) -> str:
            return fill(text, words)

        def sentence(tag: str) -> Callable[[str], str]:
            return lambda text: fill_sentence(text, words, tag)

        def sentences(by_language: Mapping[str, Any] | None) -> Any:
            return by_language and {tag: _each(part, sentence(tag)) for tag, part in by_language.items()}

        return template.model_copy(
            update={
                "cues": _each(template.cues, word),
                "sources": _each(template.sources, sentence(language)),
                "targets": sentences(template.targets),
                "lemmas": _each(template.lemmas, word),
                "references": sentences(template.references),
                "fillers": _each(template.fillers, word),
                "triggers": _each(template.triggers, word),
                "names": _each(template.names, word),
                "against": _each(template.against, sentence(language)),
                "must_contain": _each(template.must_contain, word),
                "must_not_contain": _each(template.must_not_contain, word),
            }
        )

    return filled


def _each(sides: Any, change: Callable[[str], str]) -> Any:
    """The same sides, choices, texts, or mapping of these, with every text changed."""
    if sides is None:
        return None
    if isinstance(sides, list):
        return [change(text) for text in sides]
    if isinstance(sides, dict):
        return {key: _each(part, change) for key, part in sides.items()}
    return sides.model_copy(
        update={name: _each(texts, change) for name, texts in sides if name not in ("variants", "unopposed")}
    )


def _check_exceptions(
    template: Template, slots: SlotTable, at: Location, place: Callable[[Location], Place]
) -> None:
    for number, rule in enumerate(template.except_):
        for name, texts in rule.items():
            where = place((*at, "except", number, name))
            if name not in slots:
                raise SuiteError.at(where, f'there is no slot "{name}"{did_you_mean(name, slots)}')
            values = [value.text for value in slots[name]]
            for text in texts:
                if text not in values:
                    raise SuiteError.at(
                        where, f'"{text}" is not a value of {name}{did_you_mean(text, values)}'
                    )
