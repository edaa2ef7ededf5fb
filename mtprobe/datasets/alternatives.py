"""Sentences that are written once for all of their readings: `[right|wrong]` and `{this|that}`.

Brackets hold what tells a right target from wrong ones, the right one first: `A loja [não|] abre hoje.` Braces
hold what tells the sentences of a schema apart. Brackets may stand inside of braces, not the other way round.
"""

from __future__ import annotations

import re

from mtprobe.errors import Place, SuiteError

_BRACES = re.compile(r"\{([^{}]*)\}")
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_BETWEEN_INSTANCES = re.compile(r"\|(?![^\[\]]*\])")  # not one inside of brackets
_HOW = {"[": "[right|wrong]", "{": "{one|other}"}


def readings(text: str, place: Place) -> list[str]:
    """The sentence with each alternative of its brackets in turn, the right one first."""
    found = [held.split("|") for held in _BRACKETS.findall(text)]
    return _chosen(text, _BRACKETS, found, "[", place)


def instances(text: str, place: Place) -> list[str]:
    """The sentence with each alternative of its braces in turn; brackets stay."""
    return _chosen(text, _BRACES, braced(text), "{", place)


def braced(text: str) -> list[list[str]]:
    """The alternatives of each pair of braces."""
    return [_BETWEEN_INSTANCES.split(held) for held in _BRACES.findall(text)]


def _chosen(
    text: str, pattern: re.Pattern[str], found: list[list[str]], sign: str, place: Place
) -> list[str]:
    rest = pattern.sub("", text)
    counts = {len(alternatives) for alternatives in found}
    if not found or min(counts) < 2 or any(mark in rest for mark in {"[": "[]{}", "{": "{}"}[sign]):
        raise SuiteError.at(place, f'write what changes as {_HOW[sign]}, in "{text}"')
    if len(counts) > 1:
        raise SuiteError.at(place, f'has different numbers of alternatives, in "{text}"')
    made = [_joined(text, pattern, found, number) for number in range(counts.pop())]
    if not all(made):
        raise SuiteError.at(place, f'an alternative leaves nothing of the sentence, in "{text}"')
    return made


def _joined(text: str, pattern: re.Pattern[str], found: list[list[str]], number: int) -> str:
    held = iter(found)
    put = pattern.sub(lambda _: next(held)[number], text)
    return re.sub(" {2,}", " ", put).strip()
