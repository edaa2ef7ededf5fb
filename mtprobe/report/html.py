"""The report as one HTML file: the gates first, then each suite with its categories and its worst samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from mtprobe.gates.judge import Decision, GateResult
from mtprobe.gates.parse import Bound, GateError, read_bound
from mtprobe.methods.verdict import Evidence, Outcome, Result
from mtprobe.metrics import METRICS
from mtprobe.record import Run, SuiteRun
from mtprobe.report.agreement import OUTCOMES, Agreement, agreements
from mtprobe.report.audit import audit_text, audit_warning
from mtprobe.report.categories import CategoryRow, ChoiceRow, category_rows, choice_rows
from mtprobe.report.further import FurtherRow, further_rows
from mtprobe.report.page import render, write_page
from mtprobe.report.signature import signature

_SHOWN = 500  # samples a suite that are in the page: more of them make it slow to open
_WORST_FIRST = (
    Outcome.INCORRECT,
    Outcome.DEGENERATE,
    Outcome.ERROR,
    Outcome.UNDECIDED,
    Outcome.OPEN,
    Outcome.CORRECT,
)


@dataclass(frozen=True, slots=True)
class GateView:
    result: GateResult
    status: str  # the decision, or "xfail"
    meaning: str
    why: str
    bound: Bound | None  # None when a later mtprobe wrote it in a way that this one cannot read


@dataclass(frozen=True, slots=True)
class SampleView:
    result: Result
    source: tuple[str, str, str]  # before the focus, the focus, behind it
    evidence: tuple[Evidence, ...]  # for the right or the chosen reading first, the best of each side first


@dataclass(frozen=True, slots=True)
class OutcomeCount:
    outcome: str
    total: int
    shown: int


@dataclass(frozen=True, slots=True)
class SuiteView:
    run: SuiteRun
    anchor: str
    gates: tuple[GateView, ...]
    rows: tuple[CategoryRow, ...]
    choices: tuple[ChoiceRow, ...]
    further: tuple[FurtherRow, ...]
    samples: tuple[SampleView, ...]
    outcomes: tuple[OutcomeCount, ...]
    signature: str
    audit: str  # what the audit of the evaluator found; nothing where nobody reads
    warning: str  # why its verdicts are not to be believed


@dataclass(frozen=True, slots=True)
class PageView:
    run: Run
    created: str
    models: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    suites: tuple[SuiteView, ...]
    gates: Mapping[str, int]  # how many there are of each status
    agreements: tuple[Agreement, ...]  # of methods that judged the same translations


def write_html(run: Run, path: Path) -> None:
    """The report in one file that needs no network; it is there whole or not at all."""
    write_page(path, _render(_page(run)))


def _page(run: Run) -> PageView:
    suites = tuple(_suite(suite, f"suite-{number}") for number, suite in enumerate(run.suites, start=1))
    models = tuple(dict.fromkeys(suite.model.name for suite in run.suites))
    gates = Counter(gate.status for suite in suites for gate in suite.gates)
    pairs = tuple(dict.fromkeys((suite.source, suite.target) for suite in run.suites))
    return PageView(run, _date(run.facts.created), models, pairs, suites, gates, tuple(agreements(run)))


def _date(written: str) -> str:
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return written
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"


def _suite(suite: SuiteRun, anchor: str) -> SuiteView:
    ordered = sorted(suite.results, key=_badness)
    shown = ordered[:_SHOWN]
    totals, held = (Counter(one.verdict.outcome for one in some) for some in (ordered, shown))
    return SuiteView(
        run=suite,
        anchor=anchor,
        gates=tuple(_gate(gate) for gate in suite.gates),
        rows=tuple(category_rows(suite)),
        choices=tuple(choice_rows(suite)),
        further=tuple(further_rows(suite)),
        samples=tuple(_sample(one) for one in shown),
        outcomes=tuple(
            OutcomeCount(one.value, totals[one], held[one]) for one in _WORST_FIRST if totals[one]
        ),
        signature=signature(suite),
        audit=audit_text(suite),
        warning=audit_warning(suite),
    )


def _badness(result: Result) -> tuple[int, float, str]:
    """Sorts the surest mistakes, and the surest choices, to the front."""
    verdict = result.verdict
    probability = 1.0 if verdict.probability is None else verdict.probability
    if verdict.outcome is Outcome.OPEN:
        probability = -probability
    return _WORST_FIRST.index(verdict.outcome), probability, result.id


def _sample(result: Result) -> SampleView:
    source = result.source
    start, end = result.focus or (len(source), len(source))
    first = result.verdict.choice or "correct"
    evidence = sorted(
        result.verdict.evidence, key=lambda one: (one.side != first, one.side, -(one.score or 0.0))
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
        meaning=METRICS.get(result.key.partition("@")[0].partition("[")[0].strip(), ""),
        why=result.reason or _why(result, bound),
        bound=bound,
    )


def _why(result: GateResult, bound: Bound | None) -> str:
    """What a gate's decision rests on, for a gate that did not pass."""
    value = result.measure.value
    if result.decision is Decision.UNDECIDED:
        if result.n_to_decide is None:
            return "stands on the bound: no number of samples would decide it"
        return f"the interval spans the bound; about {result.n_to_decide:,} samples would decide it"
    if result.decision is not Decision.FAILED or bound is None or value is None:
        return ""
    side = "short of" if bound.wants_more else "over"
    if bound.level is not None:
        return f"the whole interval is {side} the bound"
    return f"{abs(value - bound.value):.2g} {side} the bound"


def _render(page: PageView) -> str:
    return render(
        "report.html.j2",
        {"page": page, "outcomes": [one.value for one in OUTCOMES]},
        styles=("style.css",),
        script="script.js",
    )
