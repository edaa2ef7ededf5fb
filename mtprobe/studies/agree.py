"""Compares a run's verdicts with human labels of the same samples, matched by sample id."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from mtprobe.methods.verdict import Outcome, Result, first_repeat
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
    """The samples that were not compared, and why."""

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
    # The same over the meanings of the labels, without those that are skipped; None if labels were given none.
    binary: Measure | None
    binary_kappa: Measure | None
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
    results = {result.id: result for result in first_repeat(suite.results)}
    counted = tally(list(results.values()), suite.seed)
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
    unlabelled = sum(id_ not in seen for id_ in results)
    return rows, Left(tuple(unknown), unlabelled, other, skipped, unclear, unanswerable, errors)


def _class(right: bool, category: str | None, categories: Sequence[str]) -> str:
    """The class that a right or wrong translation conveys: of two categories, the sample's own or the other."""
    if not categories:
        return "correct" if right else "incorrect"
    first, second = categories
    return first if (category == first) is right else second


def between_annotators(
    labels: Sequence[Label],
    seed: int = 0,
    given: Mapping[str, str] | None = None,
    suites: Sequence[SuiteRun] = (),
) -> list[BetweenAnnotators]:
    """Every two annotators over the samples that both labelled: by their literal labels, and by what these mean.

    `given` are the meanings of labels; a label that names a category is right or wrong by the sample's own, which is
    read from the suites.
    """
    by_annotator: dict[str, dict[tuple[str, str], Label]] = {}
    for label in labels:
        by_annotator.setdefault(label.annotator, {})[label.id, label.translation or ""] = label
    read = _binary_reader(labels, given, suites) if given else None
    pairs = []
    for (one, mine), (other, theirs) in combinations(by_annotator.items(), 2):
        both = sorted(mine.keys() & theirs.keys())
        texts = [mine[key].text for key in both], [theirs[key].text for key in both]
        ids = ["\0".join(key) for key in both]
        words = [
            (id, first, second)
            for id, key in zip(ids, both, strict=True)
            if read and (first := read(mine[key])) and (second := read(theirs[key]))
        ]
        binary_ids, firsts, seconds = ([row[at] for row in words] for at in range(3))
        pairs.append(
            BetweenAnnotators(
                one=one,
                other=other,
                plain=agreement(*texts, clusters=ids),
                kappa=cohens_kappa(*texts, seed=seed),
                binary=agreement(firsts, seconds, clusters=binary_ids) if read else None,
                binary_kappa=cohens_kappa(firsts, seconds, seed=seed) if read else None,
                only_one=len(mine) - len(both),
                only_other=len(theirs) - len(both),
            )
        )
    return pairs


def _binary_reader(
    labels: Sequence[Label], given: Mapping[str, str], suites: Sequence[SuiteRun]
) -> Callable[[Label], str | None]:
    """The class that a label means, as in `agree`, or None to skip it; its word where the sample is not recorded."""
    known: dict[str, tuple[Meanings, Result, Sequence[str]]] = {}
    for suite in suites:
        meanings = Meanings(given, suite.categories)
        two = len(suite.categories) == 2 and any(map(meanings.names_category, labels))
        for result in suite.results:
            known.setdefault(result.id, (meanings, result, suite.categories if two else ()))
    words = {text.casefold(): meaning.casefold() for text, meaning in given.items()}

    def read(label: Label) -> str | None:
        if label.id not in known:
            word = words.get(label.text.casefold(), label.text.casefold())
            return None if word == Meaning.SKIP else word
        meanings, result, categories = known[label.id]
        meaning = meanings.of(label, result.category)
        return (
            None
            if meaning is Meaning.SKIP
            else _class(meaning is Meaning.CORRECT, result.category, categories)
        )

    return read


def labelled_by_all(labels: Sequence[Label]) -> list[Label]:
    """Only the labels of samples that every annotator labelled."""
    annotators = {label.annotator for label in labels}
    seen: dict[str, set[str]] = {}
    for label in labels:
        seen.setdefault(label.id, set()).add(label.annotator)
    return [label for label in labels if seen[label.id] == annotators]
