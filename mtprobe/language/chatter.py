"""Answers of chat models that are not translations: refusals, and chatter about or around the translation.

Models mostly refuse and chat in English. In a translation into another language a few English phrases are enough of a
sign; in one into English they may be the translation, and only talk of translating or of being a model is a sign. What
the source itself contains does not count; nor do signs in the language of the translation, where the source talks about
the same.

Some signs count only where a chat model answers: another model that puts a translation into quotation marks has translated.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from mtprobe.language.topics import is_about_requests, is_about_translating

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
# In the languages that models are asked to translate into most: of translating, or as a model.
_REFUSAL_ELSEWHERE = re.compile(
    r"\bje ne (?:peux|suis) pas (?:en mesure de |capable de )?(?:traduire|fournir (?:une|la|de) traduction)"
    r"|\bich kann (?:\w+ ){0,5}nicht übersetzen"
    r"|\bn(?:o puedo|ão posso|on posso) (?:traducir|traduzir|tradurre|proporcionar (?:una|la) traducción)"
    r"|我(?:无法|無法|不能)(?:\w{0,4})(?:翻译|翻譯)"
    r"|\ben tant (?:qu'IA\b|que modèle de lang)|\bals (?:KI\b|(?:ein )?(?:großes )?sprachmodell)"
    r"|\bcomo (?:un |um )?(?:IA\b|modelo de (?:lengua|lingua))|作为(?:一个|一個)?(?:人工智能|AI|大?语言模型)",
    re.IGNORECASE,
)
_CURT_REFUSAL = re.compile(
    rf"{_CANNOT}\b.{{0,40}}\bhelp\b|\b(?:as|I am|I'm) (?:only |just )?an? .{{0,30}}\blanguage model\b",
    re.IGNORECASE | re.DOTALL,
)
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
    r"(?:here(?:'s| is)|this is|the following is|below is|the)\b[^.:\n]{0,60}\btranslat\w*[^.:\n]{0,60}:",
    re.IGNORECASE,
)
_NOTE_IN_ENGLISH = re.compile(r"[\n(\[]\W*(?:note|explanation)\b\s*[:：]", re.IGNORECASE)
_OPENING = re.compile(
    r"\A\W*(?:sure|certainly|of course|absolutely)\b[^.!?:\n]{0,60}[.!?:,]"
    r"|\A\W*(?:(?:okay|ok)\W{0,3})?(?:here(?:'s| is| are)|this is|the following is|below is)\b[^.:\n]{0,80}\btranslat\w*",
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
_SPEECH = re.compile("""\\A(?:[«»„“”‚‘’"'`「『—–―]|,,|- )|[«»“”‘’"」』`][.,;!?…]*\\Z""")
_QUOTES = ("“”", "„“", "«»", "»«", '""', "''", "‘’", "‚‘", "「」", "``")


_REASONING = re.compile(r"\A\s*</?think(?:ing)?>", re.IGNORECASE)
_COLON = re.compile("[:：]")
_APART = re.compile(r"[\n(\[（【].*[:：,，]", re.DOTALL)  # a note, whatever it is called


class _Sign(NamedTuple):
    """`unless` that is true of the source: then the sign may be its translation, in the languages of `into`."""

    reason: str
    pattern: re.Pattern[str]
    into: str = "others"  # than English; or "English", or "all"
    unless: Callable[[str], object] | None = None


_SIGNS = (
    _Sign("reasoning", _REASONING, "all"),
    _Sign("refusal", _REFUSAL),
    _Sign("refusal", _REFUSAL_IN_ENGLISH, "English", unless=is_about_requests),
    _Sign("refusal", _REFUSAL_ELSEWHERE, unless=is_about_requests),
    _Sign("chatter", _CHATTER),
    _Sign("chatter", _CHATTER_IN_ENGLISH, "English", unless=is_about_translating),
    _Sign("note", _NOTE_IN_ENGLISH, "English", unless=_APART.search),
)
_SIGNS_OF_CHATS = (
    *_SIGNS,
    _Sign("refusal", _CURT_REFUSAL),
    _Sign("chatter", _OPENING),
    _Sign("label", _LABEL, "all", unless=_COLON.search),
    _Sign("code block", _CODE, "all"),
    _Sign("note", _NOTE, "all", unless=_APART.search),
)


def chatter(source: str, answer: str, target: str, *, by_chat: bool = False) -> str | None:
    """Why an answer is more than a translation into the target language; None if it may be only that.

    `by_chat`: a chat model gave it, so labels, code blocks and quotation marks around the translation count too.
    """
    text, original = (given.strip().replace("’", "'") for given in (answer, source))
    into = ("all", "English" if target.split("-")[0] == "en" else "others")
    for sign in _SIGNS_OF_CHATS if by_chat else _SIGNS:
        if sign.into not in into or (match := sign.pattern.search(text)) is None:
            continue
        said = match[0].strip().casefold() in original.casefold() or sign.pattern.search(original)
        if not said and not (sign.unless and sign.unless(original)):
            return f"{sign.reason}: “{_short(match[0])}”"
    if _lines(text) > _lines(original):
        return f"chatter: {_lines(text)} lines for {_lines(original)}"
    if by_chat and _quoted(answer.strip()) and not is_speech(source):
        return f"quotation marks: “{_short(answer)}”"
    return None


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 60 else f"{words[:59]}…"


def _lines(text: str) -> int:
    return sum(bool(line.strip()) for line in text.splitlines()) or 1


def is_speech(text: str) -> bool:
    """Whether a text is in quotation marks, or part of what someone says: its translation may be in quotation marks."""
    return bool(_SPEECH.search(text.strip()))


def _quoted(text: str) -> bool:
    return len(text) > 2 and any(
        text.startswith(pair[0]) and text.endswith(pair[1]) and not set(pair) & set(text[1:-1])
        for pair in _QUOTES
    )
