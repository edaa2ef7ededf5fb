"""Detects slips of keyboards and word processors that YAML accepts or reports in unhelpful words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

_LONGEST = 400  # characters of a line that are examined

# Spaces and invisible characters that look like a space, or like nothing, and are text to YAML.
_ODD = "\u00a0\u1680\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff"
_ODD_SPACE = re.compile(f"[{_ODD}]")
_KEY_AND_VALUE = re.compile(r"(?P<key>[^\W\d][\w-]*):(?P<value>[^\s:/].*|[\u00a0\u202f].*)")

TYPOGRAPHIC_QUOTES = "“”„‟‘’‚‛«»‹›″＂"
_QUOTED = re.compile(rf"[{TYPOGRAPHIC_QUOTES}](?P<text>[^{TYPOGRAPHIC_QUOTES}]*)[{TYPOGRAPHIC_QUOTES}]")

# Keys whose texts are sentences, which may be quotations.
_SENTENCES = frozenset({"source", "sources", "targets", "references", "context", "about", "audit", "reason"})


def syntax_slip(text: str, line: int) -> tuple[int, int, str] | None:
    """The slip that explains a syntax error in this line: its line, its column, and what is wrong. None if there is none.

    The parser often complains a line or two after the slip.
    """
    lines = text.split("\n")
    above = [number for number in range(min(line, len(lines)), 0, -1) if lines[number - 1].strip()]
    for distance, number in enumerate(above[: max(slip.reach for slip in _SLIPS) + 1]):
        written = lines[number - 1][:_LONGEST]
        for slip in _SLIPS:
            if distance <= slip.reach and (match := slip.pattern.search(written)):
                return number, match.start("here") + 1, slip.say(match)
    return None


@dataclass(frozen=True, slots=True)
class _Slip:
    pattern: re.Pattern[str]  # of a line; its group `here` is the place
    reach: int  # lines between the slip and the parser's error, at most
    say: Callable[[re.Match[str]], str]


def _space_after(sign: str) -> Callable[[re.Match[str]], str]:
    return lambda match: f"{named_character(match['here'])} after the {sign}; YAML needs a plain space"


_DASHES = r"^ *(?:- +)*"
_SLIPS = (
    _Slip(
        re.compile(rf"^[ \t]*(?:-[ \t]+)*(?P<here>[{_ODD}])"),
        3,
        lambda match: f"{named_character(match['here'])} in the indentation; YAML needs plain spaces",
    ),
    _Slip(re.compile(rf"{_DASHES}-(?P<here>[{_ODD}\t])"), 3, _space_after("dash")),
    _Slip(re.compile(rf"{_DASHES}[\w-]+[{_ODD}]*:(?P<here>[{_ODD}])"), 3, _space_after("colon")),
    _Slip(
        re.compile(r"^ *(?P<here>[‐‑‒–—−•])\s"),
        2,
        lambda match: (
            f'{named_character(match["here"])} is not a dash in YAML; begin items of a list with "- "'
        ),
    ),
    _Slip(
        re.compile(r"^ *-(?P<here>[^\W\d][\w-]*:(?:\s.*)?)$"),
        1,
        lambda match: f'a space is missing after the dash: "- {match["here"].strip()}"',
    ),
    _Slip(
        re.compile(rf"{_DASHES}(?P<key>[^\W\d][\w-]*):(?P<here>[^\s:/].*)$"),
        1,
        lambda match: f'a space is missing after the colon: "{match["key"]}: {match["here"].strip()}"',
    ),
    _Slip(
        re.compile(rf"{_DASHES}(?:[\w-]+: +)?(?P<here>[{TYPOGRAPHIC_QUOTES}])"),
        0,
        lambda match: f"{match['here']} is not a quote in YAML; put the text between \"…\" or '…'",
    ),
)


def missing_space_in_flow(key: str) -> str | None:
    """The message about a key without a value, `{rank:1}`; None if it is not such a slip."""
    match = _KEY_AND_VALUE.fullmatch(key)
    if match is None:
        return None
    value = _ODD_SPACE.sub("", match["value"]).strip()
    return f'a space is missing after the colon: "{match["key"]}: {value}"'


def odd_edge(text: str) -> str | None:
    """The message about text without quotes that begins or ends with a space which is not one to YAML."""
    for character, where in ((text[:1], "begins"), (text[-1:], "ends")):
        if character and _ODD_SPACE.match(character):
            plain = text.strip(" \t" + "".join(_ODD_SPACE.findall(text)))
            return f'"{plain}" {where} with {named_character(character)}; remove it or type a plain space'
    return None


def typographic_quotes(text: str, location: tuple[str | int, ...] = ()) -> str | None:
    """The message about text in “…” where no quotation can be meant; `location` is that of the text."""
    match = _QUOTED.fullmatch(text)
    if match is None or not _SENTENCES.isdisjoint(location):
        return None
    return (
        f'{text[0]}…{text[-1]} are not quotes in YAML; write "{match["text"]}", '
        f'or "{text}" if they are part of the text'
    )


def named_character(character: str) -> str:
    """`a non-breaking space (U+00A0)`."""
    if character == "\t":
        return "a tab"
    name = {"\u00a0": "non-breaking space", "\ufeff": "zero-width space"}.get(character)
    name = name or unicodedata.name(character, "invisible character").lower()
    return f"a{'n' if name[0] in 'aeiou' else ''} {name} (U+{ord(character):04X})"
