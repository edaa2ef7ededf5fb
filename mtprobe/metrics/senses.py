"""The senses of wrong translations (DiBiMT): the most frequent one, or any more frequent than the right one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from mtprobe.methods.verdict import Evidence, Outcome, Result, first_repeat
from mtprobe.metrics.groups import RANK, SenseMetric
from mtprobe.metrics.metric import MetricContext
from mtprobe.metrics.selectors import Brackets, Selector, SelectorError
from mtprobe.metrics.shares import estimated_share
from mtprobe.statistics.agreement import proportion
from mtprobe.statistics.measure import Estimated, Measure
from mtprobe.suite.sample import Suite

_UNKNOWN = "no wrong translation with a known sense and rank"


class _MostFrequentSense(SenseMetric):
    name = "mfs"
    about = "the share of wrong translations that have the word's most frequent sense"

    def estimate(self, context: MetricContext, selector: Selector) -> Estimated:
        """Over all wrong translations; one whose sense or rank is unknown does not count as more frequent."""
        tally = context.tally
        ranks = [(wrong_rank(result), result.attributes.get(RANK)) for result in tally.results]
        known = [None if wrong is None or right is None else (wrong, int(right)) for wrong, right in ranks]
        ranked = np.array([pair is not None for pair in known], dtype=bool)
        counted = np.array([pair is not None and self.counts(*pair) for pair in known], dtype=bool)
        wrong = selector.mask(tally) & (tally.outcomes == Outcome.INCORRECT)
        if not (wrong & ranked).any():
            return Estimated.nothing(_UNKNOWN)
        unknown = tally.count(wrong & ~ranked)
        note = f"{unknown:,} without a known sense or rank" if unknown else ""
        return replace(estimated_share(tally, counted, wrong), note=note)

    def counts(self, wrong: int, right: int) -> bool:
        """Whether a wrong translation counts, by the ranks of its sense and of the right one."""
        return wrong == 1

    def check(self, brackets: Brackets, suite: Suite) -> None:
        if self.attribute in suite.attributes and not any(sample.senses for sample in suite.samples):
            raise SelectorError(f"{self.name} needs samples with `senses`, and bad lemmas listed by sense")
        super().check(brackets, suite)


class _MoreFrequentSense(_MostFrequentSense):
    name = "mfs_plus"
    about = "the share of wrong translations that have a more frequent sense than the right one"

    def counts(self, wrong: int, right: int) -> bool:
        return wrong < right


def deciding(result: Result) -> Iterator[Evidence]:
    """The matches that decided a lexicon's verdict."""
    side = {Outcome.CORRECT: "correct", Outcome.INCORRECT: "incorrect"}.get(result.verdict.outcome)
    return (item for item in result.verdict.evidence if item.side == side and "lemma" in item.attributes)


def senses_of(result: Result) -> frozenset[str]:
    """The senses that the translation may have; none if no lemma matched or its senses are unknown."""
    return frozenset(str(item.attributes["sense"]) for item in deciding(result) if "sense" in item.attributes)


def wrong_rank(result: Result) -> int | None:
    """The sense rank of a wrong translation: if several senses fit, that of the most frequent."""
    if result.verdict.outcome is not Outcome.INCORRECT:
        return None
    return min(
        (int(item.attributes[RANK]) for item in deciding(result) if RANK in item.attributes), default=None
    )


def sense_agreement(first: Sequence[Result], second: Sequence[Result], level: float = 0.95) -> Measure:
    """Do two sets of translations, into two languages or by two models, convey the same senses?

    The share of samples in which a sense fits both translations, among those in which a known lemma was found in both.
    A wrong lemma without a known sense shares none with another lemma; the note counts the samples with such a lemma.
    """
    others = {key(result): result for result in first_repeat(second)}
    both = [
        (result, other)
        for result in first_repeat(first)
        if any(deciding(result)) and (other := others.get(key(result))) is not None and any(deciding(other))
    ]
    shared = np.array([_share_a_sense(result, other) for result, other in both], dtype=bool)
    everything = np.ones(len(both), dtype=bool)
    measured = proportion(shared, everything, [result.cluster for result, _ in both], None, level)
    unknown = sum(any(map(_has_no_known_sense, pair)) for pair in both)
    return replace(measured, note=f"{unknown:,} with a lemma of unknown sense") if unknown else measured


def _share_a_sense(result: Result, other: Result) -> bool:
    outcomes = {result.verdict.outcome, other.verdict.outcome}
    if outcomes == {Outcome.CORRECT} or not senses_of(result).isdisjoint(senses_of(other)):
        return True
    return len(outcomes) == 1 and not _lemmas_of(result).isdisjoint(_lemmas_of(other))


def _has_no_known_sense(result: Result) -> bool:
    return result.verdict.outcome is Outcome.INCORRECT and not senses_of(result)


def _lemmas_of(result: Result) -> frozenset[str]:
    return frozenset(str(item.attributes["lemma"]) for item in deciding(result))


def key(result: Result) -> tuple[str, str]:
    """The identity of a sample across runs: its file and its id."""
    return result.path, result.id


MFS = _MostFrequentSense()
MFS_PLUS = _MoreFrequentSense()
