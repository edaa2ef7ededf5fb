"""Known answers by sample, independent of the verdicts: from a witness or from labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mtprobe.audit.fitness import LABELS
from mtprobe.methods.labelled import missing_labels, waits_for_label
from mtprobe.methods.verdict import Outcome, Result
from mtprobe.suite.labels import UNCLEAR

_ANSWERED = (Outcome.CORRECT, Outcome.INCORRECT, Outcome.OPEN)


@dataclass(frozen=True, slots=True)
class Truth:
    """Answers that verdicts are compared with."""

    source: str  # "labels", or the witness's name
    answers: Mapping[str, str]  # by the sample's id: an outcome, or the choice of an open sample
    asked: frozenset[str]  # the ids of the samples that were looked at: all, or a random part of them
    weights: Mapping[str, float] | None = None  # of samples that were drawn with unequal probabilities


def answer_of(result: Result) -> str | None:
    """`correct`, `incorrect` or a choice; None where nothing was decided."""
    verdict = result.verdict
    if verdict.outcome not in _ANSWERED:
        return None
    return verdict.choice if verdict.outcome is Outcome.OPEN else verdict.outcome.value


def from_witness(name: str, results: Iterable[Result]) -> Truth:
    """The decisions of a method that needs no model."""
    answers = {result.id: answer_of(result) for result in results}
    known = {id_: answer for id_, answer in answers.items() if answer is not None}
    return Truth(name, known, frozenset(answers))


def from_labels(results: Iterable[Result], problem: str = "") -> Truth | str | None:
    """Labels of samples that were drawn for labelling; or why they cannot be used; None without labels.

    `problem` says why the drawn samples are no random sample. Neither are they if one has no label for its present
    translation.
    """
    drawn = [result for result in results if result.drawn is not None]
    if problem or not drawn:
        return f"labels are not used for the audit: {problem}" if problem else None
    if waiting := sum(map(waits_for_label, drawn)):
        return f"labels are not used for the audit: {missing_labels(waiting, len(drawn))}"
    answers = {result.id: result.label for result in drawn if result.label not in ("", UNCLEAR)}
    weights = {result.id: 1 / (result.drawn or 1.0) for result in drawn}
    equal = len(set(weights.values())) == 1
    return Truth(LABELS, answers, frozenset(weights), None if equal else weights)
