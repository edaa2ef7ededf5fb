"""Slots: their values, from the suite or from files, and every combination of them."""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mtprobe.errors import Place, SuiteError, did_you_mean
from mtprobe.suite.format.template import SlotFile, Slots, SlotValues
from mtprobe.suite.parsing.files import SuiteFiles
from mtprobe.suite.parsing.limits import read_text
from mtprobe.suite.parsing.problems import validated
from mtprobe.suite.parsing.tree import Location, Tree, read_tree
from mtprobe.suite.sample import Scalar
from mtprobe.suite.samples.build import undeclared

MAX_COMBINATIONS = 200_000  # of all templates of a suite
MAX_CHARACTERS = 50_000_000  # of all of their texts
MAX_CHECKS = 5_000_000  # of combinations against exceptions and conditions

NAME_IN_BRACES = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a slot with its attributes."""

    text: str
    attributes: Mapping[str, Scalar]


SlotTable = Mapping[str, Sequence[Value]]


def read_slots(
    slots: Slots, categories: Collection[str], files: SuiteFiles, at: Location, tree: Tree
) -> dict[str, tuple[Value, ...]]:
    """Every slot's values; those in files are read. `at` is their location in the suite."""
    read = functools.cache(_read)  # several slots may name one file
    table = {
        name: read(files.find(slot.file, tree.place((*at, name))))
        if isinstance(slot, SlotFile)
        else _values(slot)
        for name, slot in slots.items()
    }
    for name, values in table.items():
        for value in values:
            category = str(value.attributes.get("category", ""))
            if category and category not in categories:
                where = tree.place((*at, name, value.text, "category"))
                raise SuiteError.at(where, undeclared(category, categories))
    return table


def _values(written: SlotValues) -> tuple[Value, ...]:
    return tuple(Value(text, attributes or {}) for text, attributes in written.items())


def _read(path: Path) -> tuple[Value, ...]:
    if path.suffix in (".yaml", ".yml"):
        return _values(validated(read_tree(path), SlotValues))
    lines = [line.strip() for line in read_text(path).splitlines()]
    words = [line for line in lines if line and not line.startswith("#")]
    if not words:
        raise SuiteError.at(Place(path, 1), "has no values; a slot's file has one value per line")
    return tuple(Value(word, {}) for word in dict.fromkeys(words))


def names_in(text: str) -> list[str]:
    """The names in braces, in order: slots (`job`), and attributes of their values (`job.feminine`)."""
    return [match.group(1) for match in NAME_IN_BRACES.finditer(text) if match.group(1) is not None]


def slot_and_attribute(name: str, slots: Container[str]) -> tuple[str, str]:
    """The slot that a name in braces belongs to, and the attribute, if it names one. Both may have dots in their names."""
    if name in slots:
        return name, ""
    parts = name.split(".")
    splits = [(".".join(parts[:count]), ".".join(parts[count:])) for count in range(len(parts) - 1, 0, -1)]
    return next((split for split in splits if split[0] in slots), (parts[0], ""))


def check_braces(text: str, slots: SlotTable, place: Place) -> None:
    """Checks that every `{name}` names a slot, or an attribute of all of its values, and that no brace is single."""
    for match in NAME_IN_BRACES.finditer(text):
        name = match.group(1)
        if name is None and match.group() in "{}":
            raise SuiteError.at(
                place, f"a single {match.group()} in {text!r}; a literal brace is written twice"
            )
        if name is None or name in slots:
            continue
        slot, attribute = slot_and_attribute(name, slots)
        if slot not in slots:
            raise SuiteError.at(place, f'there is no slot "{slot}"{did_you_mean(slot, slots)}')
        _check_attribute(slot, attribute, slots[slot], place)


