"""Selection: of the proposals for a sense, those that discriminate best on translations that are known to have it.

A correct cue discriminates well when the evaluator gives the references a good score with it, an incorrect one when
it gives them a bad score (Vamvas and Sennrich, 2021, Appendix D); scores are exp of the mean token log-probability.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtprobe.authoring.cues.limits import Limits
from mtprobe.authoring.cues.material import Context, Word
from mtprobe.authoring.cues.propose import Proposals
from mtprobe.backends.scorer import ScorePair, Scorer, mean
from mtprobe.backends.scoring import score_all
from mtprobe.errors import Failure
from mtprobe.methods.audit_pairs.answers import halves
from mtprobe.progress import Silent
from mtprobe.store import Store
from mtprobe.suite.samples.focus import insert_cue

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Evaluator:
    """Who scores, and where scores are kept."""

    scorer: Scorer
    store: Store | None
    language: str  # of the sources


@dataclass(frozen=True, slots=True)
class Cue:
    """A cue, and the mean score of the references with it."""

    word: str
    score: float


@dataclass(frozen=True, slots=True)
class Told:
    """How many translations contrastive conditioning tells right with some cues."""

    right: int = 0
    n: int = 0

    def __add__(self, other: Told) -> Told:
        return Told(self.right + other.right, self.n + other.n)


@dataclass(frozen=True, slots=True)
class SenseCues:
    """What was found for one sense."""

    sense: str
    proposals: Proposals
    correct: tuple[Cue, ...] = ()
    incorrect: tuple[Cue, ...] = ()
    references: Told = Told()  # with the cues that were selected on them
    held_out: Told = Told()  # with cues that the other half of the contexts selected
    wrong: Told = Told()  # translations that are known to have another sense
    problem: str = ""  # why there are no cues
    failed: int = 0  # translations that could not be scored


@dataclass(frozen=True, slots=True)
class _Scores:
    """Of translations (rows) with the correct and the incorrect proposals (columns): mean log-probabilities."""

    correct: Floats
    incorrect: Floats
    half: NDArray[np.intp]  # by row

    def part(self, rows: NDArray[np.bool_]) -> _Scores:
        return _Scores(self.correct[rows], self.incorrect[rows], self.half[rows])


def select(
    word: Word, proposals: Mapping[str, Proposals], evaluator: Evaluator, limits: Limits
) -> tuple[SenseCues, ...]:
    """The cues of every sense of a word."""
    wanted = [
        pair
        for sense, contexts in word.senses.items()
        for context in contexts
        for target in (*context.right, *context.wrong)
        for pair in _pairs(context, target, _both(proposals[sense]), evaluator.language)
    ]
    found = score_all(evaluator.scorer, wanted, evaluator.store, Silent())
    scores = {pair: mean(one) for pair, one in found.items() if not isinstance(one, Failure)}
    return tuple(
        _selected(sense, contexts, proposals[sense], scores, evaluator.language, limits)
        for sense, contexts in word.senses.items()
    )


def _selected(
    sense: str,
    contexts: Sequence[Context],
    proposals: Proposals,
    scores: Mapping[ScorePair, float],
    language: str,
    limits: Limits,
) -> SenseCues:
    lacking = [side for side in ("correct", "incorrect") if not getattr(proposals, side)]
    if lacking:
        return SenseCues(sense, proposals, problem=f"no word is only expected for {_whose(lacking[0])}")
    if not any(context.right for context in contexts):
        return SenseCues(sense, proposals, problem="no reference to select cues on")
    with_references = [context for context in contexts if context.right]
    half = halves([context.id for context in with_references])
    right = [
        (context, one, at) for context, at in zip(with_references, half, strict=True) for one in context.right
    ]
    wrong = [(context, one, 0) for context in contexts for one in context.wrong]
    # The best cue of a side counts, so a side with more of them would have the better chance.
    count = min(limits.cues, len(proposals.correct), len(proposals.incorrect))
    known, lost = _table(right, proposals, scores, language)
    if not len(known.half):
        return SenseCues(sense, proposals, problem="no reference could be scored", failed=lost)
    others, also_lost = _table(wrong, proposals, scores, language)
    correct, incorrect = _best(known, count)
    return SenseCues(
        sense,
        proposals,
        tuple(Cue(proposals.correct[at], float(np.exp(known.correct[:, at]).mean())) for at in correct),
        tuple(Cue(proposals.incorrect[at], float(np.exp(known.incorrect[:, at]).mean())) for at in incorrect),
        references=_told(known, correct, incorrect),
        held_out=_held_out(known, count),
        wrong=_told(others, correct, incorrect, expected=False),
        failed=lost + also_lost,
    )


def _table(
    rows: Sequence[tuple[Context, str, int]],
    proposals: Proposals,
    scores: Mapping[ScorePair, float],
    language: str,
) -> tuple[_Scores, int]:
    """The scores of those translations that could be scored with every proposal, and how many could not."""
    kept: list[list[float]] = []
    halves_kept: list[int] = []
    for context, target, half in rows:
        found = [scores.get(pair) for pair in _pairs(context, target, _both(proposals), language)]
        row = [one for one in found if one is not None]
        if len(row) == len(found):
            kept.append(row)
            halves_kept.append(half)
    columns = len(proposals.correct)
    table = np.array(kept, dtype=np.float64).reshape(len(kept), len(_both(proposals)))
    made = _Scores(table[:, :columns], table[:, columns:], np.array(halves_kept, dtype=np.intp))
    return made, len(rows) - len(kept)


def _best(scores: _Scores, count: int) -> tuple[list[int], list[int]]:
    """The correct cues with the best mean scores and the incorrect ones with the worst; the first of equals."""
    correct = np.argsort(-np.exp(scores.correct).mean(axis=0), kind="stable")
    incorrect = np.argsort(np.exp(scores.incorrect).mean(axis=0), kind="stable")
    return [int(at) for at in correct[:count]], [int(at) for at in incorrect[:count]]


def _told(
    scores: _Scores, correct: Sequence[int], incorrect: Sequence[int], *, expected: bool = True
) -> Told:
    """As contrastive conditioning decides: the best cue of a side counts. A tie tells nothing, so it is not right."""
    if not len(scores.half):
        return Told()
    margin = scores.correct[:, correct].max(axis=1) - scores.incorrect[:, incorrect].max(axis=1)
    return Told(int((margin > 0).sum() if expected else (margin < 0).sum()), len(margin))


def _held_out(scores: _Scores, count: int) -> Told:
    """Each half is judged with the cues that the other half selects, so that no reference helps to choose its judge."""
    total = Told()
    for half in (0, 1):
        chosen, judged = scores.part(scores.half != half), scores.part(scores.half == half)
        if len(chosen.half) and len(judged.half):
            total += _told(judged, *_best(chosen, count))
    return total


def _pairs(context: Context, target: str, cues: Sequence[str], language: str) -> list[ScorePair]:
    return [ScorePair(insert_cue(context.source, context.focus, cue, language), target) for cue in cues]


def _both(proposals: Proposals) -> tuple[str, ...]:
    return (*proposals.correct, *proposals.incorrect)


def _whose(side: str) -> str:
    return "this sense" if side == "correct" else "the other senses"
