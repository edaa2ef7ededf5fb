"""Restores what a translation lost, added or changed, according to the evidence of its verdict."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mtprobe.language.invariants import KINDS, Text
from mtprobe.methods import Outcome, Preparation
from mtprobe.methods.verdict import Evidence, Result

_TAGS, _CASING, _QUOTES = "tags", "casing", "quotes"
_LAST_MARK = re.compile(r"[\u00a0\u202f ]?[.!?…]*[\"”’»)]*$")


def restored(results: Sequence[Result], preparation: Preparation) -> Iterator[tuple[str, str]]:
    """Candidates for each wrong translation whose evidence says what became of which item."""
    languages = preparation.languages
    for result in results:
        changes = [item for item in result.verdict.evidence if "change" in item.attributes]
        if result.verdict.outcome is not Outcome.INCORRECT or not changes or not result.translation:
            continue
        source = Text(result.source, languages.source)
        for style in _styles(languages.target):
            text = result.translation
            # From the last change to the first, so that places stay where they are.
            for change in sorted(changes, key=_start, reverse=True):
                text = _restore(change, text, source, style)
            if text != result.translation:
                yield result.id, text


def _styles(language: str) -> tuple[str, ...]:
    """How a number of the source may have to be written: as it is, or with other separators."""
    return (",.", ".,", "\u202f,") if not language.startswith("en") else (",.",)


def _restore(change: Evidence, text: str, source: Text, style: str) -> str:
    kind, what = str(change.attributes["kind"]), str(change.attributes["change"])
    before = str(change.attributes.get("before", ""))
    written = before.translate(str.maketrans(",.", style)) if re.search(r"\d", before) else before
    if kind == _CASING:
        return text.upper() if what == "lost" else text.capitalize()
    if kind == _TAGS:
        return _with_tags(text, source)
    start = _start(change)
    if start >= 0:
        end = int(str(change.attributes["at"]).partition("–")[2])
        if what == "added":
            kept = text[start + 1 : end - 1] if kind == _QUOTES else ""
            return text[:start] + kept + text[end:]
        return text[:start] + written + text[end:]
    if kind == _QUOTES:
        words = text.rsplit(" ", 1)
        return f"{words[0]} “{words[-1]}”" if len(words) > 1 else f"“{text}”"
    if what == "lost":
        return _with(text, written)
    return text


def _start(change: Evidence) -> int:
    return int(str(change.attributes["at"]).partition("–")[0]) if "at" in change.attributes else -1


def _with(text: str, item: str) -> str:
    """The item at the end, before the last mark; or the mark itself."""
    if not any(character.isalnum() for character in item) and item in ".!?…":
        return _LAST_MARK.sub("", text) + item
    match = _LAST_MARK.search(text)
    place = match.start() if match else len(text)
    return f"{text[:place]} {item}{text[place:]}"


def _with_tags(text: str, source: Text) -> str:
    """All tags of the source in their order, the text inside the first of them."""
    for item in reversed(KINDS[_TAGS].items(Text(text, source.language))):
        text = text[: item.start] + text[item.end :]
    tags = [item.text for item in KINDS[_TAGS].items(source)]
    return f"{tags[0]}{text}{''.join(tags[1:])}" if tags else text