def _check_attribute(slot: str, attribute: str, values: Sequence[Value], place: Place) -> None:
    lacking = [value.text for value in values if attribute not in value.attributes]
    if len(lacking) == len(values):
        known = dict.fromkeys(name for value in values for name in value.attributes)
        hint = did_you_mean(attribute, known) or "; its values have no attributes"
        raise SuiteError.at(place, f'no value of the slot "{slot}" has the attribute "{attribute}"{hint}')
    if lacking:
        more = f" (and {len(lacking) - 1} more values)" if len(lacking) > 1 else ""
        raise SuiteError.at(
            place, f'{{{slot}.{attribute}}}: the value "{lacking[0]}"{more} has no attribute "{attribute}"'
        )


def texts_of(chosen: Mapping[str, Value]) -> dict[str, str]:
    """The replacement of every name in braces: the chosen values, and their attributes as `slot.attribute`."""
    texts = {
        f"{slot}.{name}": _as_text(attribute)
        for slot, value in chosen.items()
        for name, attribute in value.attributes.items()
    }
    return texts | {slot: value.text for slot, value in chosen.items()}


def _as_text(attribute: Scalar) -> str:
    """As written in YAML."""
    return str(attribute).lower() if isinstance(attribute, bool) else str(attribute)


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text with every slot filled and doubled braces made single."""

    def replacement(match: re.Match[str]) -> str:
        name = match.group(1)
        return values[name] if name is not None else match.group()[0]

    return NAME_IN_BRACES.sub(replacement, text)


@dataclass(slots=True)
class Room:
    """How much more the templates of a suite may expand to: checked before anything is expanded."""

    combinations: int = MAX_COMBINATIONS
    characters: int = MAX_CHARACTERS
    checks: int = MAX_CHECKS
    exceeded: bool = False

    def take(self, slots: SlotTable, texts: Sequence[str], checks: int, place: Place) -> None:
        """Takes room for every combination of the slots in these texts, each checked `checks` times; or an error."""
        count = math.prod(len(values) for values in slots.values())
        longest: dict[str, int] = {}
        for name, values in slots.items():
            for value in values:
                for written, filled in texts_of({name: value}).items():
                    longest[written] = max(longest.get(written, 0), len(filled))
        length = sum(len(text) + sum(longest[name] for name in names_in(text)) for text in texts)
        for needed, left, unit, limit in (
            (count, self.combinations, "combinations of slot values", MAX_COMBINATIONS),
            (count * length, self.characters, "characters with every combination filled in", MAX_CHARACTERS),
            (count * checks, self.checks, "checks of combinations by `except` and `attributes`", MAX_CHECKS),
        ):
            if needed > left:
                self.exceeded = True
                so_far = f", after {limit - left:,} of earlier templates" if left < limit else ""
                raise SuiteError.at(
                    place,
                    f"{_counted(needed)} {unit}{so_far}; a suite may have at most {limit:,}: use fewer slots or "
                    "values, or a JSON Lines file that the suite names with `data:`",
                )
        self.combinations -= count
        self.characters -= count * length
        self.checks -= count * checks


def _counted(number: int) -> str:
    return f"{number:,}" if number < 10**15 else f"more than 10^{len(str(number)) - 1}"


def combinations(
    slots: SlotTable, excepted: Sequence[Mapping[str, Sequence[str]]]
) -> Iterator[dict[str, Value]]:
    """Every combination except the excluded ones and those whose values disagree on an attribute.

    So slots with the same attribute go together: `she` (female) with `her` (female), not with `his`.
    """
    rules = [{name: frozenset(texts) for name, texts in rule.items()} for rule in excepted]
    for values in itertools.product(*slots.values()):
        chosen = dict(zip(slots, values, strict=True))
        if _agree(values) and not any(_matches(chosen, rule) for rule in rules):
            yield chosen


def _agree(values: Sequence[Value]) -> bool:
    seen: dict[str, Scalar] = {}
    return all(
        seen.setdefault(name, item) == item for value in values for name, item in value.attributes.items()
    )


def _matches(chosen: Mapping[str, Value], rule: Mapping[str, Collection[str]]) -> bool:
    return all(name in chosen and chosen[name].text in texts for name, texts in rule.items())
