"""The report as one HTML file: an overview, the gates, then each suite and all samples."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from mtprobe.audit.wording import NOT_AUDITED, source_name
from mtprobe.methods.verdict import Outcome
from mtprobe.records import Run, SuiteRun
from mtprobe.report.agreement import agreements
from mtprobe.report.charts.overview import overview, strip_of
from mtprobe.report.corrected import beside
from mtprobe.report.headline import headline
from mtprobe.report.html.columns import blocks
from mtprobe.report.html.gate_view import by_status, flips, not_passed, reason_of
from mtprobe.report.html.page import render
from mtprobe.report.html.suite_view import around_focus, suite_groups, suite_view
from mtprobe.report.in_place import alarms
from mtprobe.report.senses import sense_maps
from mtprobe.report.trouble import troubles
from mtprobe.suite.shipped import shown_path
from mtprobe.system.atomic import write_text

_STYLES = (
    "style.css",
    "layout.css",
    "overview.css",
    "senses.css",
    "charts.css",
    "browser.css",
    "salience.css",
)
_SCRIPTS = ("data.js", "diff.js", "draw.js", "list.js", "browser.js", "folds.js")


def write_html(run: Run, path: Path) -> None:
    """The report in one file that needs no network; written completely or not at all."""
    context = {
        "page": _page(run),
        "address": address,
        "reason_of": reason_of,
        "beside": beside,
        "flips_of": flips,
        "shown_path": shown_path,
        "around_focus": around_focus,
        "source_name": source_name,
        "not_audited": first_capital(NOT_AUDITED),
        "every_outcome": [outcome.value for outcome in Outcome],
    }
    write_text(path, render("report.html.j2", context, _STYLES, _SCRIPTS))


def _page(run: Run) -> dict[str, Any]:
    suites = tuple(suite_view(suite, f"suite-{number}") for number, suite in enumerate(run.suites, start=1))
    runs = [(suite.run, suite.anchor) for suite in suites]
    anchors = {id(suite): anchor for suite, anchor in runs}
    return {
        "run": run,
        "created": _date(run.facts.created),
        "models": tuple(dict.fromkeys(suite.model.name for suite in run.suites)),
        "pairs": tuple(dict.fromkeys((suite.source, suite.target) for suite in run.suites)),
        "suites": suites,
        "groups": suite_groups(suites),
        "headline": first_capital(headline(run)),
        "gates": Counter(gate.status for gate in run.gates),
        "skipped": sum(not gate.was_measured for suite in run.suites for gate in suite.gates),
        "not_passed": not_passed(runs),
        "other_gates": by_status(runs),
        "overview": overview(
            [strip_of(suite.run, suite.anchor, suite.rows, suite.choices) for suite in suites]
        ),
        "troubles": tuple(troubles(run, [suite.anchor for suite in suites])),
        "alarms": [(alarm, anchors[id(alarm.suite)]) for alarm in alarms(run)],
        "agreements": tuple(agreements(run.suites)),
        "sense_maps": tuple(sense_maps(run)),
        "blocks": tuple(blocks(run, [suite.reads for suite in suites])),
    }


def address(suite: SuiteRun, **facets: str) -> str:
    """A link to a suite run's samples, as the page's script reads it; facets: `outcome`, `category`, `text` …"""
    languages = f"{suite.source} → {suite.target}"
    query = {"suite": suite.suite, "model": suite.model.name, "method": suite.method, "languages": languages}
    return "#samples?" + urlencode({**query, **facets}, errors="replace")


def first_capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _date(written: str) -> str:
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return written
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"
