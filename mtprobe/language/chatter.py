"""Answers of chat models that are not translations: refusals, and talk about the translation or around it.

Models mostly refuse and chat in English. In a translation into another language a few English phrases are enough of a
sign; in one into English they may be the translation, and only talk of translating or of being a model is a sign. What
the source itself contains does not count.

Some signs count only where a chat model answers: another model that puts a translation into quotation marks has translated.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_CANNOT = r"\bI(?:'m| am)? ?(?:can(?:'t|not)|won't|will not|(?:am )?(?:unable|not able) to|must decline to)"
_REFUSAL = re.compile(
    rf"{_CANNOT}\b.{{0,40}}\b(?:translate|assist|help you|provide|fulfil+|comply|process|do that|continue)\b"
    r"|\bas an AI\b|\bAI language model\b"
    r"|\A\W*(?:I'm sorry|I am sorry|sorry|I apologi[sz]e|unfortunately)\b.{0,60}\b(?:can(?:'t|not)|unable|not able)\b",
    re.IGNORECASE | re.DOTALL,
)
_REFUSAL_IN_ENGLISH = re.compile(
    rf"{_CANNOT}(?: be able to)? (?:translate|assist(?: you)? with|comply with|fulfil+|process) "
    r"(?:this|that|your|the (?:text|request|content|sentence|provided))\b"
    r"|\bas an AI\b.{0,20}\b(?:model|assistant|I)\b",
    re.IGNORECASE | re.DOTALL,
)
_CURT_REFUSAL = re.compile(rf"{_CANNOT}\b.{{0,40}}\bhelp\b|\blanguage model\b", re.IGNORECASE | re.DOTALL)
_CHATTER = re.compile(
    r"\b(?:translates? (?:to|as|into)|(?:the|this|a|my|literal) translation\b|is translated|translated (?:text|version|sentence|into|to|as)"
    r"|in English|would be translated)\b"
    r"|\A\W*(?:sure|certainly|of course|absolutely)[!,.]? (?:here|I)\b"
    r"|\A\W*here(?:'s| is) (?:the|a|your|my)\b"
    r"|[\n(\[]\W*(?:note|explanation)\b\s*[:：]",
    re.IGNORECASE,
)
_CHATTER_IN_ENGLISH = re.compile(
    r"\A\W*(?:(?:sure|certainly|of course|absolutely|okay|ok)\b[^:\n]{0,40})?"
    r"(?:here(?:'s| is)|this is|the following is|below is|the)\b[^.:\n]{0,60}\btranslat\w*[^.:\n]{0,60}:"
    r"|[\n(\[]\W*(?:note|explanation)\b\s*[:：]",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"\A\W*(?:sure|certainly|of course|absolutely|okay|ok)\b[^.!?:\n]{0,60}[.!?:,]"
    r"|\A\W*(?:here(?:'s| is| are)|this is|the following is|below is)\b[^.:\n]{0,80}\btranslat\w*",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"\A\W*(?:translation|translated text|answer|output|übersetzung|traduction|traducción|tradução|traduzione|перевод"
    r"|译文|翻译)(?:\s*\([^)]*\))?\s*[:：]",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"[\n(\[]\W*(?:notes?|explanation|nota|remarque|hinweis|anmerkung|alternatively|literally)\b\s*[:：,]",
    re.IGNORECASE,
)
_CODE = re.compile("```")
_QUOTES = ("“”", "„“", "«»", "»«", '""', "''", "‘’", "‚‘", "「」", "``")


class _Sign(NamedTuple):
    reason: str
    pattern: re.Pattern[str]
    into_english: re.Pattern[str] | None = None  # None: it is no sign there


_SIGNS = (
    _Sign("refusal", _REFUSAL, _REFUSAL_IN_ENGLISH),
    _Sign("chatter", _CHATTER, _CHATTER_IN_ENGLISH),
)
_SIGNS_OF_CHATS = (
    *_SIGNS,
    _Sign("refusal", _CURT_REFUSAL),
    _Sign("chatter", _OPENING),
    _Sign("label", _LABEL, _LABEL),
    _Sign("code block", _CODE, _CODE),
    _Sign("note", _NOTE, _NOTE),
)


def chatter(source: str, answer: str, target: str, *, by_chat: bool = False) -> str | None:
    """Why an answer is not just a translation into the target language; None if it may be one.

    `by_chat`: a chat model gave it, so labels, code blocks and quotation marks around the translation count too.
    """
    text, original = (given.strip().replace("’", "'") for given in (answer, source))
    english = target.split("-")[0] == "en"
    for sign in _SIGNS_OF_CHATS if by_chat else _SIGNS:
        pattern = sign.into_english if english else sign.pattern
        if pattern and (match := pattern.search(text)) and not pattern.search(original):
            return f"{sign.reason}: “{_short(match[0])}”"
    if _lines(text) > _lines(original):
        return f"chatter: {_lines(text)} lines for {_lines(original)}"
    if by_chat and _quoted(answer.strip()) and not _quoted(source.strip()):
        return f"quotation marks: “{_short(answer)}”"
    return None


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 60 else f"{words[:59]}…"


def _lines(text: str) -> int:
    return sum(bool(line.strip()) for line in text.splitlines()) or 1


def _quoted(text: str) -> bool:
    return len(text) > 2 and any(
        text.startswith(pair[0]) and text.endswith(pair[1]) and not set(pair) & set(text[1:-1])
        for pair in _QUOTES
    )
