"""The outcome of judging a sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mtprobe.suite.sample import Scalar


class Outcome(StrEnum):
    CORRECT = "correct"
    INCORRECT = "incorrect"
    UNDECIDED = "undecided"  # judged without a decision: outside the denominator, counted
    DEGENERATE = "degenerate"  # not a translation: never correct, whatever its scores say
    OPEN = "open"  # no answer is right: the choice counts, and the sample for no accuracy
    ERROR = "error"  # not judged


EITHER = (
    "either"  # the translation conveys two readings alike: undecided, and no other method could decide it
)
TRANSLATION = "translation"  # the side of the model's own translation among given targets
REFERENCE = "reference"  # the side of a known good translation that a wrong one is compared with


@dataclass(frozen=True, slots=True)
class Evidence:
    """One item that the verdict is based on: a contrastive source with its score, a matched word …"""

    side: str  # the reading that it supports: "correct" or "incorrect", or a choice
    text: str
    score: float | None = None  # mean token log-probability, natural log
    offset: float = (
        0.0  # subtracted from the score before comparing: the evaluator's preference for this reading
    )
    attributes: Mapping[str, Scalar] = field(default_factory=dict)  # of a variant among given targets
    tokens: tuple[tuple[int, int, float], ...] = ()  # start and end in what was scored, and log-probability
    by_evaluator: tuple[float, ...] = ()  # of several evaluators, the score by each; `score` is their mean


@dataclass(frozen=True, slots=True)
class Verdict:
    outcome: Outcome
    reason: str = ""  # why degenerate, undecided or error
    probability: float | None = None  # of the right reading, or of the choice, by the evaluator
    evidence: tuple[Evidence, ...] = ()
    choice: str | None = None  # what an open sample's translation chose
    reading: str | None = None  # the category that the translation conveys, if the method knows; or `EITHER`
    compared: tuple[tuple[int, int], ...] = ()  # the parts of the translation that scores are of; empty: all
    margin: float | None = None  # by how much the right side's best score exceeds the wrong side's
    by: str = ""  # the method that decided, where several are combined
    opinions: Mapping[str, Outcome] = field(default_factory=dict)  # of each combined method that was asked

    @property
    def withheld(self) -> bool:
        """Undecided although there are scores: their margin is within the noise, and either reading may be right."""
        return self.outcome is Outcome.UNDECIDED and self.margin is not None

    @property
    def confidence(self) -> float | None:
        """How far from undecided, 0 to 0.5."""
        return None if self.probability is None else abs(self.probability - 0.5)


@dataclass(frozen=True, slots=True)
class Result:
    """A sample, its translation and its verdict: all that metrics, gates and reports need."""

    id: str
    source: str
    focus: tuple[int, int] | None
    category: str | None
    attributes: Mapping[str, Scalar]
    cluster: str
    path: str
    line: int
    translation: str | None
    verdict: Verdict
    choices: tuple[str, ...] = ()  # of an open sample: the readings to choose between
    content: str = ""  # a digest of source and evidence; empty in records before 1.4
    label: str = ""  # what a person says about this translation: correct, incorrect, unclear, or a choice
    drawn: float | None = None  # the sample's probability of being drawn for labels; None if it was not
    context: tuple[str, ...] = ()  # the sentences before the source, if the sample has some

    @property
    def compared(self) -> str:
        """The words of the translation that were compared; empty if all were."""
        words = ""
        last = 0
        for start, end in self.verdict.compared:
            gap = (self.translation or "")[last:start]
            separator = " … " if gap.strip() else " " * bool(gap)
            words += f"{separator if words else ''}{(self.translation or '')[start:end]}"
            last = end
        return words
