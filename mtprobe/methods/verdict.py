"""The outcome of judging a sample."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mtprobe.suite.sample import CONTROL, Sample, Scalar
from mtprobe.suite.shipped import shown_path


class Outcome(StrEnum):
    """The kinds of verdict."""

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
ALIGNED = "aligned"  # the side of the words of a translation that are aligned with the focus
REFERENCE = "reference"  # the side of a known good translation that a wrong one is compared with


@dataclass(frozen=True, slots=True)
class Evidence:
    """One piece of evidence for a verdict: a contrastive source with its score, a matched word …"""

    side: str  # the supported reading: "correct", "incorrect", or a choice
    text: str  # a contrastive source, a target, or a matched word
    score: float | None = None  # mean token log-probability (natural log)
    offset: float = 0.0  # subtracted before comparing: the evaluator's preference for this reading
    attributes: Mapping[str, Scalar] = field(default_factory=dict)  # attributes of a target variant
    tokens: tuple[tuple[int, int, float], ...] = ()  # start, end and log-probability of each scored token
    by_evaluator: tuple[float, ...] = ()  # with several evaluators, the score by each; `score` is their mean


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a translation, with its evidence."""

    outcome: Outcome  # correct, incorrect, or why it is neither
    reason: str = ""  # why the sample is degenerate, undecided or an error
    probability: float | None = None  # the evaluator's probability of the right reading, or of the choice
    evidence: tuple[Evidence, ...] = ()  # what the verdict is based on
    choice: str | None = None  # in an open sample: the reading that the translation chose
    reading: str | None = None  # the category that the translation conveys, if known; or `EITHER`
    compared: tuple[tuple[int, int], ...] = ()  # the parts of the translation that were scored; empty: all
    margin: float | None = None  # best score of the right side minus best score of the wrong side
    by: str = ""  # the deciding method, if several are combined
    opinions: Mapping[str, Outcome] = field(default_factory=dict)  # the outcomes of the combined methods

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

    id: str  # the sample's id
    source: str  # the source as the model saw it, without focus marks
    focus: tuple[int, int] | None  # start and end of the focus in the source
    category: str | None  # the sample's category
    attributes: Mapping[str, Scalar]  # the sample's attributes by name
    cluster: str  # samples of the same cluster are not independent
    path: str  # the file that contains the sample
    line: int  # the line in that file
    translation: str | None  # the translation by the model under test; null if the method needs none
    verdict: Verdict  # the verdict on this translation
    choices: tuple[str, ...] = ()  # in an open sample: the possible readings
    content: str = ""  # digest of source and evidence; empty in records before 1.4
    label: str = ""  # a person's label of this translation: correct, incorrect, unclear, or a choice
    drawn: float | None = None  # probability of being drawn for labelling; null: not drawn
    context: tuple[str, ...] = ()  # the sentences before the source, if any
    repeat: int = 0  # the number of the repeat, from 1; 0 if the sentence was translated once

    @classmethod
    def of(
        cls, sample: Sample, translation: str | None, verdict: Verdict, *, content: str = "", repeat: int = 0
    ) -> Result:
        return cls(
            id=sample.id,
            source=sample.source,
            focus=sample.focus,
            category=sample.category,
            attributes=sample.attributes,
            cluster=sample.cluster,
            path=str(sample.place.path),
            line=sample.place.line,
            translation=translation,
            verdict=verdict,
            choices=sample.choices,
            content=content,
            context=sample.context,
            repeat=repeat,
        )

    @property
    def is_first(self) -> bool:
        """Whether it is the sample's only translation, or the first of several."""
        return self.repeat <= 1

    @property
    def is_control(self) -> bool:
        """Whether the sample must not raise an alarm; then it is outside every accuracy."""
        return self.attributes.get(CONTROL) is True

    @property
    def name(self) -> str:
        """The id, with the repeat where there are several."""
        return f"{self.id} (repeat {self.repeat})" if self.repeat else self.id

    @property
    def place(self) -> str:
        """Path and line for people."""
        return f"{shown_path(self.path)}:{self.line}"

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


def first_repeat(results: Iterable[Result]) -> tuple[Result, ...]:
    """One result per sample: that of its only translation, or of the first."""
    return tuple(result for result in results if result.is_first)


def one_per_sample(results: Iterable[Result]) -> list[Result]:
    """The first result of each sample, in order."""
    first: dict[str, Result] = {}
    for result in results:
        first.setdefault(result.id, result)
    return list(first.values())
