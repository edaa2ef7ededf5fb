"""A run's verdicts compared with human labels of the same samples, matched by sample id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from mtprobe.methods.verdict import Outcome, Result
from mtprobe.metrics import Measure, tally
from mtprobe.records import SuiteRun
from mtprobe.statistics.agreement import agreement, cohens_kappa, precision, recall
from mtprobe.studies.labels import Label, Meaning, Meanings

UndecidedAs = Literal["correct", "incorrect", "skip"]


@dataclass(frozen=True, slots=True)
class ClassAgreement:
    """How well the verdicts find one class; human labels are the truth."""

    name: str
    precision: Measure
    recall: Measure


@dataclass(frozen=True, slots=True)
class Left:
    """What was not compared, and why."""

    labels_without_sample: tuple[str, ...]
    samples_without_label: int
    other_translations: int  # labels of translations that are not those of this run
    skipped_labels: int
    undecided: int  # labels of samples whose verdict is undecided
    open: int  # labels of samples for which no answer is right
    errors: int  # labels of samples that were not judged


@dataclass(frozen=True, slots=True)
class LabelAgreement:
    """One suite × model against all annotators together: each label counts once."""

    suite: str
    model: str
    judge: str
    samples: int
    annotators: tuple[str, ...]
    plain: Measure
    weighted: Measure | None  # None where verdicts carry no confidence
    kappa: Measure
    classes: tuple[ClassAgreement, ...]
    left: Left


@dataclass(frozen=True, slots=True)
class BetweenAnnotators:
    """Two people's labels of the samples that both labelled."""

    one: str
    other: str
    plain: Measure
    kappa: Measure
    only_one: int  # labels of samples that only the first labelled
    only_other: int  # labels of samples that only the second labelled


def judge_of(suite: SuiteRun) -> str:
    """The judge: the evaluator if there is one, else the method."""
    if suite.judges_itself:
        return f"{suite.method}, by itself"
    return suite.evaluator.name if suite.evaluator else suite.method


def agree(
    suite: SuiteRun, labels: Sequence[Label], given: Mapping[str, str], undecided: UndecidedAs
) -> LabelAgreement:
    """Compares the verdicts with every label that has a meaning; what is excluded is counted.

    The confidence weights are those of the whole run, not of the labelled samples alone.
    """
    meanings = Meanings(given, suite.categories)
    rows, left = _match(suite, labels, meanings, undecided)
    by_category = len(suite.categories) == 2 and any(meanings.names_category(row.label) for row in rows)
    categories = suite.categories if by_category else ()
    human = [_class(row.human, row.result.category, categories) for row in rows]
    judged = [_class(row.judged, row.result.category, categories) for row in rows]
    clusters = [row.result.cluster for row in rows]
    weights = np.array([row.weight for row in rows], dtype=np.float64)
    return LabelAgreement(
        suite=suite.suite,
        model=suite.model.name,
        judge=judge_of(suite),
        samples=len({row.label.id for row in rows}),
        annotators=tuple(dict.fromkeys(row.label.annotator for row in rows)),
        plain=agreement(human, judged, clusters),
        weighted=agreement(human, judged, clusters, weights)
        if any(row.result.verdict.probability is not None for row in rows)
        else None,
        kappa=cohens_kappa(human, judged, clusters, suite.seed),
        classes=tuple(
            ClassAgreement(
                name,
                precision(judged, human, name, clusters),
                recall(judged, human, name, clusters),
            )
            for name in categories or ("correct", "incorrect")
        ),
        left=left,
    )


@dataclass(frozen=True, slots=True)
class _Row:
    """One label with the verdict on its sample."""

    label: Label
    result: Result
    human: bool  # whether the translation is right
    judged: bool
    weight: float


def _match(
    suite: SuiteRun, labels: Sequence[Label], meanings: Meanings, undecided: UndecidedAs
) -> tuple[list[_Row], Left]:
    results = {result.id: result for result in suite.results}
    counted = tally(suite.results, suite.seed)
    weights = {
        result.id: float(weight) for result, weight in zip(counted.results, counted.weights, strict=True)
    }
    rows: list[_Row] = []
    unknown: dict[str, None] = {}
    skipped = unclear = unanswerable = errors = other = 0
    for label in labels:
        result = results.get(label.id)
        if result is None:
            unknown[label.id] = None
            continue
        if label.translation is not None and label.translation != (result.translation or ""):
            other += 1
            continue
        if result.choices:
            unanswerable += 1
            continue
        meaning = meanings.of(label, result.category)
        outcome = result.verdict.outcome
        if meaning is Meaning.SKIP:
            skipped += 1
        elif outcome is Outcome.ERROR:
            errors += 1
        elif outcome is Outcome.UNDECIDED and undecided == "skip":
            unclear += 1
        else:
            right = undecided == "correct" if outcome is Outcome.UNDECIDED else outcome is Outcome.CORRECT
            rows.append(_Row(label, result, meaning is Meaning.CORRECT, right, weights[label.id]))
    seen = {label.id for label in labels}
    unlabelled = sum(result.id not in seen for result in suite.results)
    return rows, Left(tuple(unknown), unlabelled, other, skipped, unclear, unanswerable, errors)


def _class(right: bool, category: str | None, categories: Sequence[str]) -> str:
    """The class that a right or wrong translation conveys: of two categories, the sample's own or the other."""
    if not categories:
        return "correct" if right else "incorrect"
    first, second = categories
    return first if (category == first) is right else second


def between_annotators(labels: Sequence[Label], seed: int = 0) -> list[BetweenAnnotators]:
    """Every two annotators, by their literal labels, over the samples that both labelled."""
    by_annotator: dict[str, dict[tuple[str, str], str]] = {}
    for label in labels:
        by_annotator.setdefault(label.annotator, {})[label.id, label.translation or ""] = label.text
    pairs = []
    for (one, mine), (other, theirs) in combinations(by_annotator.items(), 2):
        both = sorted(mine.keys() & theirs.keys())
        texts = [mine[id] for id in both], [theirs[id] for id in both]
        pairs.append(
            BetweenAnnotators(
                one=one,
                other=other,
                plain=agreement(*texts, clusters=["\0".join(key) for key in both]),
                kappa=cohens_kappa(*texts, seed=seed),
                only_one=len(mine) - len(both),
                only_other=len(theirs) - len(both),
            )
        )
    return pairs


def labelled_by_all(labels: Sequence[Label]) -> list[Label]:
    """Only the labels of samples that every annotator labelled."""
    annotators = {label.annotator for label in labels}
    seen: dict[str, set[str]] = {}
    for label in labels:
        seen.setdefault(label.id, set()).add(label.annotator)
    return [label for label in labels if seen[label.id] == annotators]
