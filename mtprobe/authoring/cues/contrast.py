"""Selects replacement cues: translations of known sense decide which candidates indicate which sense.

All references of a word are scored with all candidates in its place. A candidate speaks for a sense if that sense's
references fit it, and better than the references of the other senses do. What a synset's candidates say on average, and
what its gloss has in common with the sense, shows which sense the synset is.

One cue serves both sides: correct in its own sense, incorrect in the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

import numpy as np
from numpy.typing import NDArray

from mtprobe.authoring.cues.material import AmbiguousWord, FocusContext
from mtprobe.authoring.cues.propose import Limits, Proposals
from mtprobe.authoring.cues.replacements import Candidate, Candidates
from mtprobe.authoring.cues.select import Evaluator, Judged, SelectedCue, SenseCues
from mtprobe.authoring.cues.thesaurus import Group
from mtprobe.backends.scorer import ScorePair, mean
from mtprobe.backends.stored import score_all
from mtprobe.errors import Failure
from mtprobe.methods.audit_pairs.answers import halves
from mtprobe.progress import Silent
from mtprobe.suite.samples.focus import insert_cue

Floats = NDArray[np.float64]
Chosen = Mapping[str, Sequence[int]]  # by sense, the columns of its cues

# Chosen on the words of suites/wsd that are not reported on.
_AFFINITY, _MOST_AFFINITY = 0.5, 3.0


@dataclass(frozen=True, slots=True)
class _Row:
    context: FocusContext
    sense: str
    target: str
    half: int


@dataclass(frozen=True, slots=True)
class _Table:
    """Mean log-probabilities of translations (rows) with the candidates (columns)."""

    rows: Sequence[_Row]
    scores: Floats
    failed: Mapping[str, int]  # by sense

    def part(self, half: int) -> _Table:
        kept = [at for at, row in enumerate(self.rows) if row.half == half]
        return _Table([self.rows[at] for at in kept], self.scores[kept], {})


def propose_replacements(
    word: AmbiguousWord, candidates: Candidates, limits: Limits
) -> tuple[SenseCues, ...]:
    """Without references: what the glosses and the masked model say."""
    nothing = _Table([], np.zeros((0, len(candidates.candidates))), {})
    return _with_cues(word, candidates, nothing, nothing, replace(limits, cues=0))


def select_replacements(
    word: AmbiguousWord, candidates: Candidates, evaluator: Evaluator, limits: Limits
) -> tuple[SenseCues, ...]:
    """The replacement cues of every sense of a word."""
    right, wrong = _right(word), _wrong(word)
    if not right:
        return _without_cues(word, "no reference to select cues with")
    scores = _scores([*right, *wrong], candidates.candidates, evaluator)
    own = _table(right, candidates.candidates, scores, evaluator.language)
    if not own.rows:
        return _without_cues(word, "no reference could be scored")
    others = _table(wrong, candidates.candidates, scores, evaluator.language)
    return _with_cues(word, candidates, own, others, limits)


def _without_cues(word: AmbiguousWord, problem: str) -> tuple[SenseCues, ...]:
    return tuple(SenseCues(sense, Proposals((), ()), problem=problem) for sense in word.senses)


def _with_cues(
    word: AmbiguousWord, candidates: Candidates, own: _Table, wrong: _Table, limits: Limits
) -> tuple[SenseCues, ...]:
    if candidates.problem:
        return _without_cues(word, candidates.problem)
    senses = list(word.senses)
    chosen = _chosen(own, candidates, senses, limits.proposals)
    held_out = _held_out(own, candidates, senses, limits)
    selected = {sense: columns[: limits.cues] for sense, columns in chosen.items()}
    names = [candidate.lemma for candidate in candidates.candidates]
    found = []
    for sense in senses:
        correct, incorrect = (
            tuple(_cue(candidates.candidates[at], own, at, sense) for at in side)
            for side in _sides(selected, sense)
        )
        proposals = Proposals(
            tuple(names[at] for at in chosen[sense]),
            tuple(names[at] for at in _in_turn(chosen, sense)[: limits.proposals]),
        )
        found.append(
            SenseCues(
                sense,
                proposals,
                correct,
                incorrect,
                references=_judged(own, selected, sense),
                held_out=held_out[sense],
                wrong=_judged(wrong, selected, sense, expected=False),
                problem=_nothing_for(proposals),
                failed=own.failed.get(sense, 0) + wrong.failed.get(sense, 0),
            )
        )
    return tuple(found)


def _nothing_for(proposals: Proposals) -> str:
    for side, whose in ((proposals.correct, "this sense"), (proposals.incorrect, "the other senses")):
        if not side:
            return f"no candidate fits only {whose}"
    return ""


def _right(word: AmbiguousWord) -> list[_Row]:
    rows = []
    for sense, contexts in word.senses.items():
        with_references = [context for context in contexts if context.right]
        split = halves([context.id for context in with_references])
        for context, half in zip(with_references, split, strict=True):
            rows += [_Row(context, sense, target, int(half)) for target in context.right]
    return rows


def _wrong(word: AmbiguousWord) -> list[_Row]:
    return [
        _Row(context, sense, target, 0)
        for sense, contexts in word.senses.items()
        for context in contexts
        for target in context.wrong
    ]


def _scores(
    rows: Sequence[_Row], candidates: Sequence[Candidate], evaluator: Evaluator
) -> dict[ScorePair, float]:
    wanted = [pair for row in rows for pair in _pairs(row, candidates, evaluator.language)]
    scored = score_all(evaluator.scorer, wanted, evaluator.store, Silent())
    return {pair: mean(score) for pair, score in scored.items() if not isinstance(score, Failure)}


def _pairs(row: _Row, candidates: Sequence[Candidate], language: str) -> list[ScorePair]:
    context = row.context
    return [
        ScorePair(
            insert_cue(context.source, context.focus, f"<{candidate.texts[context.spelling]}>", language),
            row.target,
        )
        for candidate in candidates
    ]


def _table(
    rows: Sequence[_Row], candidates: Sequence[Candidate], scores: Mapping[ScorePair, float], language: str
) -> _Table:
    """The translations that could be scored with every candidate."""
    complete: list[_Row] = []
    table: list[list[float]] = []
    failed: dict[str, int] = {}
    for row in rows:
        pairs = _pairs(row, candidates, language)
        of_row = [scores[pair] for pair in pairs if pair in scores]
        if len(of_row) == len(pairs):
            complete.append(row)
            table.append(of_row)
        else:
            failed[row.sense] = failed.get(row.sense, 0) + 1
    return _Table(complete, np.array(table, np.float64).reshape(len(table), len(candidates)), failed)


def _chosen(table: _Table, candidates: Candidates, senses: Sequence[str], count: int) -> dict[str, list[int]]:
    """For each sense the columns of its candidates, the best first.

    A candidate's value is its own and that of the best group that proposes it, as a sense's synset is better known than
    what a single word does to scores. Not used is what WordNet lists for another sense's best group too.
    """
    own = _values(table, senses, len(candidates.candidates))
    members = [
        [at for at, candidate in enumerate(candidates.candidates) if candidate.lemma in group.lemmas]
        for group in candidates.groups
    ]
    of_groups = {
        sense: [
            float(own[sense][columns].mean()) + _AFFINITY * _distinct_affinity(group, sense)
            for group, columns in zip(candidates.groups, members, strict=True)
        ]
        for sense in senses
    }
    best = {sense: int(np.argmax(of_groups[sense])) for sense in senses}
    chosen = {}
    for sense in senses:
        elsewhere = frozenset[str]().union(
            *(candidates.groups[best[other]].listed for other in senses if best[other] != best[sense])
        )
        values = {}
        for at, candidate in enumerate(candidates.candidates):
            support = max(of_groups[sense][number] for number, columns in enumerate(members) if at in columns)
            value = float(own[sense][at]) + support
            if support > 0 and value > 0 and candidate.lemma not in elsewhere:
                values[at] = value
        chosen[sense] = sorted(values, key=values.__getitem__, reverse=True)
    times = Counter(at for columns in chosen.values() for at in columns)
    return {sense: [at for at in columns if times[at] == 1][:count] for sense, columns in chosen.items()}


def _values(table: _Table, senses: Sequence[str], count: int) -> dict[str, Floats]:
    """For each sense and candidate: how well its references fit, and how much better than those of the other senses.

    In standard deviations between candidates; 0 where there is no reference.
    """
    relative = table.scores - table.scores.mean(axis=1, keepdims=True)
    if relative.size and relative.std() > 0:
        relative = relative / relative.std()
    means = {}
    for sense in senses:
        rows = [at for at, row in enumerate(table.rows) if row.sense == sense]
        if rows:
            means[sense] = relative[rows].mean(axis=0)
    values = {}
    for sense in senses:
        others = [mean for other, mean in means.items() if other != sense]
        fit = means.get(sense, np.zeros(count))
        contrast = fit - np.mean(others, axis=0) if sense in means and others else np.zeros(count)
        values[sense] = np.asarray(fit + contrast)
    return values


def _distinct_affinity(group: Group, sense: str) -> float:
    """The affinity of a group to a sense, in excess of its affinity to the others."""
    others = max(affinity for other, affinity in group.affinity.items() if other != sense)
    return float(np.clip(group.affinity[sense] - others, -_MOST_AFFINITY, _MOST_AFFINITY))


def _sides(selected: Chosen, sense: str) -> tuple[list[int], list[int]]:
    """Equally many on both sides: the best cue of a side counts, so the longer side would have an advantage."""
    own, others = list(selected.get(sense, ())), _in_turn(selected, sense)
    count = min(len(own), len(others))
    return own[:count], others[:count]


def _in_turn(chosen: Chosen, sense: str) -> list[int]:
    others = [columns for other, columns in chosen.items() if other != sense]
    rows = chain.from_iterable(zip_longest(*others))
    return list(dict.fromkeys(at for at in rows if at is not None))


def _judged(table: _Table, selected: Chosen, sense: str, *, expected: bool = True) -> Judged:
    """As in contrastive conditioning, the best cue of a side counts. A tie is not correct."""
    correct, incorrect = _sides(selected, sense)
    rows = [at for at, row in enumerate(table.rows) if row.sense == sense]
    if not rows or not correct:
        return Judged()
    margin = table.scores[rows][:, correct].max(axis=1) - table.scores[rows][:, incorrect].max(axis=1)
    return Judged(int((margin > 0).sum() if expected else (margin < 0).sum()), len(margin))


def _held_out(
    table: _Table, candidates: Candidates, senses: Sequence[str], limits: Limits
) -> dict[str, Judged]:
    """Judges each half with cues that the other half selected."""
    total = {sense: Judged() for sense in senses}
    for half in (0, 1):
        training, test = table.part(1 - half), table.part(half)
        if training.rows and test.rows:
            chosen = _chosen(training, candidates, senses, limits.cues)
            for sense in senses:
                total[sense] += _judged(test, chosen, sense)
    return total


def _cue(candidate: Candidate, table: _Table, at: int, sense: str) -> SelectedCue:
    rows = [number for number, row in enumerate(table.rows) if row.sense == sense]
    score = float(np.exp(table.scores[rows][:, at]).mean()) if rows else 0.0
    return SelectedCue(candidate.lemma, score, dict(candidate.texts))
