"""The report as one HTML file: gates first, then each suite with its categories and its worst samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from heapq import nsmallest
from pathlib import Path

from mtprobe.gates.judge import Decision, GateResult
from mtprobe.gates.parse import Bound, GateError, read_bound
from mtprobe.methods.verdict import Evidence, Outcome, Result
from mtprobe.records import Run, SuiteRun
from mtprobe.report.agreement import Agreement, agreements
from mtprobe.report.audit import audit_text, audit_warning
from mtprobe.report.breakdown import Breakdown, by_attribute, preferences
from mtprobe.report.categories import CategoryRow, ChoiceRow, category_rows, choice_rows
from mtprobe.report.charts.heat import HeatRow, heat_rows
from mtprobe.report.further import FurtherRow, further_rows
from mtprobe.report.html.address import address
from mtprobe.report.html.blocks import Block
from mtprobe.report.html.columns import blocks
from mtprobe.report.html.page import render, write_page
from mtprobe.report.judge import judged_by_itself, read_by_evaluator
from mtprobe.report.salience import SalienceView, salience_view
from mtprobe.report.senses import SenseMap, sense_maps
from mtprobe.report.signature import signature
from mtprobe.report.trouble import Trouble, troubles
from mtprobe.report.wrongness import WORST_FIRST, wrongness

_SHOWN = 10  # samples per suite, for print and browsers without scripts; the list has all of them
_SHADED = 100  # sentences per suite whose salience is in the page
_SCRIPTS = ("data.js", "draw.js", "list.js", "browser.js")


@dataclass(frozen=True, slots=True)
class GateView:
    result: GateResult
    status: str  # the decision, or "xfail"
    meaning: str
    why: str
    bound: Bound | None  # None if a later mtprobe wrote it in a way that this one cannot read


@dataclass(frozen=True, slots=True)
class SampleView:
    result: Result
    source: tuple[str, str, str]  # before the focus, the focus, after it
    evidence: tuple[Evidence, ...]  # for the right or the chosen reading first, the best of each side first


@dataclass(frozen=True, slots=True)
class OutcomeCount:
    outcome: str
    total: int


@dataclass(frozen=True, slots=True)
class SuiteView:
    run: SuiteRun
    anchor: str
    gates: tuple[GateView, ...]
    rows: tuple[CategoryRow, ...]
    choices: tuple[ChoiceRow, ...]
    attributes: tuple[Breakdown, ...]
    preferences: tuple[Breakdown, ...]  # of kinds of targets
    further: tuple[FurtherRow, ...]
    samples: tuple[SampleView, ...]
    outcomes: tuple[OutcomeCount, ...]
    signature: str
    audit: str  # the outcome of the evaluator's audit; empty if no evaluator read the translations
    itself: bool  # the model was its own evaluator
    reads: str  # the language of the evidence: source or target
    warning: str  # why its verdicts cannot be trusted
    salience: SalienceView | None


@dataclass(frozen=True, slots=True)
class PageView:
    run: Run
    created: str
    models: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    suites: tuple[SuiteView, ...]
    gates: Mapping[str, int]  # counts by status
    troubles: tuple[Trouble, ...]
    heat: tuple[HeatRow, ...]  # of several models
    agreements: tuple[Agreement, ...]  # of methods that judged the same translations
    sense_maps: tuple[SenseMap, ...]  # of translations into several languages, or by several models
    blocks: tuple[Block, ...]  # all samples


def write_html(run: Run, path: Path) -> None:
    """The report in one file that needs no network; written completely or not at all."""
    write_page(path, _render(_page(run)))


def _page(run: Run) -> PageView:
    suites = tuple(_suite(suite, f"suite-{number}") for number, suite in enumerate(run.suites, start=1))
    models = tuple(dict.fromkeys(suite.model.name for suite in run.suites))
    gates = Counter(gate.status for suite in suites for gate in suite.gates)
    pairs = tuple(dict.fromkeys((suite.source, suite.target) for suite in run.suites))
    return PageView(
        run=run,
        created=_date(run.facts.created),
        models=models,
        pairs=pairs,
        suites=suites,
        gates=gates,
        troubles=tuple(troubles(run, [suite.anchor for suite in suites])),
        heat=tuple(heat_rows([(suite.run, suite.rows) for suite in suites], models))
        if len(models) > 1
        else (),
        agreements=tuple(agreements(run)),
        sense_maps=tuple(sense_maps(run)),
        blocks=tuple(blocks(run, [_reads(suite) for suite in run.suites])),
    )


def _reads(suite: SuiteRun) -> str:
    """The language of a verdict's evidence: contrastive sources, otherwise texts in the target language."""
    return "source" if read_by_evaluator(suite) else "target"


def _date(written: str) -> str:
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return written
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"


def _suite(suite: SuiteRun, anchor: str) -> SuiteView:
    worst = nsmallest(_SHOWN, suite.results, key=wrongness)
    totals = Counter(result.verdict.outcome for result in suite.results)
    return SuiteView(
        run=suite,
        anchor=anchor,
        gates=tuple(_gate(gate) for gate in suite.gates),
        rows=tuple(category_rows(suite)),
        choices=tuple(choice_rows(suite)),
        attributes=tuple(by_attribute(suite)),
        preferences=tuple(preferences(suite)),
        further=tuple(further_rows(suite)),
        samples=tuple(map(_sample, worst)),
        outcomes=tuple(
            OutcomeCount(outcome.value, totals[outcome]) for outcome in WORST_FIRST if totals[outcome]
        ),
        signature=signature(suite),
        audit=audit_text(suite),
        itself=judged_by_itself(suite),
        reads=_reads(suite),
        warning=audit_warning(suite),
        salience=salience_view(suite.salience, _SHADED) if suite.salience else None,
    )


def _sample(result: Result) -> SampleView:
    source = result.source
    start, end = result.focus or (len(source), len(source))
    first = result.verdict.choice or "correct"
    evidence = sorted(
        result.verdict.evidence, key=lambda item: (item.side != first, item.side, -(item.score or 0.0))
    )
    return SampleView(result, (source[:start], source[start:end], source[end:]), tuple(evidence))


def _gate(result: GateResult) -> GateView:
    try:
        bound = read_bound(result.bound, share=False)
    except GateError:
        bound = None
    expected = bool(result.xfail) and result.decision is not Decision.PASSED
    return GateView(
        result=result,
        status="xfail" if expected else result.decision.value,
        meaning=result.metric.about if result.metric else "",
        why=result.reason or _why(result, bound),
        bound=bound,
    )


def _why(result: GateResult, bound: Bound | None) -> str:
    """Why a gate did not pass."""
    value = result.measure.value
    if result.decision is Decision.UNDECIDED:
        if result.n_to_decide is None:
            return "on the bound: no number of samples would decide it"
        return f"the interval spans the bound; about {result.n_to_decide:,} samples would decide it"
    if result.decision is not Decision.FAILED or bound is None or value is None:
        return ""
    side = "short of" if bound.wants_more else "over"
    if bound.level is not None:
        return f"the entire interval is {side} the bound"
    return f"{abs(value - bound.value):.2g} {side} the bound"


def _render(page: PageView) -> str:
    return render(
        "report.html.j2",
        {
            "page": page,
            "address": address,
            "every_outcome": [outcome.value for outcome in Outcome],
        },
        styles=("style.css", "senses.css", "charts.css", "browser.css", "salience.css"),
        scripts=_SCRIPTS,
    )
