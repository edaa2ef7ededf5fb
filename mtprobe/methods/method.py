"""What a method looks like: it says which scores it needs, then turns them into a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from mtprobe.methods.verdict import Verdict
from mtprobe.score.scorer import ScorePair, TokenLogProbs
from mtprobe.suite.sample import Sample, Suite


class Query(NamedTuple):
    """A score that a method asks for, and the reading that a good score would speak for."""

    side: str  # "correct" or "incorrect", or a choice of an open sample
    pair: ScorePair
    offset: float = 0.0  # taken off the score, when the evaluator is calibrated


class Method(Protocol):
    name: str
    needs_scores: bool

    def lacks(self, sample: Sample) -> str | None:
        """What a sample would need to be judged by this method, or None when it has it."""

    def queries(self, sample: Sample, translation: str, suite: Suite) -> list[Query]:
        """The scores that judging this translation takes."""

    def judge(self, queries: Sequence[Query], scores: Sequence[TokenLogProbs], suite: Suite) -> Verdict:
        """The verdict on a translation that is not degenerate."""
