"""The view of each suite on the page: one per run, and the runs of a suite together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nsmallest

from mtprobe.methods.verdict import Evidence, Result, one_per_sample
from mtprobe.metrics.repeats import Repeats, repeats_of
from mtprobe.records import SuiteRun
from mtprobe.report.audit import audit_text, audit_warning, judged_by_itself, read_by_evaluator
from mtprobe.report.breakdown import Breakdown, by_attribute, preferences
from mtprobe.report.categories import CategoryRow, ChoiceRow, category_rows, choice_rows
from mtprobe.report.charts.margins import Margins, margin_chart
from mtprobe.report.further import FurtherRow, further_rows
from mtprobe.report.html.contrasts import Contrast, contrasts
from mtprobe.report.html.gate_view import counts, worst_status
from mtprobe.report.noise import noise_lines
from mtprobe.report.numbers import sample_count, signature
from mtprobe.report.salience import SalienceView, salience_view
from mtprobe.report.wrongness import WORST_FIRST, wrongness

_SHOWN = 10  # samples per suite, for print and browsers without scripts; the list has all of them
_SHADED = 100  # sentences per suite whose salience is in the page


@dataclass(frozen=True, slots=True)
class SampleView:
    result: Result
    source: tuple[str, str, str]  # before the focus, the focus, after it
    evidence: tuple[Evidence, ...]  # for the right or the chosen reading first, the best of each side first


@dataclass(frozen=True, slots=True)
class SuiteView:
    """One suite, run on one model and judged by one method."""

    run: SuiteRun
    anchor: str
    rows: tuple[CategoryRow, ...]
    choices: tuple[ChoiceRow, ...]
    margins: Margins | None
    attributes: tuple[Breakdown, ...]
    preferences: tuple[Breakdown, ...]  # of kinds of targets
    further: tuple[FurtherRow, ...]
    samples: tuple[SampleView, ...]
    outcomes: tuple[tuple[str, int], ...]  # with their counts
    statuses: tuple[tuple[str, int], ...]  # of its gates, with their counts
    signature: str
    samples_in_clusters: str  # how many samples, in how many clusters
    audit: str  # the outcome of the evaluator's audit; empty if no evaluator read the translations
    itself: bool  # the model was its own evaluator
    reads: str  # the language of the evidence: "source" for contrastive sources, otherwise "target"
    warning: str  # why its verdicts cannot be trusted
    noise: tuple[str, ...]  # the margin that verdicts needed; none if every margin decides
    salience: SalienceView | None
    repeats: Repeats | None  # None where each sentence was translated once


@dataclass(frozen=True, slots=True)
class SuiteGroup:
    """All runs of one suite."""

    anchor: str
    views: tuple[SuiteView, ...]
    contrasts: tuple[Contrast, ...]  # between models

    @property
    def first(self) -> SuiteRun:
        return self.views[0].run

    @property
    def status(self) -> str:
        """The worst of its gates; empty without gates."""
        return worst_status([gate for view in self.views for gate in view.run.gates])


def suite_groups(views: Sequence[SuiteView]) -> tuple[SuiteGroup, ...]:
    """In the order of the run."""
    groups: dict[tuple[str, str], list[SuiteView]] = {}
    for view in views:
        groups.setdefault((view.run.suite, view.run.path), []).append(view)
    return tuple(
        SuiteGroup(f"group-{number}", tuple(group), tuple(contrasts([view.run for view in group])))
        for number, group in enumerate(groups.values(), start=1)
    )


def suite_view(suite: SuiteRun, anchor: str) -> SuiteView:
    repeats = repeats_of(suite.results)
    listed = one_per_sample(sorted(suite.results, key=wrongness)) if repeats else suite.results
    worst = nsmallest(_SHOWN, listed, key=wrongness)
    totals = Counter(result.verdict.outcome for result in suite.results)
    return SuiteView(
        run=suite,
        anchor=anchor,
        rows=tuple(category_rows(suite)),
        choices=tuple(choice_rows(suite)),
        margins=margin_chart(suite),
        attributes=tuple(by_attribute(suite)),
        preferences=tuple(preferences(suite)),
        further=tuple(further_rows(suite)),
        samples=tuple(map(_sample, worst)),
        outcomes=tuple((outcome.value, totals[outcome]) for outcome in WORST_FIRST if totals[outcome]),
        statuses=counts(suite.gates),
        signature=signature(suite),
        samples_in_clusters=sample_count(suite),
        audit=audit_text(suite),
        itself=judged_by_itself(suite),
        reads="source" if read_by_evaluator(suite) else "target",
        warning=audit_warning(suite),
        noise=tuple(noise_lines(suite)),
        salience=salience_view(suite.salience, _SHADED) if suite.salience else None,
        repeats=repeats,
    )


def _sample(result: Result) -> SampleView:
    first = result.verdict.choice or "correct"
    evidence = sorted(
        result.verdict.evidence, key=lambda item: (item.side != first, item.side, -(item.score or 0.0))
    )
    return SampleView(result, around_focus(result), tuple(evidence))


def around_focus(result: Result) -> tuple[str, str, str]:
    """The source before the focus, the focus, and the source after it."""
    source = result.source
    start, end = result.focus or (len(source), len(source))
    return source[:start], source[start:end], source[end:]
