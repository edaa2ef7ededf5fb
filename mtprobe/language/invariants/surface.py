"""The form of a text: quotation marks, capitals, the final mark, length."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mtprobe.language.invariants.kind import Change, Item, Kind, Text

_LETTER = r"[^\W\u3000-\ud7af]"  # Japanese writes quotation marks without spaces around them
_QUOTED = re.compile(
    rf"“[^“”]*”|„[^„“”‟\"]*[“”‟\"]|«[^«»]*»|»[^«»]*«|\"[^\"]+\"|‘[^‘’]*’(?!\w)|「[^「」]*」|『[^『』]*』|(?<!{_LETTER})'[^']*'(?!{_LETTER})|`[^`'\n]*'(?!{_LETTER})|‚[^‚‘]*‘|‹[^‹›]*›"
)
_LONE_MARK = re.compile(r"[“”„«»\"]")
_DASH = re.compile(r"\s*(?:[—–―]|--?\s)")
_STOPS = {
    "。": ".",
    "．": ".",
    "।": ".",
    "？": "?",
    "؟": "?",
    "！": "!",
    "：": ":",
    "…": "…",
    "；": ";",
    "։": ".",
    "።": ".",
    "۔": ".",
    "॥": ".",
}
_EMOJI_AT_END = re.compile(
    "(?<![\\s\u200d\ufe0f\u2600-\u27bf\U0001f000-\U0001faff])[\\s\u200d\ufe0f\u2600-\u27bf\U0001f000-\U0001faff]+$"
)
_SENTENCE_MARKS = frozenset(".…?!:;,、،-–—") | _STOPS.keys()
_MARKS = re.compile(r"\.\.\.|[^\s]")
_LAST_MARKS = re.compile(r"\.\.\.$|[?!？！؟]+$|…+$")
_QUOTED_MARK = re.compile(r"([?!？！؟…])[\"'”’»」』)]{1,3}[.。।]$")
_IS_ASKED = re.compile(  # with or without a question mark
    r"(?:can|could|would|will|do|does|did|are|is|have|has|may|shall|should|what|where|when|why|who|how)\b",
    re.IGNORECASE,
)
_UNSTOPPED = ("km", "lo", "my", "th")  # sentences end with a space
_AFTER_END = "\"'”’»)]」』\u00a0 \u202f›“‘"
_HAN = re.compile("[\u3400-\u9fff]")
_SYLLABLES = re.compile("[\u3041-\u30ff\uac00-\ud7af]")
CAPITALS = "ALL CAPITALS"
_CAPITALS = 0.9  # of the letters: a name in the middle may keep its own


class Quotes(Kind):
    name = "quotes"
    about = "the number of quoted passages, in whatever quotation marks the language uses"
    always = True

    def items(self, text: Text) -> Sequence[Item]:
        """A passage that goes on after *she said* may be one with what came before."""
        return [
            Item(
                match[0],
                match.start(),
                frozenset({"quoted"}),
                optional=number > 0 and match[0][1:2].islower(),
            )
            for number, match in enumerate(_QUOTED.finditer(text.text))
        ]

    def changes(self, source: Text, target: Text) -> list[Change]:
        """Neither a source with a mark that has no partner nor a dialogue with dashes says how many passages are quoted."""
        unclear = _LONE_MARK.search(_QUOTED.sub("", source.text)) or _DASH.match(target.text)
        return [] if unclear else super().changes(source, target)


class Casing(Kind):
    name = "casing"
    about = "a text in capitals stays in capitals, and no other text becomes one"
    always = True

    def items(self, text: Text) -> Sequence[Item]:
        return [Item(text.text, 0, frozenset({"capitals"}))] if _in_capitals(text.text) else []

    def changes(self, source: Text, target: Text) -> list[Change]:
        """Most scripts have no capitals."""
        letters = [letter for letter in target.text if letter.isalpha()]
        cased = sum(letter.lower() != letter.upper() for letter in letters)
        return super().changes(source, target) if 2 * cased > len(letters) else []

    def described(self, lost: Sequence[Item], added: Sequence[Item]) -> list[Change]:
        if lost:
            return [Change(self.name, "lost", CAPITALS)]
        return [Change(self.name, "added", after=CAPITALS)] if added else []


def _in_capitals(text: str) -> bool:
    letters = [letter for letter in text if letter.lower() != letter.upper()]
    return len(letters) > 3 and sum(letter.isupper() for letter in letters) >= _CAPITALS * len(letters)


class Punctuation(Kind):
    name = "punctuation"
    about = "the mark at the end: a question stays a question"
    always = True

    def items(self, text: Text) -> Sequence[Item]:
        language = text.language.partition("-")[0]
        written = _EMOJI_AT_END.sub("", text.text.rstrip()).rstrip().rstrip(_AFTER_END)
        mark = _LAST_MARKS.search(written)
        written_mark = mark[0] if mark else written[-1:]
        if written_mark[:1] not in _SENTENCE_MARKS or not written_mark:
            return [Item("", len(text.text), frozenset({"none"}), optional=True)]
        values = {_value(each, language) for each in _MARKS.findall(written_mark)}
        if stopped := _QUOTED_MARK.search(written):  # «¿Por qué?».
            values |= {_value(each, language) for each in _MARKS.findall(stopped[1])}
        if language == "ja" and written.endswith("か。"):
            values.add("?")
        if language in _UNSTOPPED:
            return [
                Item(
                    written_mark,
                    len(written) - len(written_mark),
                    frozenset(values),
                    optional=values == {"."},
                )
            ]
        return [Item(written_mark, len(written) - len(written_mark), frozenset(values))]

    def changes(self, source: Text, target: Text) -> list[Change]:
        if target.language.partition("-")[0] in _UNSTOPPED and any(
            "." in item.values for item in self.items(source)
        ):
            return []
        changes = super().changes(source, target)
        if source.language.partition("-")[0] == "en" and _IS_ASKED.match(source.text):
            return [change for change in changes if change.what != "added" or change.after != "?"]
        return changes

    def described(self, lost: Sequence[Item], added: Sequence[Item]) -> list[Change]:
        before, after = (next(iter(items), None) for items in (lost, added))
        if before is None and after is None:
            return []
        if before is None or before.optional:
            return [Change(self.name, "added", after=after.text)] if after else []
        if after is None or after.optional:
            return [Change(self.name, "lost", before.text)]
        return [Change(self.name, "changed", before.text, after.text, (after.start, after.end))]


def _value(mark: str, language: str) -> str:
    if mark in ("...", "…"):
        return "…"
    value = _STOPS.get(mark, mark)
    return "?" if value == ";" and language == "el" else value


class Length(Kind):
    name = "length"
    about = "the translation's length in characters, as a share of the source's: between 0.4 and 2.5 (in single words up to 25 characters), or within `length_ratio`; a Han character counts as three, kana and hangul as two"
    always = True

    def __init__(self, least: float = 0.4, most: float = 2.5, short: int = 0) -> None:
        """Texts of up to `short` characters may become longer."""
        self._least, self._most, self._short = least, most, short

    def items(self, text: Text) -> Sequence[Item]:
        return [Item(text.text, 0, frozenset({"text"}))]

    def changes(self, source: Text, target: Text) -> list[Change]:
        lengths = len(source.text.strip()), len(target.text.strip())
        before, after = _extent(source.text), _extent(target.text)
        few = before <= self._short and after <= self._most * self._short
        if self._least * before <= after <= self._most * before or few:
            return []
        return [Change(self.name, "changed", f"{lengths[0]} characters", f"{lengths[1]} characters")]


def _extent(text: str) -> int:
    """The length of a text; a Chinese or Japanese character counts as several letters."""
    text = text.strip()
    return len(text) + 2 * len(_HAN.findall(text)) + len(_SYLLABLES.findall(text))
