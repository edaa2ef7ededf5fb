"""What judging a sample gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mtprobe.suite.sample import Scalar


class Outcome(StrEnum):
    CORRECT = "correct"
    INCORRECT = "incorrect"
    UNDECIDED = "undecided"  # judged without a decision: outside the denominator, counted
    DEGENERATE = "degenerate"  # no translation at all: never correct, whatever its scores say
    OPEN = "open"  # no answer is right: the choice counts, and the sample for no accuracy
    ERROR = "error"  # not judged


TRANSLATION = "translation"  # the side of a model's own translation among given targets
REFERENCE = "reference"  # the side of a translation that is known to be good, beside a model's wrong one


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that the verdict rests on: a contrastive source with its score, a matched word …"""

    side: str  # the reading that it speaks for: "correct" or "incorrect", or a choice
    text: str
    score: float | None = None  # mean token log-probability, natural log
    offset: float = 0.0  # taken off the score before it was compared: the evaluator's leaning to this reading
    attributes: Mapping[str, Scalar] = field(default_factory=dict)  # of a variant among given targets
    tokens: tuple[tuple[int, int, float], ...] = ()  # start and end in what was scored, and log-probability


@dataclass(frozen=True, slots=True)
class Verdict:
    outcome: Outcome
    reason: str = ""  # why degenerate, undecided or error
    probability: float | None = None  # of the right reading, or of the choice, by the evaluator
    evidence: tuple[Evidence, ...] = ()
    choice: str | None = None  # what an open sample's translation chose
    reading: str | None = None  # the category that the translation conveys, where the method can tell
    margin: float | None = None  # by how much the right side's best score exceeds the wrong side's

    @property
    def confidence(self) -> float | None:
        """How far from undecided, 0 to 0.5."""
        return None if self.probability is None else abs(self.probability - 0.5)


@dataclass(frozen=True, slots=True)
class Result:
    """A sample, its translation and its verdict: all that metrics, gates and reports need to know."""

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
    choices: tuple[str, ...] = ()  # of an open sample: what it may choose between
    content: str = ""  # a digest of source and evidence; none in records before 1.4
