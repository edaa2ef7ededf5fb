"""In GitHub Actions: what failed is shown at the line of the gate, the sample or the mistake in the suite."""

from __future__ import annotations

from pathlib import Path

import pytest

from mtprobe.pytest_plugin import is_suite
from mtprobe.report.github import annotation, problems_in

_AT_MOST = 50  # GitHub shows fewer of a step; a suite with `expect: each` may have thousands


class Annotations:
    """Listens to reports, so that only what pytest itself calls failed is annotated."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.found: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        ours = any(name == "mtprobe_suite" for name, _ in report.user_properties)
        if ours and report.failed:
            path, line, title = report.location
            self._add(self.config.rootpath / path, (line or 0) + 1, title, _first_line(report))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and is_suite(Path(report.nodeid.split("::")[0]), self.config):
            for path, line, message in problems_in(report.longreprtext):
                self._add(path, line, path.name, message)

    def _add(self, path: Path, line: int, title: str, message: str) -> None:
        self.found.append(annotation(path, line, title, message))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for line in dict.fromkeys(self.found[:_AT_MOST]):
            terminalreporter.write_line(line)


def _first_line(report: pytest.TestReport) -> str:
    """What a gate says of itself, or what was raised."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text: str = crash.message if crash is not None else report.longreprtext
    return text.strip().partition("\n")[0]
