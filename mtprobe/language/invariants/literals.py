"""Text that must stay identical: addresses and emoji."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from mtprobe.language.invariants.kind import Item, Kind, Text

# Scripts without spaces between words: an address ends where they begin.
_DENSE = "\u0e00-\u0eff\u1000-\u109f\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff01-\uffef"
_INVISIBLE = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks of direction
_OUTSIDE = rf"\s<>\"`“”«»{_DENSE}{_INVISIBLE}"
_PATH = rf"[^{_OUTSIDE}]*[^{_OUTSIDE}.,;:!?')\]}}…]"  # without the punctuation of the sentence
_DOMAINS = "com|org|net|edu|gov|io|app|dev|info|eu|co\\.uk|gov\\.uk|com\\.br"  # where nothing else says that it is an address


class _Pattern(Kind):
    pattern: ClassVar[re.Pattern[str]]

    def items(self, text: Text) -> Sequence[Item]:
        return [
            Item(match[0], match.start(), frozenset({match[0]})) for match in self.pattern.finditer(text.text)
        ]


class Urls(_Pattern):
    name = "urls"
    about = "web addresses, unchanged"
    pattern = re.compile(
        rf"(?:(?:https?|ftps?|sftp|file)://|www\.){_PATH}"
        rf"|(?<![\w@.+/-])(?:[a-z0-9-]{{1,63}}\.){{1,5}}(?:{_DOMAINS})(?!\w|\.\w)(?:/{_PATH}|/)?",
        re.IGNORECASE,
    )

    def items(self, text: Text) -> Sequence[Item]:
        """A domain alone may begin a sentence with a capital."""
        return [
            item if "/" in item.text else replace(item, values=frozenset({item.text.casefold()}))
            for item in super().items(text)
        ]


class Emails(_Pattern):
    name = "emails"
    about = "e-mail addresses, unchanged but for capitals"
    pattern = re.compile(rf"(?:(?![{_DENSE}])[\w.+'-]){{1,64}}@[\w-]+(?:\.(?:(?![{_DENSE}])[\w-])+)+")

    def items(self, text: Text) -> Sequence[Item]:
        return [replace(item, values=frozenset({item.text.casefold()})) for item in super().items(text)]


class Emoji(_Pattern):
    name = "emoji"
    about = "emoji, with their skin tones and joiners"
    pattern = re.compile(
        "[\U0001f1e6-\U0001f1ff]{2}"  # flags
        "|\U0001f3f4[\U000e0020-\U000e007f]+"  # flags of regions
        "|[0-9#*]\ufe0f?\u20e3"
        "|(?:[\u231a\u231b\u23e9-\u23fa\u2600-\u27bf\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\U0001f000-\U0001faff]"
        "|[\u203c\u2049\u2122\u2139\u2194-\u21aa\u24c2\u25aa-\u25fe\u2934\u2935\u3030\u303d\u3297\u3299](?=\ufe0f))"
        "[\ufe0f\U0001f3fb-\U0001f3ff]*"
        "(?:\u200d[\u2600-\u27bf\U0001f000-\U0001faff][\ufe0f\U0001f3fb-\U0001f3ff]*)*"
    )

    def items(self, text: Text) -> Sequence[Item]:
        """U+FE0F asks for colours, and many keyboards omit it."""
        return [
            replace(item, values=frozenset({item.text.replace("\ufe0f", "")})) for item in super().items(text)
        ]
