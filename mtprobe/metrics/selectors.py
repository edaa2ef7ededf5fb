"""The brackets after a gate's metric, checked against the suite."""

from __future__ import annotations

from dataclasses import dataclass

from mtprobe.errors import did_you_mean
from mtprobe.methods.verdict import Result
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.intervals import Mask
from mtprobe.suite.sample import Sample, Suite


class SelectorError(ValueError):
    """Invalid brackets for the metric or the suite."""


@dataclass(frozen=True, slots=True)
class Selector:
    """The samples that a metric covers: a category, attribute values, an attribute to group by, a choice."""

    category: str | None = None
    attributes: tuple[tuple[str, str], ...] = ()
    over: str | None = None  # gap[stereotype], bias[gender], group_error[pos]
    choice: str | None = None  # chosen[male]

    def __str__(self) -> str:
        """As written in a gate, with brackets."""
        names = [name for name in (self.choice, self.category, self.over) if name is not None]
        parts = [*names, *(f"{name}={value}" for name, value in self.attributes)]
        return f"[{', '.join(parts)}]" if parts else ""

    def concerns(self, result: Result | Sample) -> bool:
        """Whether a sample is of the category and has the attribute values, compared as text."""
        return (self.category is None or result.category == self.category) and all(
            str(result.attributes.get(name)) == value for name, value in self.attributes
        )

    def mask(self, tally: Tally) -> Mask:
        """The samples that it concerns."""
        return tally.column(self, self.concerns, bool).copy()  # callers may change theirs


@dataclass(frozen=True, slots=True)
class Brackets:
    """The text in brackets, split into bare names and attributes with their values."""

    text: str | None  # None without brackets
    names: tuple[str, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()


def split_brackets(text: str | None) -> Brackets:
    """`female, pos=noun` has one name and one attribute."""
    names, attributes = [], []
    for part in text.split(",") if text is not None else ():
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if equals:
            attributes.append((name, value))
        else:
            names.append(name)
    return Brackets(text, tuple(names), tuple(attributes))


def check_attributes(brackets: Brackets, suite: Suite) -> None:
    """Each attribute exists, and a sample has the value."""
    for name, value in brackets.attributes:
        check_attribute(name, suite)
        values = sorted(str(scalar) for scalar in suite.attributes[name])
        if value not in values:
            raise SelectorError(f'no sample has {name} "{value}"{did_you_mean(value, values)}')


def check_attribute(name: str, suite: Suite) -> None:
    """A sample of the suite has the attribute."""
    if name not in suite.attributes:
        raise SelectorError(f'there is no attribute "{name}"{did_you_mean(name, suite.attributes)}')


def choice_example(suite: Suite) -> str:
    """A gate on a choice that the suite offers."""
    return f"chosen[{suite.choices[0]}]"


def answered_only(suite: Suite) -> str:
    """Completes `categories` in a message where some categories are open."""
    return " in which an answer is right" if suite.open else ""
