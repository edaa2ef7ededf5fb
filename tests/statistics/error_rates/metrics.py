"""Cells for metrics that are more than a share, measured as a gate measures them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from mtprobe.gates import Bound, Decision
from mtprobe.gates.judge import decide
from mtprobe.methods.verdict import Outcome as Verdict
from mtprobe.methods.verdict import Result
from mtprobe.metrics import METRICS, MetricContext, Selector, tally
from tests.metrics.results import result, scored

from .cell import LEVEL, Cell, Outcome
from .samples import chances

SECTION = "Other metrics"
CATEGORIES = ("male", "female")
_SIZE = 6  # samples per cluster: three of each category
_CORRELATION = 0.3

Draw = Callable[[np.random.Generator, int], Sequence[Result]]


def metric_cell(key: str, selector: Selector, clusters: int, truth: float, draw: Draw) -> Cell:
    """`truth` is what the metric would be over endless clusters."""
    sign = ">=" if METRICS[key].higher_is_better else "<="
    labels = {"metric": f"{key}{selector}", "clusters": clusters, "bound": f"{sign} {truth:.3f}"}
    run = partial(
        _run, key=key, selector=selector, clusters=clusters, bound=Bound(sign, truth, LEVEL), draw=draw
    )
    return Cell(SECTION, labels, run)


def cells() -> Iterator[Cell]:
    for clusters in (15, 50):
        yield metric_cell(
            "weighted_accuracy", Selector(), clusters, 0.8, partial(_right, male=0.8, female=0.8)
        )
        yield metric_cell(
            "minimum_weighted_accuracy", Selector(), clusters, 0.8, partial(_right, male=0.8, female=0.8)
        )
        for male, female in ((0.9, 0.7), (0.98, 0.9)):
            genders = partial(_right, male=male, female=female)
            yield metric_cell("f1", Selector("female"), clusters, _f1(female, male), genders)
            yield metric_cell("delta_g", Selector(), clusters, _f1(male, female) - _f1(female, male), genders)
            yield metric_cell("delta_s", Selector(), clusters, male - female, genders)
            yield metric_cell(
                "group_error", Selector(over="stereotype"), clusters, 1 - (male + female) / 2, genders
            )
        yield metric_cell("bias", Selector(over="gender"), clusters, 0.4, partial(_preferring, share=0.7))
        yield metric_cell("bias", Selector(over="gender"), clusters, 0.1, partial(_preferring, share=0.55))
        yield metric_cell("discrepancy", Selector(), clusters, 1.0, _distances)
        yield metric_cell("pair_accuracy", Selector(), clusters, 0.7, partial(_schemas, share=0.7))


def _f1(truth: float, other: float) -> float:
    """Of a category that is read rightly so often, among as many of the other one."""
    return 2 * truth / (1 + truth + (1 - other))


def _run(
    rng: np.random.Generator, key: str, selector: Selector, clusters: int, bound: Bound, draw: Draw
) -> Outcome:
    context = MetricContext(tally(draw(rng, clusters)), CATEGORIES)
    measure = METRICS[key].measure(context, selector, LEVEL)
    decision = decide(bound, measure)
    covered = measure.low <= bound.value <= measure.high
    return Outcome(decision is Decision.PASSED, decision is Decision.FAILED, covered)


def _right(rng: np.random.Generator, clusters: int, male: float, female: float) -> list[Result]:
    """Both categories in every cluster, with chances of their own; confidences say nothing about being right."""
    results = []
    for category, truth, stereotype in (("male", male, "pro"), ("female", female, "anti")):
        chance = np.repeat(chances(rng, truth, _CORRELATION, clusters), _SIZE // 2)
        right = rng.random(len(chance)) < chance
        sure = rng.random(len(chance)) / 2
        for number, (hit, confidence) in enumerate(zip(right, sure, strict=True)):
            results.append(
                result(
                    len(results),
                    Verdict.CORRECT if hit else Verdict.INCORRECT,
                    category=category,
                    p=0.5 + (confidence if hit else -confidence),
                    cluster=str(number // (_SIZE // 2)),
                    stereotype=stereotype,
                )
            )
    return results


def _preferring(rng: np.random.Generator, clusters: int, share: float) -> list[Result]:
    """The first of two kinds of targets has the better score."""
    chance = np.repeat(chances(rng, share, _CORRELATION, clusters), _SIZE)
    first = rng.random(len(chance)) < chance
    return [
        scored(number, {1: -1.0 if hit else -2.0, 2: -1.5}, cluster=str(number // _SIZE))
        for number, hit in enumerate(first)
    ]


def _distances(rng: np.random.Generator, clusters: int) -> list[Result]:
    """How much likelier the model's own translations are: positive, skewed, alike within clusters."""
    levels = np.repeat(rng.gamma(2.0, 0.5, clusters), _SIZE)
    own = rng.normal(0.0, 0.5, len(levels))
    return [
        scored(number, {1: -3.0 - level - noise, 2: -9.0}, own=-3.0, cluster=str(number // _SIZE))
        for number, (level, noise) in enumerate(zip(levels, own, strict=True))
    ]


def _schemas(rng: np.random.Generator, clusters: int, share: float) -> list[Result]:
    right = np.repeat(rng.random(clusters) < share, 2)
    return [
        result(number, Verdict.CORRECT if hit or number % 2 else Verdict.INCORRECT, cluster=str(number // 2))
        for number, hit in enumerate(right)
    ]
