"""Annotations for GitHub Actions: failures at the line of the gate, the sample or the mistake in the suite."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from mtprobe import SHIPPED
from mtprobe.pytest_plugin import is_suite
from mtprobe.report.github import annotation, problems_in

_AT_MOST = 50  # GitHub shows fewer of a step; a suite with `expect: each` may have thousands


@dataclass(frozen=True, slots=True)
class _Failure:
    """The content of an annotation. The model is named if the run has several."""

    path: Path | None  # None for a shipped suite: its file is not in the repository
    line: int
    title: str
    message: str
    model: str = ""


class Annotations:
    """Listens to reports, so that only what pytest itself calls failed is annotated."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.found: list[_Failure] = []
        self.models: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        facts = dict(report.user_properties)
        if "mtprobe_suite" not in facts:
            return
        suite, model = str(facts["mtprobe_suite"]), str(facts.get("mtprobe_model", ""))
        self.models.add(model)
        if report.failed:
            path, line, title = report.location
            shipped = _shipped(report.nodeid)
            if shipped:
                title = f"{shipped}: {title.removeprefix(f'{suite}: ')}"
            where = None if shipped else self.config.rootpath / path
            self.found.append(_Failure(where, (line or 0) + 1, title, _first_line(report), model))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and is_suite(Path(report.nodeid.split("::")[0]), self.config):
            shipped = _shipped(report.nodeid)
            for path, line, message in problems_in(report.longreprtext):
                title = f"{shipped}:{line}" if shipped else path.name
                self.found.append(_Failure(None if shipped else path, line, title, message))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for line in dict.fromkeys(map(self._annotation, self.found[:_AT_MOST])):
            terminalreporter.write_line(line)

    def _annotation(self, failure: _Failure) -> str:
        model = f" on {failure.model}" if failure.model and len(self.models) > 1 else ""
        return annotation(failure.path, failure.line, f"{failure.title}{model}", failure.message)


def _shipped(nodeid: str) -> str:
    """`mtprobe:gender/occupations.mt.yaml`; empty for a suite of the user's own."""
    return nodeid.partition("::")[0] if nodeid.startswith(SHIPPED) else ""


def _first_line(report: pytest.TestReport) -> str:
    """The first line of a gate's failure, or of the exception."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text: str = crash.message if crash is not None else report.longreprtext
    return text.strip().partition("\n")[0]
