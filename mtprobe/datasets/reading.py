"""Shared by readers: one sample per line or item, names for long texts, a marked word, marked copies."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import TypeAlias, TypeVar

from mtprobe.errors import Place, SuiteError
from mtprobe.suite.data import Item, Reading, Skipped
from mtprobe.suite.format.evidence import SampleModel
from mtprobe.suite.samples.focus import marked

Entry = TypeVar("Entry")
Value = TypeVar("Value")
Line: TypeAlias = tuple[Place, str | SuiteError]
Sample: TypeAlias = SampleModel | Skipped


def sample_per_line(lines: Iterable[Line], build: Callable[[str, Place], Sample]) -> Iterator[Item]:
    """The sample of each line that is not blank, or the error in its place."""
    return samples_from(
        ((place, line) for place, line in lines if isinstance(line, SuiteError) or line.strip()), build
    )


def samples_from(
    values: Iterable[tuple[Place, Value | SuiteError]], build: Callable[[Value, Place], Sample]
) -> Iterator[Item]:
    """The sample of each value, or the error in its place."""
    for place, value in values:
        try:
            if isinstance(value, SuiteError):
                raise value
            yield place, build(value, place)
        except SuiteError as error:
            yield place, error


def fingerprint(*texts: str) -> str:
    """A short name for texts that are too long for an id."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:10]


def mark_word(word: str, text: str) -> str | None:
    """The text with the word as its focus, or None if the word is not there."""
    span = find_word(word, text)
    return marked(text, span) if span else None


def find_word(word: str, text: str) -> tuple[int, int] | None:
    """The span of the word: by itself, else with a capital, in a compound, or with an ending; the first of these."""
    plain = re.escape(word)
    alone = rf"(?<![\w-]){plain}(?![\w-])"
    inside = rf"(?<!\w){plain}(?!\w)"
    inflected = rf"(?<!\w){plain}\w{{1,3}}(?!\w)"
    for pattern in (alone, f"(?i:{alone})", inside, f"(?i:{inside})", f"(?i:{inflected})"):
        if match := re.search(pattern, text):
            return match.span()
    return None


def with_copies(
    read: Callable[[Entry, Reading], Iterator[Item]],
) -> Callable[[Entry, Reading], Iterator[Item]]:
    """Marks an item that repeats an earlier one: by its attribute `copy`, and by its id if that is the same.

    Which of two equal items comes first makes no difference, so ids still do not depend on the position.
    """

    @wraps(read)
    def with_marks(data: Entry, reading: Reading) -> Iterator[Item]:
        contents: Counter[str] = Counter()
        ids: Counter[str | None] = Counter()
        for place, item in read(data, reading):
            if isinstance(item, Skipped | SuiteError):
                yield place, item
                continue
            content = item.model_dump_json(exclude={"id", "attributes", "references"})
            contents[content] += 1
            ids[item.id] += 1
            changes: dict[str, object] = {}
            if contents[content] > 1:
                changes["attributes"] = {**item.attributes, "copy": contents[content]}
            if ids[item.id] > 1:
                changes["id"] = f"{item.id}/{ids[item.id]}"
            yield place, item.model_copy(update=changes) if changes else item

    return with_marks
