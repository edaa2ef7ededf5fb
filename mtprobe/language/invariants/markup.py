"""Tags of markup: all of them, balanced, in the same order."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mtprobe.language.invariants.kind import Change, Item, Kind, Text

_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[A-Za-z][\w:.-]{0,40}|\d{1,3})(?P<attributes>(?:\s[^<>]{0,1000})?)(?P<empty>/?)>"
)

# HTML's attributes that a reader sees.
_TRANSLATED = re.compile(
    r"""(?<![\w-])(alt|title|placeholder|label|summary|aria-label|aria-description)\s*=\s*("[^"]*"|'[^']*')""",
    re.IGNORECASE,
)


def _attributes(written: str) -> str:
    return " ".join(_TRANSLATED.sub(r"\1=", written).split())


class Tags(Kind):
    name = "tags"
    about = "tags of HTML and XML with their attributes, balanced and in the same order; what a reader sees of them (`alt`, `title`, …) may be translated"

    def items(self, text: Text) -> Sequence[Item]:
        return [
            Item(
                match[0],
                match.start(),
                frozenset({(match["end"], match["name"], _attributes(match["attributes"]), match["empty"])}),
            )
            for match in _TAG.finditer(text.text)
        ]

    def changes(self, source: Text, target: Text) -> list[Change]:
        if changes := super().changes(source, target):
            return changes
        before, after = self.items(source), self.items(target)
        for one, other in zip(before, after, strict=True):
            if one.values != other.values:
                return [Change(self.name, "changed", one.text, other.text, (other.start, other.end))]
        return []
