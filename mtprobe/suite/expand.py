"""Templates → samples: every combination of slot values, filled in and repaired."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mtprobe.errors import Place, Problem, SuiteError, did_you_mean
from mtprobe.language import tags
from mtprobe.suite import english
from mtprobe.suite.build import Declared, build_sample, slug
from mtprobe.suite.conditions import Condition, ConditionError, read_condition
from mtprobe.suite.model import Template
from mtprobe.suite.sample import Sample, Scalar
from mtprobe.suite.slots import SlotTable, Value, check_braces, combinations, fill, slots_in
from mtprobe.suite.tree import Location, Tree


@dataclass(frozen=True, slots=True)
class Expansion:
    """What all templates of a suite share."""

    declared: Declared
    slots: SlotTable  # those of the suite
    language: str
    tree: Tree


def expand_template(template: Template, own: SlotTable, at: Location, context: Expansion) -> Iterator[Sample]:
    """The samples of the template at location `at`, whose own slots are `own`."""
    place = context.tree.place
    table = {**context.slots, **own}
    texts = template.model_dump(include={"source", "cues", "sources", "targets", "lemmas"}, exclude_none=True)
    for text in _strings(texts):
        check_braces(text, table, place((*at, "source")))
    used = {
        name: table[name]
        for name in dict.fromkeys(name for text in _strings(texts) for name in slots_in(text))
    }
    for name in own:
        if name not in used:
            raise SuiteError.at(
                place((*at, "slots", name)), f"the sentence has no {{{name}}}{did_you_mean(name, used)}"
            )
    _check_exceptions(template, used, at, place)
    fixed = {name: value for name, value in template.attributes.items() if not isinstance(value, Mapping)}
    derived = read_derived(
        {name: value for name, value in template.attributes.items() if isinstance(value, Mapping)},
        {*fixed, *used, *context.declared.derived, *_attribute_names(used)},
        _words(used, context.declared),
        (*at, "attributes"),
        place,
    )
    focus_slot = _slot_in_focus(template.source)
    prefix = template.id or slug(fill(template.source, dict.fromkeys(used, " ")))
    count = 0
    for chosen in combinations(used, template.except_, place(at)):
        count += 1
        held: dict[str, Scalar] = dict(fixed)
        for name, value in chosen.items():
            held[name] = value.text
            held.update(value.attributes)
        category = held.pop("category", None)
        words = {name: value.text for name, value in chosen.items()}
        yield build_sample(
            context.declared,
            _filled(template, words),
            written=fill_sentence(template.source, words, context.language),
            id="/".join([prefix, *(["-".join(slug(word) for word in words.values())] if words else [])]),
            place=place(at),
            category=None if category is None else str(category),
            attributes=held,
            derived=derived,
            cluster=chosen[focus_slot].text if focus_slot else None,
        )
    if not count:
        raise SuiteError.at(
            place(at), "no combination of slot values is left; look at `except` and at categories"
        )


def read_derived(
    written: Mapping[str, Mapping[str, str]],
    names: Collection[str],
    words: Collection[str],
    at: Location,
    place: Callable[[Location], Place],
) -> dict[str, dict[str, Condition]]:
    """The conditions of derived attributes, read; later ones may name earlier ones."""
    known, problems = {*names, "category"}, []
    result: dict[str, dict[str, Condition]] = {}
    for name, conditions in written.items():
        result[name] = {}
        for value, text in conditions.items():
            try:
                result[name][value] = read_condition(text, known, words)
            except ConditionError as error:
                problems.append(Problem(place((*at, name, value)), str(error)))
        known.add(name)
    if problems:
        raise SuiteError(problems)
    return result


def fill_sentence(text: str, words: Mapping[str, str], language: str) -> str:
    """Fills a sentence; in English a/an before a slot is made to fit, and a slot that opens it gets a capital."""
    filled = ""
    last = 0
    for start, end, name in _slot_spans(text):
        before = filled + text[last:start]
        word = words[name]
        plain = before.replace("<", "")
        if english.starts_sentence(plain):
            word = english.capitalised(word)
        if tags.fits("en", language):
            before = _with_article(before, word)
        filled, last = before + word, end
    return (filled + text[last:]).replace("{{", "{").replace("}}", "}")


def _with_article(before: str, word: str) -> str:
    """Repairs an article that stands before the slot, also when the focus opens between them."""
    head, mark = (before[:-1], "<") if before.endswith("<") else (before, "")
    return english.join(head, word)[: -len(word)] + mark if word else before


def _slot_spans(text: str) -> Iterator[tuple[int, int, str]]:
    at = 0
    for name in slots_in(text):
        start = text.index("{" + name + "}", at)
        at = start + len(name) + 2
        yield start, at, name


def _slot_in_focus(source: str) -> str | None:
    opened, closed = source.find("<"), source.find(">")
    inside = slots_in(source[opened:closed]) if 0 <= opened < closed else []
    return inside[0] if inside else None


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    else:
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def _filled(template: Template, words: Mapping[str, str]) -> Template:
    """The template with its evidence filled in; a template without slots there is returned as it is."""
    evidence = template.model_dump(include={"cues", "sources", "targets", "lemmas"}, exclude_none=True)
    if not any("{" in text for text in _strings(evidence)):
        return template

    def filled(value: Any) -> Any:
        if isinstance(value, str):
            return fill(value, words)
        if isinstance(value, dict):
            return {key: filled(part) for key, part in value.items()}
        return [filled(part) for part in value]

    return Template.model_validate({"source": template.source, **filled(evidence)})


def _attribute_names(slots: SlotTable) -> set[str]:
    return {name for values in slots.values() for value in values for name in value.attributes}


def _words(slots: SlotTable, declared: Declared) -> set[str]:
    """Every value that a bare word in a condition may stand for."""
    held = {value for values in slots.values() for one in values for value in _all_values(one)}
    return {*held, *(declared.categories or ())}


def _all_values(value: Value) -> Iterator[str]:
    yield value.text
    for held in value.attributes.values():
        if isinstance(held, str):
            yield held


def _check_exceptions(
    template: Template, slots: SlotTable, at: Location, place: Callable[[Location], Place]
) -> None:
    for number, rule in enumerate(template.except_):
        for name, texts in rule.items():
            where = place((*at, "except", number, name))
            if name not in slots:
                raise SuiteError.at(where, f'there is no slot "{name}"{did_you_mean(name, slots)}')
            known = [value.text for value in slots[name]]
            for text in texts:
                if text not in known:
                    raise SuiteError.at(where, f'"{text}" is no value of {name}{did_you_mean(text, known)}')
