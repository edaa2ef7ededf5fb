"""Warnings about the spelling of a suite's texts: text lost as YAML comments, quotes, marks, spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mtprobe.errors import Place, Problem
from mtprobe.suite.lint_evidence import evidence_of
from mtprobe.suite.parsing.limits import read_text
from mtprobe.suite.parsing.slips import named_character
from mtprobe.suite.sample import Suite
from mtprobe.suite.samples.focus import lookalike

_SLOT = re.compile(r"\{[^\W\d][\w .-]*\}")
_SPACES = re.compile(r"\s{2,}|[\t\n]")
# Between letters, where no language has a non-breaking space by rule; a zero-width space anywhere.
_INVISIBLE = re.compile(r"[\u200b\u2060\ufeff]|(?<=[^\W\d_])[\u00a0\u202f](?=[^\W\d_])")
# Text without quotes, then a # with a space before it but not after it.
_CUT_OFF = re.compile(r"^\s*(?:-\s+)*(?:[\w-]+:\s+)?[^\"'#\s{\[][^\"'#]*\s(?P<rest>#\w.*)$")
_TYPOGRAPHIC = re.compile(r"^\s*(?:-\s+)*(?:[\w-]+:\s+)?(?P<text>[“„‘‚][^“”„‘’]*[”“’‘])\s*$")


def text_warnings(suite: Suite) -> Iterator[Iterator[Problem]]:
    """One kind after the other."""
    yield _cut_off(suite)
    yield _quoted(suite)
    yield _lookalikes(suite)
    yield _odd_text(suite)


def _cut_off(suite: Suite) -> Iterator[Problem]:
    """`source: We are #1.` ends before the #: what follows is a comment."""
    for number, line in enumerate(read_text(suite.path).split("\n"), start=1):
        if "#" in line and (match := _CUT_OFF.match(line[:1000])):
            place = Place(suite.path, number, match.start("rest") + 1)
            yield Problem(
                place, f'"{match["rest"].strip()}" is a comment in YAML; put text that contains a # in quotes'
            )


def _quoted(suite: Suite) -> Iterator[Problem]:
    """`source: “It rains.”`: the model is given the quotes too."""
    for number, line in enumerate(read_text(suite.path).split("\n"), start=1):
        if match := _TYPOGRAPHIC.match(line[:1000]):
            place = Place(suite.path, number, match.start("text") + 1)
            yield Problem(
                place,
                f"{match['text'][0]}…{match['text'][-1]} are not quotes in YAML but part of the sentence; if they belong to it, "
                'put "…" around them',
            )


def _lookalikes(suite: Suite) -> Iterator[Problem]:
    """`‹word›` where <word> is meant. « and » are quotes in many languages."""
    for sample in suite.samples:
        if sample.focus is None and "«" not in sample.source and (mistaken := lookalike(sample.source)):
            yield Problem(sample.place, f'no focus in "{sample.source}": {mistaken}')


def _odd_text(suite: Suite) -> Iterator[Problem]:
    reported: set[tuple[Place, str]] = set()
    spaced: set[Place] = set()  # a focus like < seal >, which explains repeated spaces
    for sample in suite.samples:
        word = sample.source[slice(*sample.focus)] if sample.focus else ""
        if word != word.strip():
            spaced.add(sample.place)
            yield Problem(
                sample.place, f"spaces between < and > are part of the sentence; write <{word.strip()}>"
            )
    for place, text in _texts(suite):
        if place in spaced:
            continue
        if (problem := _odd(text)) and (place, problem) not in reported:
            reported.add((place, problem))
            yield Problem(place, f'{problem} in "{text}"')


def _texts(suite: Suite) -> Iterator[tuple[Place, str]]:
    for sample in suite.samples:
        if "placeholders" not in sample.preserve:  # there braces are meant
            yield sample.place, sample.source
        for _, contrast in evidence_of(sample):
            yield from ((sample.place, text) for texts in contrast.sides.values() for text in texts)
    for pair in (pair for pairs in suite.audit.values() for pair in pairs):
        yield pair.place, pair.sample.source
        yield from ((pair.place, text) for texts in pair.targets.values() for text in texts)


def _odd(text: str) -> str | None:
    if match := _SLOT.search(text):
        return f"{match.group()} looks like an unfilled slot (slots are written in single braces, under `generate`)"
    if match := _SPACES.search(text):
        return "a line break or a tab" if match.group().strip(" ") else "repeated spaces"
    if match := _INVISIBLE.search(text):
        return named_character(match[0])
    return None
