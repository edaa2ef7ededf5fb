"""Merges reasons that differ only in what they quote."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

Item = TypeVar("Item")

_QUOTED = re.compile(r'(")[^"]*(")|(“)[^”]*(”)')
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Group(Generic[Item]):
    """Items that share a reason."""

    reason: str
    items: tuple[Item, ...]


def grouped(items: Iterable[tuple[str, Item]]) -> list[Group[Item]]:
    """Each reason with its items, in the order of the first of each."""
    groups: dict[str, tuple[list[str], list[Item]]] = {}
    for reason, item in items:
        reasons, members = groups.setdefault(_QUOTED.sub(r"\1\3…\2\4", reason), ([], []))
        reasons.append(reason)
        members.append(item)
    return [Group(_joined(shape, reasons), tuple(members)) for shape, (reasons, members) in groups.items()]


def _joined(shape: str, reasons: list[str]) -> str:
    """`no model named "…" ("a", "b", "c", …)`; the reason itself if all are the same."""
    distinct = list(dict.fromkeys(reasons))
    if len(distinct) == 1:
        return distinct[0]
    quotes = list(
        dict.fromkeys(", ".join(match[0] for match in _QUOTED.finditer(reason)) for reason in distinct)
    )
    more = ", …" if len(quotes) > _SHOWN else ""
    return f"{shape} ({', '.join(quotes[:_SHOWN])}{more})"


def listed(names: Iterable[str], most: int = _SHOWN) -> str:
    """`a, b, c and 4 more`, each name once."""
    distinct = list(dict.fromkeys(names))
    more = f" and {len(distinct) - most} more" if len(distinct) > most else ""
    return f"{', '.join(distinct[:most])}{more}"
