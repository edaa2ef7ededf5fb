"""What has to stay as it is, letter by letter: addresses, placeholders, emoji."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from mtprobe.language.invariants.kind import Item, Kind, Text


class _Pattern(Kind):
    pattern: ClassVar[re.Pattern[str]]

    def items(self, text: Text) -> Sequence[Item]:
        return [
            Item(match[0], match.start(), frozenset({match[0]})) for match in self.pattern.finditer(text.text)
        ]


class Urls(_Pattern):
    name = "urls"
    about = "web addresses, unchanged"
    pattern = re.compile(r"(?:https?://|www\.)[^\s<>\"“”«»]*[^\s<>\"“”«».,;:!?')\]}…]", re.IGNORECASE)


class Emails(_Pattern):
    name = "emails"
    about = "e-mail addresses, unchanged but for capitals"
    pattern = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")

    def items(self, text: Text) -> Sequence[Item]:
        return [replace(item, values=frozenset({item.text.casefold()})) for item in super().items(text)]


class Emoji(_Pattern):
    name = "emoji"
    about = "emoji, with their skin tones and joiners"
    pattern = re.compile(
        "[\U0001f1e6-\U0001f1ff]{2}"  # flags
        "|[0-9#*]\ufe0f?\u20e3"
        "|(?:[\u203c-\u3299\U0001f000-\U0001faff](?<![\u2040-\u20ff\u2200-\u22ff\u2500-\u259f\u3000-\u303f])"
        "[\ufe0f\U0001f3fb-\U0001f3ff]*"
        "(?:\u200d[\u2600-\u27bf\U0001f000-\U0001faff][\ufe0f\U0001f3fb-\U0001f3ff]*)*)"
    )


_SIMPLE = re.compile(
    r"\{\{[^{}]{1,80}\}\}|[$#%]\{[^{}]{1,80}\}"
    r"|%\([\w.]{1,80}\)[-+#0]*\d*(?:\.\d+)?[sdifuxXeEgGr]|%(?:\d+\$)?[-+#0]*\d*(?:\.\d+)?(?:[sdifuxXeEgG@]|ld|lu)(?![^\W_])"
    r"|\{[\w.]{0,80}\}|__[A-Z][A-Z0-9_]*__"
)
_ARGUMENT = re.compile(r"\{\s*(\w{1,80})\s*,\s*(\w{1,80})\s*(?=[,}])")
_OPEN, _CLOSE = "{", "}"


class Placeholders(Kind):
    name = "placeholders"
    about = "`{name}`, `{{name}}`, `${name}`, `%s`, `%(name)d`, `__NAME__`, and ICU's `{count, plural, …}` by name, type and inner placeholders"

    def items(self, text: Text) -> Sequence[Item]:
        arguments = list(_icu(text.text))
        simple = (
            Item(match[0], match.start(), frozenset({match[0]}))
            for match in _SIMPLE.finditer(text.text)
            if not any(item.start <= match.start() < item.end for item in arguments)
        )
        return sorted([*arguments, *simple], key=lambda item: item.start)


def _icu(text: str) -> Iterator[Item]:
    """Arguments of ICU messages; how many plural forms there are is the language's business."""
    end = 0
    for match in _ARGUMENT.finditer(text):
        if match.start() < end:
            continue  # inside another one
        end = _closing(text, match.start())
        inner = text[match.end() : end]
        names = frozenset([*_SIMPLE.findall(inner), *(found[0] for found in _ARGUMENT.findall(inner))])
        yield Item(text[match.start() : end], match.start(), frozenset({("icu", match[1], match[2], names)}))


def _closing(text: str, start: int) -> int:
    depth = 0
    for position in range(start, len(text)):
        depth += (text[position] == _OPEN) - (text[position] == _CLOSE)
        if depth == 0:
            return position + 1
    return len(text)
