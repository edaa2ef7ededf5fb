"""Names: written as in the source, without additions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from mtprobe.language.invariants.kind import Change, Item, Kind, Text

_BESIDE = re.compile(r"\s?[(\[][^()\[\]]{1,80}[)\]]")

_TYPEWRITER = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "‑": "-", "‐": "-", "\u00a0": " ", "\u202f": " "})
_GENITIVE = ("da", "de", "nb", "nl", "nn", "no", "sv")  # Toms Haus


class Names(Kind):
    """The names are given, since nothing tells a name from any other word in all languages."""

    name = "names"
    about = "the `names` of the sample, or its focus: as they are written, with no explanation in brackets after them"
    adds = False

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._names = tuple(map(_plain, names))

    def items(self, text: Text) -> Sequence[Item]:
        plain = _plain(text.text)
        genitive = "s?" if text.language.partition("-")[0] in _GENITIVE else ""
        return [
            Item(match[1], match.start(), frozenset({name}))
            for name in self._names
            for match in re.finditer(
                rf"(?<!\w)({re.escape(name).replace(chr(92) + ' ', ' {1,2}')}){genitive}(?!\w)", plain
            )
        ]

    def changes(self, source: Text, target: Text) -> list[Change]:
        changes = super().changes(source, target)
        composed = _plain(target.text)
        explained = {item.text for item in self.items(source) if _beside(_plain(source.text), item)}
        for item in self.items(target):
            beside = _beside(composed, item)
            if beside and item.text not in explained:
                after = f"{item.text}{beside}"
                changes.append(
                    Change(self.name, "changed", item.text, after, (item.start, item.start + len(after)))
                )
        return changes


def _plain(text: str) -> str:
    """Composed, with the apostrophes, hyphens and spaces of a typewriter: *O’Brien* is *O'Brien*."""
    return unicodedata.normalize("NFC", text).translate(_TYPEWRITER)


def _beside(text: str, item: Item) -> str:
    match = _BESIDE.match(text, item.end)
    return match[0] if match else ""
