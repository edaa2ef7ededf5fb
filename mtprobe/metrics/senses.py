"""Which senses wrong translations have (DiBiMT): the most frequent one, or any that is more frequent than the right one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from mtprobe.methods.verdict import Evidence, Outcome, Result
from mtprobe.metrics.groups import RANK
from mtprobe.metrics.shares import share
from mtprobe.metrics.tally import Tally
from mtprobe.statistics.intervals import Mask
from mtprobe.statistics.measure import Measure

_UNKNOWN = "no wrong translation whose sense and its rank are known"


def mfs(tally: Tally, mask: Mask, level: float = 0.95) -> Measure:
    """The share of wrong translations whose lemma belongs to the word's most frequent sense."""
    return _share_of_wrong(tally, mask, level, lambda found, _: found == 1)


def mfs_plus(tally: Tally, mask: Mask, level: float = 0.95) -> Measure:
    """The share of wrong translations whose lemma belongs to a more frequent sense than the right one."""
    return _share_of_wrong(tally, mask, level, lambda found, right: found < right)


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
