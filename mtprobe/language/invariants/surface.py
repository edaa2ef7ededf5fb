"""How a text is written: quotation marks, capitals, its last mark, its length."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mtprobe.language.invariants.kind import Change, Item, Kind, Text

_QUOTED = re.compile(
    r"“[^“”]*”|„[^„“”‟\"]*[“”‟\"]|«[^«»]*»|»[^«»]*«|\"[^\"]+\"|‘[^‘’]*’(?!\w)|「[^「」]*」|『[^『』]*』|(?<!\w)'[^']*'(?!\w)|‚[^‚‘]*‘|‹[^‹›]*›"
)
_LONE_MARK = re.compile(r"[“”„«»\"]")
_DASH = re.compile(r"\s*(?:[—–―]|--?\s)")
_STOPS = {"。": ".", "．": ".", "।": ".", "？": "?", "؟": "?", "！": "!", "：": ":", "…": "…", "；": ";"}
_AFTER_END = "\"'”’»)]」』\u00a0 \u202f›“‘"
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
        written = text.text.rstrip(_AFTER_END)
        mark = "..." if written.endswith("...") else written[-1:]
        if not mark or mark[0].isalnum() or mark in ")]}>%":
            return [Item("", len(text.text), frozenset({"none"}), optional=True)]
        value = "…" if mark in ("...", "…") else _STOPS.get(mark, mark)
        if value == ";" and text.language.partition("-")[0] == "el":
            value = "?"
        return [Item(mark, len(written) - len(mark), frozenset({value}))]

    def described(self, lost: Sequence[Item], added: Sequence[Item]) -> list[Change]:
        before, after = (next(iter(items), None) for items in (lost, added))
        if before is None and after is None:
            return []
        if before is None or before.optional:
            return [Change(self.name, "added", after=after.text)] if after else []
        if after is None or after.optional:
            return [Change(self.name, "lost", before.text)]
        return [Change(self.name, "changed", before.text, after.text, (after.start, after.end))]


class Length(Kind):
    name = "length"
    about = "the translation's length in characters, as a share of the source's: between 0.4 and 2.5, or within `length_ratio`"
    always = True

    def __init__(self, least: float = 0.4, most: float = 2.5) -> None:
        self._least, self._most = least, most

    def items(self, text: Text) -> Sequence[Item]:
        return [Item(text.text, 0, frozenset({"text"}))]

    def changes(self, source: Text, target: Text) -> list[Change]:
        before, after = len(source.text.strip()), len(target.text.strip())
        if self._least * before <= after <= self._most * before:
            return []
        return [Change(self.name, "changed", f"{before} characters", f"{after} characters")]
