"""Sentences that encode several readings: `[right|wrong]` and `{this|that}`.

Brackets contain what distinguishes a right target from wrong ones, the right one first: `A loja [não|] abre hoje.`
Braces contain what distinguishes the sentences of a schema. Brackets may be inside braces, but not the reverse.
"""

from __future__ import annotations

import re

from mtprobe.errors import Place, SuiteError

_BRACES = re.compile(r"\{([^{}]*)\}")
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_BETWEEN_INSTANCES = re.compile(r"\|(?![^\[\]]*\])")  # not inside brackets
_HOW = {"[": "[right|wrong]", "{": "{one|other}"}


def readings(text: str, place: Place) -> list[str]:
    """The sentence with each alternative of its brackets in turn, the right one first."""
    bracketed = [inside.split("|") for inside in _BRACKETS.findall(text)]
    return _sentences(text, _BRACKETS, bracketed, "[", place)


def instances(text: str, place: Place) -> list[str]:
    """The sentence with each alternative of its braces in turn; brackets stay."""
    return _sentences(text, _BRACES, braced(text), "{", place)


def braced(text: str) -> list[list[str]]:
    """The alternatives of each pair of braces."""
    return [_BETWEEN_INSTANCES.split(inside) for inside in _BRACES.findall(text)]


def _sentences(
    text: str, pattern: re.Pattern[str], alternatives: list[list[str]], sign: str, place: Place
) -> list[str]:
    rest = pattern.sub("", text)
    counts = {len(texts) for texts in alternatives}
    if not counts or min(counts) < 2 or any(mark in rest for mark in {"[": "[]{}", "{": "{}"}[sign]):
        raise SuiteError.at(place, f'write what changes as {_HOW[sign]}, in "{text}"')
    if len(counts) > 1:
        raise SuiteError.at(place, f'has different numbers of alternatives, in "{text}"')
    sentences = [_filled(text, pattern, alternatives, number) for number in range(counts.pop())]
    if not all(sentences):
        raise SuiteError.at(place, f'an alternative leaves nothing of the sentence, in "{text}"')
    return sentences


def _filled(text: str, pattern: re.Pattern[str], alternatives: list[list[str]], number: int) -> str:
    following = iter(alternatives)
    filled = pattern.sub(lambda _: next(following)[number], text)
    return re.sub(" {2,}", " ", filled).strip()
