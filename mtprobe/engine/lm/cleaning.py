"""What is removed from an answer before it counts as a translation: rules that a prompt declares.

A rule removes only what is certainly not part of a translation. Answers that are not one at all, refusals and chatter,
are left as they are: they are found where outputs are judged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Tag
from pydantic_core import PydanticCustomError

_QUOTES = ("“”", "„“", "„”", "«»", "»«", '""', "''", "‘’", "‚‘", "「」", "『』", "``")
_THINKING = re.compile(r"\A\s*(?:<think>)?.*?</think>\s*", re.DOTALL)
_INTRODUCTION = re.compile(
    r"\A\W*(?:(?:sure|certainly|of course|absolutely|okay|ok)\b[^:\n]{0,40}?)?"
    r"(?:here(?:['’]s| is| are)|this is|the following is|below is|the (?:correct )?translation)\b[^:\n]{0,120}:\s*",
    re.IGNORECASE,
)
_AGREEMENT = re.compile(r"\A\W*(?:sure|certainly|of course|absolutely)\b[^:\n]{0,80}:\s*", re.IGNORECASE)
_LABEL = re.compile(
    r"\A\W{0,3}(?:translation|translated text|answer|output|übersetzung|traduction|traducción|tradução|traduzione"
    r"|перевод|译文|翻译)(?:\s*\([^)\n]*\))?\W{0,2}[:：]\W{0,2}\s+",
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
    for pattern in (_INTRODUCTION, _AGREEMENT):
        rest = pattern.sub("", text, count=1)
        if rest != text and rest.strip() and not pattern.match(source):
            return rest
    return text


def _label(text: str, source: str) -> str:
    rest = _LABEL.sub("", text, count=1)
    return rest if rest.strip() and not _LABEL.match(source) else text


def _quotes(text: str, source: str) -> str:
    return text[1:-1] if _quoted(text) and not _quoted(source.strip()) else text


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
