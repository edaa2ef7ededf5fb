"""Which senses wrong translations have (DiBiMT): the most frequent one, or any that is more frequent than the right one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from mtprobe.methods.verdict import Evidence, Outcome, Result
from mtprobe.metrics.groups import RANK, check_sense_attribute
from mtprobe.metrics.metric import Context, Metric
from mtprobe.metrics.selectors import Brackets, Selector, SelectorError
from mtprobe.metrics.shares import share
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.intervals import Mask
from mtprobe.statistics.measure import Measure
from mtprobe.suite.sample import Suite

_UNKNOWN = "no wrong translation whose sense and its rank are known"


class _MostFrequentSense(Metric):
    name = "mfs"
    about = "the share of wrong translations that have the word's most frequent sense"
    higher_is_better = False

    def measure(self, context: Context, selector: Selector, level: float = 0.95) -> Measure:
        tally = context.tally
        return _share_of_wrong(tally, selector.mask(tally), level, lambda wrong, _: wrong == 1)

    def check(self, brackets: Brackets, suite: Suite) -> None:
        check_sense_attribute(self.name, RANK, suite)
        if not any(sample.senses for sample in suite.samples):
            raise SelectorError(
                f"{self.name} needs samples with `senses`, and bad lemmas that stand by sense"
            )
        super().check(brackets, suite)


class _MoreFrequentSense(_MostFrequentSense):
    name = "mfs_plus"
    about = "the share of wrong translations that have a more frequent sense than the right one"

    def measure(self, context: Context, selector: Selector, level: float = 0.95) -> Measure:
        tally = context.tally
        return _share_of_wrong(tally, selector.mask(tally), level, lambda wrong, right: wrong < right)


def deciding(result: Result) -> Iterator[Evidence]:
    """The matches that a lexicon's verdict rests on."""
    side = {Outcome.CORRECT: "correct", Outcome.INCORRECT: "incorrect"}.get(result.verdict.outcome)
    return (one for one in result.verdict.evidence if one.side == side and "lemma" in one.attributes)


def senses_of(result: Result) -> frozenset[str]:
    """The senses that the translation may have; none where nothing was found or no sense is known of it."""
    return frozenset(str(one.attributes["sense"]) for one in deciding(result) if "sense" in one.attributes)


def wrong_rank(result: Result) -> int | None:
    """The rank of the sense of a wrong translation: of several that fit, the most frequent counts."""
    if result.verdict.outcome is not Outcome.INCORRECT:
        return None
    return min(
        (int(one.attributes[RANK]) for one in deciding(result) if RANK in one.attributes), default=None
    )


def _share_of_wrong(tally: Tally, mask: Mask, level: float, counts: Callable[[int, int], bool]) -> Measure:
    ranks = [(wrong_rank(result), result.attributes.get(RANK)) for result in tally.results]
    known = np.array([found is not None and right is not None for found, right in ranks], dtype=bool)
    counted = np.array(
        [found is not None and right is not None and counts(found, int(right)) for found, right in ranks],
        dtype=bool,
    )
    found = share(tally, counted, mask & known, level)
    return Measure.nothing(_UNKNOWN) if found.value is None else found


MFS = _MostFrequentSense()
MFS_PLUS = _MoreFrequentSense()
