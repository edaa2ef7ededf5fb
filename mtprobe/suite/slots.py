"""Slots: their values, from the suite or from files, and every combination of them."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mtprobe.errors import Place, SuiteError, did_you_mean
from mtprobe.suite.files import SuiteFiles
from mtprobe.suite.limits import read_text
from mtprobe.suite.model import Slot, SlotFile, Slots, SlotValues
from mtprobe.suite.problems import validated
from mtprobe.suite.sample import Scalar
from mtprobe.suite.tree import Location, Tree, read_tree

MAX_COMBINATIONS = 200_000

NAME_IN_BRACES = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a slot and what is known of it."""

    text: str
    attributes: Mapping[str, Scalar]


SlotTable = Mapping[str, Sequence[Value]]


def read_slots(
    slots: Slots, categories: Collection[str], files: SuiteFiles, at: Location, tree: Tree
) -> dict[str, tuple[Value, ...]]:
    """Every slot's values; those in files are read. `at` is where the slots stand in the suite."""
    table = {name: _values(slot, files, tree.place((*at, name))) for name, slot in slots.items()}
    for name, values in table.items():
        for value in values:
            category = str(value.attributes.get("category", ""))
            if category and category not in categories:
                where = tree.place((*at, name, value.text, "category"))
                raise SuiteError.at(
                    where, f'category "{category}" is not declared{did_you_mean(category, categories)}'
                )
    return table


def _values(slot: Slot, files: SuiteFiles, place: Place) -> tuple[Value, ...]:
    if not isinstance(slot, SlotFile):
        return tuple(Value(text, attributes or {}) for text, attributes in slot.items())
    path = files.find(slot.file, place)
    if path.suffix in (".yaml", ".yml"):
        values = validated(read_tree(path), SlotValues)
        return tuple(Value(text, attributes or {}) for text, attributes in values.items())
    lines = [line.strip() for line in read_text(path).splitlines()]
    words = [line for line in lines if line and not line.startswith("#")]
    if not words:
        raise SuiteError.at(Place(path, 1), "has no values; a slot's file has one value a line")
    return tuple(Value(word, {}) for word in dict.fromkeys(words))


def slots_in(text: str) -> list[str]:
    """The names in braces, in order."""
    return [found.group(1) for found in NAME_IN_BRACES.finditer(text) if found.group(1) is not None]


def check_braces(text: str, known: SlotTable, place: Place) -> None:
    """Every `{name}` names a slot, and no brace stands alone."""
    for found in NAME_IN_BRACES.finditer(text):
        name = found.group(1)
        if name is not None and name not in known:
            raise SuiteError.at(place, f'there is no slot "{name}"{did_you_mean(name, known)}')
        if name is None and found.group() in "{}":
            raise SuiteError.at(
                place, f"a single {found.group()} in {text!r}; a plain brace is written twice"
            )


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text with every slot filled and doubled braces made single."""

    def one(found: re.Match[str]) -> str:
        name = found.group(1)
        return values[name] if name is not None else found.group()[0]

    return NAME_IN_BRACES.sub(one, text)


def combinations(
    slots: SlotTable, excepted: Sequence[Mapping[str, Sequence[str]]], place: Place
) -> Iterator[dict[str, Value]]:
    """Every combination but the excepted ones and those whose values disagree on an attribute.

    So slots that carry the same attribute go together: `she` (female) with `her` (female), not with `his`.
    """
    count = math.prod(len(values) for values in slots.values())
    if count > MAX_COMBINATIONS:
        raise SuiteError.at(
            place, f"{count:,} combinations of slot values; at most {MAX_COMBINATIONS:,} are written out"
        )
    for values in itertools.product(*slots.values()):
        chosen = dict(zip(slots, values, strict=True))
        if _agree(values) and not any(_matches(chosen, rule) for rule in excepted):
            yield chosen


def _agree(values: Sequence[Value]) -> bool:
    seen: dict[str, Scalar] = {}
    return all(
        seen.setdefault(name, held) == held for value in values for name, held in value.attributes.items()
    )


def _matches(chosen: Mapping[str, Value], rule: Mapping[str, Sequence[str]]) -> bool:
    return all(name in chosen and chosen[name].text in texts for name, texts in rule.items())
