"""Tags of markup: all of them, balanced, in the same order."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mtprobe.language.invariants.kind import Change, Item, Kind, Text

_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[A-Za-z][\w:.-]{0,40}|\d{1,3})(?P<attributes>(?:\s[^<>]{0,1000}|/)?)>"
)

# HTML's elements that may stand alone in a segment; <link> or <address> may just as well be a word to fill in.
_HTML = (
    "a abbr b bdi bdo big blockquote body br button center cite col dd dfn div dl dt em embed figure font form h1 h2 h3 h4 h5 h6 hr "
    "html i iframe img input ins kbd li nav ol p pre q s samp small span strike strong style sub sup svg tbody td th thead tr tt "
    "u ul var wbr"
)
# HTML's attributes that a reader sees.
_TRANSLATED = re.compile(
    r"""(?<![\w-])(alt|title|placeholder|label|summary|aria-label|aria-description)\s*=\s*("[^"]*"|'[^']*')""",
    re.IGNORECASE,
)


_VOID = ("br", "col", "embed", "hr", "img", "input", "wbr")  # <br> is <br/>


def _attributes(name: str, written: str) -> tuple[str, bool]:
    """The attributes that must be preserved, and whether the tag is self-closing."""
    kept = _TRANSLATED.sub(r"\1=", written).strip()
    return " ".join(kept.removesuffix("/").split()), kept.endswith("/") or name.casefold() in _VOID


def _loose(text: Text) -> int:
    """Signs that open a tag, and no tag follows."""
    return _TAG.sub("", text.text).count("<")


class Tags(Kind):
    name = "tags"
    about = "tags of HTML and XML with their attributes, balanced and in the same order; what a reader sees of them (`alt`, `title`, …) may be translated"

    def items(self, text: Text) -> Sequence[Item]:
        """`<file>` in *open <file>* is no tag: HTML has none of this name, and nothing ends it."""
        ended = {match["name"] for match in _TAG.finditer(text.text) if match["end"]}
        return [
            Item(
                match[0],
                match.start(),
                frozenset({(match["end"], match["name"], *_attributes(match["name"], match["attributes"]))}),
            )
            for match in _TAG.finditer(text.text)
            if match["name"] in ended
            or match["name"].casefold() in _HTML.split()
            or match["attributes"].endswith("/")
            or "=" in match["attributes"]
        ]

    def changes(self, source: Text, target: Text) -> list[Change]:
        if changes := super().changes(source, target):
            return changes
        if _loose(target) > _loose(source):
            return [Change(self.name, "added", after="<")]
        before, after = self.items(source), self.items(target)
        for one, other in zip(before, after, strict=True):
            if one.values != other.values:
                return [Change(self.name, "changed", one.text, other.text, (other.start, other.end))]
        return []
