"""Selects, for each sense, the proposals that discriminate best on translations of known sense.

A correct cue discriminates well if the evaluator scores the references high with it, an incorrect one if it scores
them low (Vamvas and Sennrich, 2021, Appendix D); scores are exp of the mean token log-probability.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mtprobe.authoring.cues.material import AmbiguousWord, FocusContext
from mtprobe.authoring.cues.propose import Limits, Proposals
from mtprobe.backends.scorer import ScorePair, Scorer, mean
from mtprobe.backends.stored import score_all
from mtprobe.errors import Failure
from mtprobe.methods.audit_pairs.answers import halves
from mtprobe.progress import Silent
from mtprobe.store import Store
from mtprobe.suite.samples.focus import insert_cue

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Evaluator:
    """The model that provides scores, and where they are stored."""

    scorer: Scorer
    store: Store | None
    language: str  # of the sources


@dataclass(frozen=True, slots=True)
class SelectedCue:
    """A cue with the mean score of the references."""

    word: str
    score: float
    texts: Mapping[str, str] = field(
        default_factory=dict
    )  # in place of the focus: its form, by spelling of the focus


@dataclass(frozen=True, slots=True)
class Judged:
    """How many translations contrastive conditioning judges correctly with some cues."""

    right: int = 0
    n: int = 0

    def __add__(self, other: Judged) -> Judged:
        return Judged(self.right + other.right, self.n + other.n)


@dataclass(frozen=True, slots=True)
class SenseCues:
    """The cues of one sense."""

    sense: str
    proposals: Proposals
    correct: tuple[SelectedCue, ...] = ()
    incorrect: tuple[SelectedCue, ...] = ()
    references: Judged = Judged()  # with the cues selected on them
    held_out: Judged = Judged()  # with cues selected on the other half of the contexts
    wrong: Judged = Judged()  # translations known to have another sense
    problem: str = ""  # why there are no cues
    failed: int = 0  # translations that could not be scored


@dataclass(frozen=True, slots=True)
class _Scores:
    """Mean log-probabilities of translations (rows) with the correct and the incorrect proposals (columns)."""

    correct: Floats
    incorrect: Floats
    half: NDArray[np.intp]  # by row

    def part(self, rows: NDArray[np.bool_]) -> _Scores:
        return _Scores(self.correct[rows], self.incorrect[rows], self.half[rows])


def select(
    word: AmbiguousWord, proposals: Mapping[str, Proposals], evaluator: Evaluator, limits: Limits
) -> tuple[SenseCues, ...]:
    """The cues of every sense of a word."""
    wanted = [
        pair
        for sense, contexts in word.senses.items()
        for context in contexts
        for target in (*context.right, *context.wrong)
        for pair in _pairs(context, target, _both(proposals[sense]), evaluator.language)
    ]
    scored = score_all(evaluator.scorer, wanted, evaluator.store, Silent())
    scores = {pair: mean(score) for pair, score in scored.items() if not isinstance(score, Failure)}
    return tuple(
        _selected(sense, contexts, proposals[sense], scores, evaluator.language, limits)
        for sense, contexts in word.senses.items()
    )


def _selected(
    sense: str,
    contexts: Sequence[FocusContext],
    proposals: Proposals,
    scores: Mapping[ScorePair, float],
    language: str,
    limits: Limits,
) -> SenseCues:
    for side, whose in ((proposals.correct, "this sense"), (proposals.incorrect, "the other senses")):
        if not side:
            return SenseCues(sense, proposals, problem=f"no word is expected only for {whose}")
    if not any(context.right for context in contexts):
        return SenseCues(sense, proposals, problem="no reference to select cues with")
    with_references = [context for context in contexts if context.right]
    half = halves([context.id for context in with_references])
    right = [
        (context, text, at)
        for context, at in zip(with_references, half, strict=True)
        for text in context.right
    ]
    wrong = [(context, text, 0) for context in contexts for text in context.wrong]
    # The best cue of a side counts, so a side with more cues would have an advantage.
    count = min(limits.cues, len(proposals.correct), len(proposals.incorrect))
    own, failed = _table(right, proposals, scores, language)
    if not len(own.half):
        return SenseCues(sense, proposals, problem="no reference could be scored", failed=failed)
    others, others_failed = _table(wrong, proposals, scores, language)
    correct, incorrect = _best(own, count)
    return SenseCues(
        sense,
        proposals,
        tuple(SelectedCue(proposals.correct[at], float(np.exp(own.correct[:, at]).mean())) for at in correct),
        tuple(
            SelectedCue(proposals.incorrect[at], float(np.exp(own.incorrect[:, at]).mean()))
            for at in incorrect
        ),
        references=_judged(own, correct, incorrect),
        held_out=_held_out(own, count),
        wrong=_judged(others, correct, incorrect, expected=False),
        failed=failed + others_failed,
    )


def _table(
    rows: Sequence[tuple[FocusContext, str, int]],
    proposals: Proposals,
    scores: Mapping[ScorePair, float],
    language: str,
) -> tuple[_Scores, int]:
    """The scores of translations that could be scored with every proposal, and how many could not."""
    complete: list[list[float]] = []
    complete_halves: list[int] = []
    for context, target, half in rows:
        pairs = _pairs(context, target, _both(proposals), language)
        row = [scores[pair] for pair in pairs if pair in scores]
        if len(row) == len(pairs):
            complete.append(row)
            complete_halves.append(half)
    columns = len(proposals.correct)
    table = np.array(complete, dtype=np.float64).reshape(len(complete), len(_both(proposals)))
    scored = _Scores(table[:, :columns], table[:, columns:], np.array(complete_halves, dtype=np.intp))
    return scored, len(rows) - len(complete)


def _best(scores: _Scores, count: int) -> tuple[list[int], list[int]]:
    """The correct cues with the highest mean scores and the incorrect ones with the lowest; the first of equals."""
    correct = np.argsort(-np.exp(scores.correct).mean(axis=0), kind="stable")
    incorrect = np.argsort(np.exp(scores.incorrect).mean(axis=0), kind="stable")
    return [int(at) for at in correct[:count]], [int(at) for at in incorrect[:count]]


def _judged(
    scores: _Scores, correct: Sequence[int], incorrect: Sequence[int], *, expected: bool = True
) -> Judged:
    """As in contrastive conditioning, the best cue of a side counts. A tie is not correct."""
    if not len(scores.half):
        return Judged()
    margin = scores.correct[:, correct].max(axis=1) - scores.incorrect[:, incorrect].max(axis=1)
    return Judged(int((margin > 0).sum() if expected else (margin < 0).sum()), len(margin))


def _held_out(scores: _Scores, count: int) -> Judged:
    """Judges each half with cues selected on the other half, so that no reference selects its own cues."""
    total = Judged()
    for half in (0, 1):
        training, test = scores.part(scores.half != half), scores.part(scores.half == half)
        if len(training.half) and len(test.half):
            total += _judged(test, *_best(training, count))
    return total


def _pairs(context: FocusContext, target: str, cues: Sequence[str], language: str) -> list[ScorePair]:
    return [ScorePair(insert_cue(context.source, context.focus, cue, language), target) for cue in cues]


def _both(proposals: Proposals) -> tuple[str, ...]:
    return (*proposals.correct, *proposals.incorrect)
