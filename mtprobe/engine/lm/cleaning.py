"""Rules, declared by a prompt, for removing parts of an answer before it counts as a translation.

A rule removes only what is certainly not part of a translation. Answers that are not one at all, refusals and chatter,
are left as they are: they are found where outputs are judged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Tag
from pydantic_core import PydanticCustomError

from mtprobe.language.chatter import is_speech
from mtprobe.language.topics import is_about_translating

_QUOTES = ("“”", "„“", "„”", "«»", "»«", '""', "''", "‘’", "‚‘", "「」", "『』", "``")
_THINKING = re.compile(r"\A\s*(?:<think>)?.*?</think>\s*", re.DOTALL)
_AGREEMENT = r"(?:sure|certainly|of course|absolutely|okay|ok|bien sûr|natürlich|gerne|claro|por supuesto|certo|конечно|好的|当然)"
_FIRST_SENTENCE = r"(?:[^:：.!?。！？\n\"“]|\"[^\"\n]{0,300}\"|“[^”\n]{0,300}”){0,120}"
_LANGUAGE = r"\bin(?:to)? (?-i:[A-Z])\w+"
_INTRODUCTIONS = tuple(
    re.compile(
        rf"\A\W*(?:{_AGREEMENT}(?!\w)[^:：\n]{{0,60}}?[\s!,.，。！]+)?{pattern}\s*[:：]\**\s*", re.IGNORECASE
    )
    for pattern in (
        rf"(?P<translating>{_FIRST_SENTENCE})",
        rf"(?:here(?:['’]s| is| are)|this is|the following is|below is|the)\b{_FIRST_SENTENCE}?"
        rf"(?:\b(?:text|sentence|phrase|version)\b|{_LANGUAGE}){_FIRST_SENTENCE}",
    )
) + tuple(
    re.compile(rf"\A\W*{_AGREEMENT}(?!\w){end}", re.IGNORECASE)
    for end in (rf"[^:：\n]{{0,40}}{_LANGUAGE}[^:：\n]{{0,20}}[:：]\s*", r"[^:：\n]{0,80}[:：]\s*\n\s*")
)
_FENCE = re.compile(r"\A```\w*\n(.*?)\n?```\Z", re.DOTALL)
_COLONS = re.compile("[:：]")
_LABEL = re.compile(
    r"\A\W{0,3}(?:translation|translated text|answer|output|übersetzung|traduction|traducción|tradução|traduzione"
    r"|перевод|译文|翻译|翻訳|번역)(?:\s*\([^)\n]*\))?\W{0,2}[:：]\W{0,2}\s*(?<=[\s:：*])",
    re.IGNORECASE,
)


class Removal(BaseModel):
    """A rule of one's own."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)

    remove: Annotated[str, AfterValidator(lambda text: _checked(text))]
    """A regular expression; what it matches is removed wherever it occurs."""


NamedRule: TypeAlias = Literal["thinking", "introduction", "label", "quotes", "first-line"]
Rule: TypeAlias = Annotated[
    Annotated[NamedRule, Tag("rule")] | Annotated[Removal, Tag("removal")],
    Discriminator(lambda value: "removal" if isinstance(value, (dict, Removal)) else "rule"),
]


def _checked(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise PydanticCustomError("pattern", f"is not a regular expression: {error}") from None
    return pattern


def cleaned(answer: str, rules: Sequence[Rule], source: str) -> str:
    """The answer without what the rules remove; never what the source itself contains."""
    text = answer.strip()
    for rule in rules:
        text = (
            re.sub(rule.remove, "", text, flags=re.MULTILINE)
            if isinstance(rule, Removal)
            else _RULES[rule](text, source)
        ).strip()
    return text


def _thinking(text: str, source: str) -> str:
    return text if "</think>" in source else _THINKING.sub("", text, count=1)


def _introduction(text: str, source: str) -> str:
    for pattern in _INTRODUCTIONS:
        match = pattern.match(text)
        if match is None or not text[match.end() :].strip() or pattern.match(source):
            continue
        if "translating" in pattern.groupindex and (
            not is_about_translating(match["translating"]) or is_about_translating(source)
        ):
            continue
        if _has_its_own_colon(text, source):
            return text[match.end() :]
    return text


def _label(text: str, source: str) -> str:
    match = _LABEL.match(text)
    if match is None or not text[match.end() :].strip() or _LABEL.match(source):
        return text
    return text[match.end() :] if _has_its_own_colon(text, source) else text


def _has_its_own_colon(text: str, source: str) -> bool:
    """Whether an answer has more colons than its source: then the first may be after something that was added."""
    return len(_COLONS.findall(text)) > len(_COLONS.findall(source))


def _quotes(text: str, source: str) -> str:
    if (fenced := _FENCE.match(text)) and "```" not in source and "```" not in fenced[1]:
        text = fenced[1].strip()
    return text[1:-1] if _quoted(text) and not is_speech(source) else text


def _quoted(text: str) -> bool:
    return len(text) > 2 and any(
        text[0] == pair[0] and text[-1] == pair[1] and not {*pair} & {*text[1:-1]} for pair in _QUOTES
    )


def _first_line(text: str, source: str) -> str:
    return text if "\n" in source.strip() else text.partition("\n")[0]


_RULES: dict[str, Callable[[str, str], str]] = {
    "thinking": _thinking,
    "introduction": _introduction,
    "label": _label,
    "quotes": _quotes,
    "first-line": _first_line,
}
