"""Recognises answers of chat models that are not just a translation.

Models mostly refuse and chat in English. In a translation into another language a few English words are enough of a
sign; in one into English they may be the translation, and only talk of translating or of being a model is a sign.
What the source contains itself does not count.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_CANNOT = r"\bI(?:'m| am)? ?(?:can(?:'t|not)|won't|will not|(?:am )?(?:unable|not able) to|must decline to)"
_REFUSING = re.compile(
    rf"{_CANNOT}\b.{{0,40}}\b(?:translate|assist|help|provide|fulfil+|comply|process|do that|continue)\b"
    r"|\bas an AI\b|\blanguage model\b"
    r"|^\W*(?:I'm sorry|I am sorry|sorry|I apologi[sz]e|unfortunately)\b.{0,60}\b(?:can(?:'t|not)|unable|not able)\b",
    re.IGNORECASE | re.DOTALL,
)
_REFUSING_IN_ENGLISH = re.compile(
    rf"{_CANNOT}(?: be able to)? (?:translate|assist(?: you)? with|comply with|fulfil+|process) "
    r"(?:this|that|your|the (?:text|request|content|sentence|provided))\b"
    r"|\bas an AI\b.{0,20}\b(?:model|assistant|I)\b",
    re.IGNORECASE | re.DOTALL,
)
_OPENING = re.compile(
    r"^\W*(?:sure|certainly|of course|absolutely|okay|ok)\b[^.!?:\n]{0,60}[.!?:,]"
    r"|^\W*(?:here(?:'s| is| are)|this is|the following is|below is)\b[^.:\n]{0,80}\btranslat\w*"
    r"|^\W*the translation\b[^.:\n]{0,60}(?:\bis\b|:)",
    re.IGNORECASE,
)
_OPENING_IN_ENGLISH = re.compile(
    r"^\W*(?:(?:sure|certainly|of course|absolutely|okay|ok)\b[^:\n]{0,40})?"
    r"(?:here(?:'s| is)|this is|the following is|below is|the)\b[^.:\n]{0,60}\btranslat\w*[^.:\n]{0,60}:",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^\W*(?:translation|translated text|answer|output|übersetzung|traduction|traducción|tradução|traduzione|перевод"
    r"|译文|翻译)(?:\s*\([^)]*\))?\s*[:：]",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"[\n(\[]\W*(?:note|notes|explanation|nota|remarque|hinweis|anmerkung|alternatively|literally)\b\s*[:：,]",
    re.IGNORECASE,
)
_CODE = re.compile("```")
_QUOTES = ("“”", "„“", "«»", "»«", '""', "''", "‘’", "‚‘", "「」", "``")


class Sign(NamedTuple):
    pattern: re.Pattern[str]
    into_english: re.Pattern[str]
    reason: str


_SIGNS = (
    Sign(_REFUSING, _REFUSING_IN_ENGLISH, "it refused"),
    Sign(_OPENING, _OPENING_IN_ENGLISH, "it chats before the translation"),
    Sign(_LABEL, _LABEL, "it puts a label before the translation"),
    Sign(_CODE, _CODE, "it puts the translation into a code block"),
    Sign(_NOTE, _NOTE, "it adds a note to the translation"),
)


def complaint(answer: str, source: str, target: str) -> str | None:
    """Why an answer is not just a translation into the target language; None if it is."""
    text = _straight(answer.strip())
    original = _straight(source.strip())
    english = target.split("-")[0] == "en"
    for sign in _SIGNS:
        pattern = sign.into_english if english else sign.pattern
        if pattern.search(text) and not pattern.search(original):
            return sign.reason
    if _lines(text) > _lines(original):
        return f"{_lines(text)} lines for {_lines(original)}"
    if _quoted(answer.strip()) and not _quoted(source.strip()):
        return "it puts the translation into quotation marks"
    return None


def _straight(text: str) -> str:
    return text.replace("’", "'")


def _lines(text: str) -> int:
    return sum(bool(line.strip()) for line in text.splitlines()) or 1


def _quoted(text: str) -> bool:
    return len(text) > 2 and any(
        text.startswith(pair[0]) and text.endswith(pair[1]) and not set(pair) & set(text[1:-1])
        for pair in _QUOTES
    )
