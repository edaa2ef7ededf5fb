"""Placeholders of programs: those of printf, Python, templates and ICU messages."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from mtprobe.language.invariants.kind import Change, Item, Kind, Text, unmatched

_CONVERSION = r"[-+#0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh?|ll?|[jzt])?[sdifuoxXceEgGp@]"
_SIMPLE = re.compile(
    r"\{\{[^{}]{1,80}\}\}|[$#%]\{[^{}]{1,80}\}|<%=?[^%<>]{1,80}%>"
    r"|%\([\w.]{1,80}\)[-+#0]*\d*(?:\.\d+)?[sdifuxXeEgGr]|%%|%[A-Za-z_]\w{1,40}%(?!\w)"
    # No percentage: *50%discount*.
    rf"|%(?:\d+\$)?{_CONVERSION}(?![^\W_])|(?<!\d)%(?:\d+\$)?[sduif@]"
    r"|\{\s?(?:[\w.\[\]-]{1,80}(?:![rsa])?(?::[^{}\s]{0,20})?)?\s?\}|__[A-Z][A-Z0-9_]*__"
)
_PRINTF = re.compile(rf"%(?:(?P<number>\d+)\$)?(?P<conversion>{_CONVERSION})")
_ARGUMENT = re.compile(r"\{\s*(\w{1,80})\s*,\s*(\w{1,80})\s*(?=[,}])")
_FORM = re.compile(r"\s*(?:offset:\s*\d+\s*)?(=?\w{1,80})\s*\{")
_COUNTS = ("plural", "selectordinal")
_PLURAL_FORMS = frozenset(
    {"zero", "one", "two", "few", "many"}
)  # how many of them there are is the language's business
_DEPTH = 8  # of messages in messages; what is deeper is read as text
_OPEN, _CLOSE = "{", "}"


class Placeholders(Kind):
    name = "placeholders"
    about = "`{name}`, `{{name}}`, `${name}`, `%s`, `%(name)d`, `%name%`, `__NAME__`, and ICU's `{count, plural, …}` by name, type, keywords and inner placeholders"

    def items(self, text: Text) -> Sequence[Item]:
        arguments = _arguments(text.text)
        simple = [
            Item(match[0], match.start(), frozenset({match[0]}))
            for match in _outside(_SIMPLE, text.text, arguments)
        ]
        if not arguments and all(item.text == "%%" for item in simple):
            simple = []  # two signs, and no format
        found = [Item(each.text, each.start, frozenset({each.value})) for each in arguments]
        return sorted([*found, *simple], key=lambda item: item.start)

    def changes(self, source: Text, target: Text) -> list[Change]:
        """A translation may number the arguments of printf to change their order, and cannot change it without numbers."""
        before, after = _unnumbered(self.items(source)), self.items(target)
        lost, added = unmatched(before, [_numbered(item) for item in after])
        if lost or added:
            return self.described(lost, added)
        orders = [[match[0] for match in map(_in_order, items) if match] for items in (before, after)]
        for one, other in zip(*orders, strict=False):
            if one != other:
                return [Change(self.name, "changed", one, other, note="an argument of another type")]
        return []


def _in_order(item: Item) -> re.Match[str] | None:
    """An argument of printf that has no number."""
    match = _PRINTF.fullmatch(item.text)
    return match if match and not match["number"] else None


def _unnumbered(items: Sequence[Item]) -> list[Item]:
    """Arguments of printf may also be called by their number."""
    counted = count(1)
    return [
        replace(item, values=item.values | {(next(counted), item.text[1:])}) if _in_order(item) else item
        for item in items
    ]


def _numbered(item: Item) -> Item:
    match = _PRINTF.fullmatch(item.text)
    if not match or not match["number"]:
        return item
    return replace(item, values=item.values | {(int(match["number"]), match["conversion"])})


class _Icu(NamedTuple):
    """An argument of an ICU message, with everything in it that is no text."""

    text: str
    start: int
    value: Hashable


def _arguments(text: str, depth: int = 0) -> list[_Icu]:
    found: list[_Icu] = []
    end = 0
    for match in _ARGUMENT.finditer(text):
        if match.start() < end or depth > _DEPTH:
            continue  # inside another one
        end = _closing(text, match.start())
        inner = text[match.end() + 1 : max(match.end() + 1, end - 1)]
        style, names = _parsed(match[2], inner, depth)
        found.append(
            _Icu(text[match.start() : end], match.start(), ("icu", match[1], match[2], style, names))
        )
    return found


def _parsed(kind: str, inner: str, depth: int) -> tuple[Hashable, frozenset[Hashable]]:
    """The keywords, except those that differ between languages, and the placeholders of all messages."""
    if kind not in (*_COUNTS, "select"):
        return " ".join(inner.split()), frozenset()
    keywords: set[str] = set()
    names: set[Hashable] = set()
    position = 0
    while form := _FORM.match(inner, position):
        position = _closing(inner, form.end() - 1)
        keywords.add(form[1])
        message = inner[form.end() : position - 1]
        arguments = _arguments(message, depth + 1)
        names |= {each.value for each in arguments}
        names |= {match[0] for match in _outside(_SIMPLE, message, arguments)}
        if kind in _COUNTS and "#" in message:
            names.add("#")
    if kind in _COUNTS:
        keywords = {word for word in keywords - _PLURAL_FORMS if not word.startswith("=")}
    return frozenset(keywords), frozenset(names)


def _outside(pattern: re.Pattern[str], text: str, arguments: Sequence[_Icu]) -> list[re.Match[str]]:
    """The matches outside the arguments, which are in order."""
    matches: list[re.Match[str]] = []
    position = 0
    for argument in (*arguments, _Icu("", len(text), None)):
        matches += pattern.finditer(text, position, argument.start)
        position = argument.start + len(argument.text)
    return matches


def _closing(text: str, start: int) -> int:
    depth = 0
    for position in range(start, len(text)):
        depth += (text[position] == _OPEN) - (text[position] == _CLOSE)
        if depth == 0:
            return position + 1
    return len(text)
