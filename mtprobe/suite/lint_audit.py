"""Warnings about likely mistakes in a suite's audit pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mtprobe.errors import Place, Problem
from mtprobe.language import tags
from mtprobe.suite.parsing.tree import Tree
from mtprobe.suite.sample import AuditPair, Suite

FEW_CLUSTERS = 10  # with fewer, an audit says little about other words


def audit_warnings(suite: Suite, tree: Tree) -> Iterator[Iterator[Problem]]:
    """One kind after the other."""
    yield _unused(suite, tree)
    yield _one_reading(suite, tree)
    yield _few(suite, tree)
    yield _same_targets(suite)
    yield _copied(suite)
    yield _repeated(suite)


def _languages(suite: Suite, tree: Tree) -> Iterator[tuple[str, tuple[AuditPair, ...], Place]]:
    """Each language with its pairs and the place of its key."""
    written = {tags.standard(tag): tag for tag in tree.value.get("audit", ())}
    for language, pairs in suite.audit.items():
        yield language, pairs, tree.place(("audit", written[language]))


def _pairs(suite: Suite) -> Iterator[tuple[str, AuditPair]]:
    for language, pairs in suite.audit.items():
        for pair in pairs:
            yield language, pair


def _unused(suite: Suite, tree: Tree) -> Iterator[Problem]:
    for language, _, place in _languages(suite, tree):
        if suite.targets is not None and not any(tags.fits(wanted, language) for wanted in suite.targets):
            yield Problem(place, f"audit.{language}: the suite is for {suite.languages}")


def _one_reading(suite: Suite, tree: Tree) -> Iterator[Problem]:
    for language, pairs, place in _languages(suite, tree):
        counted = Counter(reading for pair in pairs for reading in pair.targets)
        if len(counted) == 1:
            yield Problem(
                place,
                f'audit.{language}: every target is "{next(iter(counted))}"; an audit needs other readings too',
            )


def _few(suite: Suite, tree: Tree) -> Iterator[Problem]:
    for language, pairs, place in _languages(suite, tree):
        clusters = len({pair.sample.cluster for pair in pairs})
        if clusters < FEW_CLUSTERS:
            words = "1 word" if clusters == 1 else f"{clusters} words"
            yield Problem(
                place, f"audit.{language}: pairs for only {words}; fewer than {FEW_CLUSTERS} prove little"
            )


def _same_targets(suite: Suite) -> Iterator[Problem]:
    for language, pair in _pairs(suite):
        reading_of: dict[str, str] = {}
        for reading, texts in pair.targets.items():
            for text in texts:
                first = reading_of.setdefault(text.casefold(), reading)
                if first != reading:
                    yield Problem(pair.place, f'audit.{language}: "{text}" is both {first} and {reading}')


def _copied(suite: Suite) -> Iterator[Problem]:
    for language, pair in _pairs(suite):
        for text in (text for texts in pair.targets.values() for text in texts):
            if text.casefold() == pair.sample.source.casefold():
                yield Problem(
                    pair.place, f"audit.{language}: a target is its source, not a translation of it"
                )


def _repeated(suite: Suite) -> Iterator[Problem]:
    for language, pairs in suite.audit.items():
        first: dict[tuple[object, ...], Place] = {}
        for pair in pairs:
            for text in (text for texts in pair.targets.values() for text in texts):
                key = (pair.sample.source, pair.sample.focus, pair.sample.category, text)
                place = first.setdefault(key, pair.place)
                if place != pair.place:
                    yield Problem(pair.place, f'audit.{language}: "{text}" is also at {place}')
