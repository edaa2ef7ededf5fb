"""The page of a trend: changes, suites × releases, and a small chart per gate."""

from __future__ import annotations

from pathlib import Path

from mtprobe import __version__
from mtprobe.records.trend import Trend
from mtprobe.report.charts.small_multiple import small_multiple
from mtprobe.report.headline import status_text
from mtprobe.report.html.page import render
from mtprobe.report.runs.trend import breaks, headline, latest_changes, marks, suite_cell
from mtprobe.system.atomic import write_text

_STYLES = ("style.css", "study.css", "trend.css")
_CHANGES = 200


def write_trend(path: Path, trend: Trend) -> None:
    """One file that needs no network."""
    labels = [release.label for release in trend.releases]
    numbers = range(len(labels))
    context = {
        "version": __version__,
        "trend": trend,
        "headline": headline(trend),
        "summary": latest_changes(trend),
        "recent": [change for change in trend.changes if change.after.release == numbers[-1]],
        "earlier": [change for change in trend.changes if change.after.release < numbers[-1]],
        "shown": _CHANGES,
        "status_text": status_text,
        "notes": [*trend.notes, *marks(trend)],
        "breaks": list(breaks(trend)),
        "rows": [(suite, [suite_cell(suite, number) for number in numbers]) for suite in trend.suites],
        "charts": [[small_multiple(gate, labels) for gate in suite.gates] for suite in trend.suites],
    }
    write_text(path, render("trend.html.j2", context, _STYLES))
