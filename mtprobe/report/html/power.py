"""The page about the power of suites: a chart per gate, errors that no gate catches, and all numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mtprobe import __version__
from mtprobe.authoring.power.outcome import SuitePower
from mtprobe.report.charts.power_curves import power_chart
from mtprobe.report.html.page import render
from mtprobe.report.runs.power import COLUMNS, LEGEND, caught_by, gate_rows, summary_lines
from mtprobe.system.atomic import write_text

_STYLES = ("style.css", "study.css", "trend.css", "power.css")


def write_power(path: Path, suites: Sequence[SuitePower], rate: float) -> None:
    """One file that needs no network."""
    context = {
        "version": __version__,
        "suites": [_view(power) for power in suites],
        "columns": COLUMNS,
        "legend": LEGEND.format(rate=rate),
        "overview": [_overview(power) for power in suites],
    }
    write_text(path, render("power.html.j2", context, _STYLES))


def _view(power: SuitePower) -> dict[str, Any]:
    caught = [(gate, caught_by(power, gate)) for gate in power.gates]
    return {
        "power": power,
        "charts": [power_chart(gate, catches) for gate, catches in caught if catches],
        "lines": list(summary_lines(power)),
        "rows": list(gate_rows(power)),
    }


def _overview(power: SuitePower) -> dict[str, Any]:
    simulated = [gate for gate in power.gates if gate.start is not None]
    return {
        "power": power,
        "simulated": len(simulated),
        "catching": len(simulated) - len(power.blind),
        "errors": len(power.errors),
        "uncaught": [facts.name for facts in power.uncaught],
        "alarms": len({catch.gate for catch in power.false_alarms}),
    }
