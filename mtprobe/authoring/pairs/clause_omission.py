"""A clause is omitted: one of the parts into which punctuation divides a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from mtprobe.authoring.pairs.change import Change, Changes, Dropped, Line, words
from mtprobe.language.words import letter_runs

ABOUT = "Does the model score a complete translation above one in which a clause is missing?"

_END = re.compile(r"(?<![\s\d])(?P<sign>[.!?…]+|[;:])[\"”“»’']*\s+(?:[–—-]\s+)?")
_FEWEST = 3  # words of a clause
_FEWEST_ALONE = 5  # if the source is divided differently
_LONGEST, _SHORTEST = 1.8, 0.55  # characters of the target per character of the source
_PAIRED = (("(", ")"), ("[", "]"), ("»", "«"))


def _changes(language: str, line: Line) -> Iterator[Change | Dropped]:
    spans = list(parts(line.target, language))
    if len(spans) < 2:
        return
    if not _SHORTEST <= len(line.target) / max(len(line.source), 1) <= _LONGEST:
        yield Dropped("source and target differ in length: they may not say the same")
        return
    alike = len(list(parts(line.source, "en"))) == len(spans)
    for start, end in spans:
        yield _omitted(line, start, end, _FEWEST if alike else _FEWEST_ALONE)


def _omitted(line: Line, start: int, end: int, fewest: int) -> Change | Dropped:
    text = line.target
    omitted = text[start:end]
    rest = text[:start] + text[end:]
    if len(letter_runs(omitted)) < fewest or len(letter_runs(rest)) < fewest:
        return Dropped("a part is too short to be a clause")
    if not _balanced(omitted) or not _balanced(rest):
        return Dropped("quotation marks or brackets would be unbalanced")
    if set(letter_runs(omitted.lower())) <= set(letter_runs(rest.lower())):
        return Dropped("a part repeats what the others say")
    if end == len(text):  # the space before it goes too
        start = len(text[:start].rstrip(" \t–—-"))
    return Change(start, end, "", omitted.strip().lower(), "")


def parts(text: str, language: str) -> Iterator[tuple[int, int]]:
    """The spans of the clauses, each with the space after it."""
    start = 0
    for match in _END.finditer(text):
        if match.end() < len(text) and _divides(text, match, language):
            yield start, match.end()
            start = match.end()
    yield start, len(text)


def _divides(text: str, match: re.Match[str], language: str) -> bool:
    if match["sign"] in (";", ":"):
        return True
    if text[match.end()].islower():
        return False
    before = re.search(r"(\w+)$", text[: match.start()])
    if match["sign"] != "." or before is None:
        return True
    return len(before[1]) > 1 and before[1].lower() not in words(language, "abbreviations")


def _balanced(text: str) -> bool:
    if text.count('"') % 2 or sum(text.count(sign) for sign in "„“”") % 2:
        return False
    return all(text.count(opening) == text.count(closing) for opening, closing in _PAIRED)


def _same(mine: str, theirs: str) -> bool:
    """Whether two clauses share a third of their longer words."""
    ours, others = ({word for word in letter_runs(text) if len(word) > 3} for text in (mine, theirs))
    return bool(ours & others) and 3 * len(ours & others) >= max(len(ours), len(others))


SAME = _same
LANGUAGES: dict[str, Changes] = {"de": partial(_changes, "de"), "pt": partial(_changes, "pt")}
