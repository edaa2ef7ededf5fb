"""A clause is left out: one of the parts into which signs of punctuation divide a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from mtprobe.authoring.pairs.change import Change, Changes, Dropped, Line, never
from mtprobe.authoring.pairs.tables import words
from mtprobe.language.words import letter_runs

ABOUT = "Does the model score a whole translation above one in which a clause is missing?"

_END = re.compile(r"(?<![\s\d])(?P<sign>[.!?…]+|[;:])[\"”“»’']*\s+(?:[–—-]\s+)?")
_FEWEST = 3  # words that a clause has
_FEWEST_ALONE = 5  # where the source is not divided likewise
_LONGEST, _SHORTEST = 1.8, 0.55  # letters of the target for one of the source
_PAIRED = (("(", ")"), ("[", "]"), ("»", "«"))


def _changes(language: str, line: Line) -> Iterator[Change | Dropped]:
    spans = list(parts(line.target, language))
    if len(spans) < 2:
        return
    if not _SHORTEST <= len(line.target) / max(len(line.source), 1) <= _LONGEST:
        yield Dropped("source and target are not equally long: they may not say the same")
        return
    alike = len(list(parts(line.source, "en"))) == len(spans)
    for start, end in spans:
        yield _omitted(line, start, end, _FEWEST if alike else _FEWEST_ALONE)


def _omitted(line: Line, start: int, end: int, fewest: int) -> Change | Dropped:
    text = line.target
    gone = text[start:end]
    left = text[:start] + text[end:]
    if len(letter_runs(gone)) < fewest or len(letter_runs(left)) < fewest:
        return Dropped("a part is too short to be a clause")
    if not _balanced(gone) or not _balanced(left):
        return Dropped("quotation marks or brackets would be left alone")
    if set(letter_runs(gone.lower())) <= set(letter_runs(left.lower())):
        return Dropped("a part repeats what the others say")
    if end == len(text):  # the space before it goes too
        start = len(text[:start].rstrip(" \t–—-"))
    return Change(start, end, "", gone.strip().lower(), "")


def parts(text: str, language: str) -> Iterator[tuple[int, int]]:
    """Where the clauses stand, each with the space behind it."""
    start = 0
    for found in _END.finditer(text):
        if found.end() < len(text) and _divides(text, found, language):
            yield start, found.end()
            start = found.end()
    yield start, len(text)


def _divides(text: str, found: re.Match[str], language: str) -> bool:
    if found["sign"] in (";", ":"):
        return True
    if text[found.end()].islower():
        return False
    before = re.search(r"(\w+)$", text[: found.start()])
    if found["sign"] != "." or before is None:
        return True
    return len(before[1]) > 1 and before[1].lower() not in words(language, "abbreviations")


def _balanced(text: str) -> bool:
    if text.count('"') % 2 or sum(text.count(sign) for sign in "„“”") % 2:
        return False
    return all(text.count(opening) == text.count(closing) for opening, closing in _PAIRED)


def _same(mine: str, theirs: str) -> bool:
    """Whether two clauses share a third of their longer words."""
    one, other = ({word for word in letter_runs(text) if len(word) > 3} for text in (mine, theirs))
    return bool(one & other) and 3 * len(one & other) >= max(len(one), len(other))


REPAIRABLE, SAME = never, _same
LANGUAGES: dict[str, Changes] = {"de": partial(_changes, "de"), "pt": partial(_changes, "pt")}
MISSING: dict[str, str] = {}
