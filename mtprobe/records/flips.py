"""The samples that flipped between two runs, each once even if several methods judged it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from mtprobe.metrics.pairing import Pair
from mtprobe.records.comparison import SuiteComparison


class FlipKind(StrEnum):
    REGRESSED = "regressed"
    FIXED = "fixed"
    MIXED = "regressed by one method, fixed by another"


@dataclass(frozen=True, slots=True)
class Flip:
    """A sample whose verdict another translation, or another judge, turned."""

    comparison: SuiteComparison  # the first in which it flipped
    pair: Pair  # in that one
    by: tuple[tuple[str, Pair], ...]  # every method whose verdict flipped

    @property
    def kind(self) -> FlipKind:
        regressed = {pair.regressed for _, pair in self.by}
        if len(regressed) > 1:
            return FlipKind.MIXED
        return FlipKind.REGRESSED if regressed == {True} else FlipKind.FIXED


@dataclass(frozen=True, slots=True)
class SuiteFlips:
    """The flips of a suite in one pair of languages, on one pair of models."""

    suite: SuiteComparison  # by the first of its methods
    methods: int  # that judged it
    flips: tuple[Flip, ...]

    @property
    def title(self) -> str:
        return self.suite.titled()

    def of(self, kind: FlipKind) -> list[Flip]:
        return [flip for flip in self.flips if flip.kind is kind]


def flips_of(suites: Iterable[SuiteComparison]) -> list[SuiteFlips]:
    """Flips by suite, in the order of the comparison; the same translations under several methods are one flip."""
    groups: dict[tuple[str, ...], list[SuiteComparison]] = {}
    for suite in suites:
        after = suite.after
        key = (after.suite, after.path, after.source, after.target, suite.before.model.name, after.model.name)
        groups.setdefault(key, []).append(suite)
    return [SuiteFlips(group[0], len(group), tuple(_merged(group))) for group in groups.values()]


def _merged(suites: Iterable[SuiteComparison]) -> list[Flip]:
    flips: dict[tuple[str, str | None, str | None], Flip] = {}
    for suite in suites:
        for pair in (*suite.regressed, *suite.fixed):
            key = pair.after.id, pair.before.translation, pair.after.translation
            known = flips.get(key, Flip(suite, pair, ()))
            flips[key] = Flip(known.comparison, known.pair, (*known.by, (suite.after.method, pair)))
    return list(flips.values())
