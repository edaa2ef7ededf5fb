"""The report as one HTML file: gates first, then each suite with its categories and its worst samples."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from heapq import nsmallest
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from mtprobe.audit.wording import NOT_AUDITED, source_name
from mtprobe.gates.judge import Decision, GateResult
from mtprobe.methods.verdict import Evidence, Outcome, Result
from mtprobe.records import Run, SuiteRun
from mtprobe.report.agreement import agreements
from mtprobe.report.audit import audit_text, audit_warning, judged_by_itself, read_by_evaluator
from mtprobe.report.breakdown import Breakdown, by_attribute, preferences
from mtprobe.report.categories import CategoryRow, ChoiceRow, category_rows, choice_rows
from mtprobe.report.charts.heat import heat_rows
from mtprobe.report.corrected import beside, needed
from mtprobe.report.further import FurtherRow, further_rows
from mtprobe.report.html.columns import blocks
from mtprobe.report.html.page import render
from mtprobe.report.in_place import alarms
from mtprobe.report.noise import noise_lines
from mtprobe.report.numbers import signature
from mtprobe.report.salience import SalienceView, salience_view
from mtprobe.report.senses import sense_maps
from mtprobe.report.trouble import troubles
from mtprobe.report.wrongness import WORST_FIRST, wrongness
from mtprobe.system.atomic import write_text

_SHOWN = 10  # samples per suite, for print and browsers without scripts; the list has all of them
_SHADED = 100  # sentences per suite whose salience is in the page
_SCRIPTS = ("data.js", "draw.js", "list.js", "browser.js")


@dataclass(frozen=True, slots=True)
class SampleView:
    result: Result
    source: tuple[str, str, str]  # before the focus, the focus, after it
    evidence: tuple[Evidence, ...]  # for the right or the chosen reading first, the best of each side first


@dataclass(frozen=True, slots=True)
class SuiteView:
    run: SuiteRun
    anchor: str
    rows: tuple[CategoryRow, ...]
    choices: tuple[ChoiceRow, ...]
    attributes: tuple[Breakdown, ...]
    preferences: tuple[Breakdown, ...]  # of kinds of targets
    further: tuple[FurtherRow, ...]
    samples: tuple[SampleView, ...]
    outcomes: tuple[tuple[str, int], ...]  # with their counts
    signature: str
    audit: str  # the outcome of the evaluator's audit; empty if no evaluator read the translations
    itself: bool  # the model was its own evaluator
    reads: str  # the language of the evidence: "source" for contrastive sources, otherwise "target"
    warning: str  # why its verdicts cannot be trusted
    noise: tuple[str, ...]  # the margin that verdicts needed; none if every margin decides
    salience: SalienceView | None


def write_html(run: Run, path: Path) -> None:
    """The report in one file that needs no network; written completely or not at all."""
    context = {
        "page": _page(run),
        "address": address,
        "reason_of": reason_of,
        "beside": beside,
        "source_name": source_name,
        "not_audited": NOT_AUDITED[:1].upper() + NOT_AUDITED[1:],
        "every_outcome": [outcome.value for outcome in Outcome],
    }
    styles = ("style.css", "senses.css", "charts.css", "browser.css", "salience.css")
    write_text(path, render("report.html.j2", context, styles, _SCRIPTS))


def _page(run: Run) -> dict[str, Any]:
    suites = tuple(_suite(suite, f"suite-{number}") for number, suite in enumerate(run.suites, start=1))
    anchors = {id(suite.run): suite.anchor for suite in suites}
    models = tuple(dict.fromkeys(suite.model.name for suite in run.suites))
    heat = heat_rows([(suite.run, suite.rows) for suite in suites], models) if len(models) > 1 else ()
    return {
        "run": run,
        "created": _date(run.facts.created),
        "models": models,
        "pairs": tuple(dict.fromkeys((suite.source, suite.target) for suite in run.suites)),
        "suites": suites,
        "gates": Counter(gate.status for suite in run.suites for gate in suite.gates),
        "troubles": tuple(troubles(run, [suite.anchor for suite in suites])),
        "alarms": [(alarm, anchors[id(alarm.suite)]) for alarm in alarms(run)],
        "heat": tuple(heat),
        "agreements": tuple(agreements(run)),
        "sense_maps": tuple(sense_maps(run)),
        "blocks": tuple(blocks(run, [suite.reads for suite in suites])),
    }


def address(suite: SuiteRun, **facets: str) -> str:
    """A link to a suite run's samples, as the page's script reads it; facets: `outcome`, `category`, `text` …"""
    query = {"suite": suite.suite, "model": suite.model.name, "method": suite.method, **facets}
    return "#samples?" + urlencode(query, errors="replace")


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
        rows=tuple(category_rows(suite)),
        choices=tuple(choice_rows(suite)),
        attributes=tuple(by_attribute(suite)),
        preferences=tuple(preferences(suite)),
        further=tuple(further_rows(suite)),
        samples=tuple(map(_sample, worst)),
        outcomes=tuple((outcome.value, totals[outcome]) for outcome in WORST_FIRST if totals[outcome]),
        signature=signature(suite),
        audit=audit_text(suite),
        itself=judged_by_itself(suite),
        reads="source" if read_by_evaluator(suite) else "target",
        warning=audit_warning(suite),
        noise=tuple(noise_lines(suite)),
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


def reason_of(result: GateResult) -> str:
    """Why a gate did not pass."""
    if result.reason:
        return result.reason
    value, bound = result.measure.value, result.parsed_bound
    if result.decision is Decision.UNDECIDED:
        if result.n_to_decide is None and result.measure.bounds is not None:
            return "it depends on the undecided samples: no number of samples would decide it"
        if result.n_to_decide is None:
            return "on the bound: no number of samples would decide it"
        return f"the interval spans the bound; {needed(result)}"
    if result.decision is not Decision.FAILED or bound is None or value is None:
        return ""
    side = "short of" if bound.wants_more else "over"
    if bound.level is not None:
        return f"the entire interval is {side} the bound"
    return f"{abs(value - bound.value):.2g} {side} the bound"
