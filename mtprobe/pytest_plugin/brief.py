"""How pytest shows our items: one line each in our summary, which keeps the value at any width; with `-v`, each failure too."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from mtprobe.pytest_plugin.collected import Ids

if TYPE_CHECKING:
    from mtprobe.report.screen.items import Item

_STATUS = {"failed": "FAILED", "error": "ERROR", "skipped": "SKIPPED"}  # by pytest's name


def is_ours(report: pytest.TestReport) -> bool:
    return any(name == "mtprobe_suite" for name, _ in report.user_properties)


def is_verbose(config: pytest.Config) -> bool:
    return bool(config.getoption("verbose", 0) > 0)


@dataclass(frozen=True, slots=True)
class Headline:
    """The line for pytest's short summary and `--tb=line`, and for JUnit's message."""

    message: str

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class Told:
    """The text of an item that failed, as pytest keeps an error's: in full, with its first line as the headline."""

    text: str

    @property
    def reprcrash(self) -> Headline:
        return Headline(self.text.partition("\n")[0])

    def toterminal(self, tw: Any) -> None:
        tw.line(self.text)

    def __str__(self) -> str:
        return self.text


def with_headline(report: pytest.TestReport) -> None:
    """Only text crosses from xdist's workers, so the headline is found where the report is shown."""
    if is_ours(report) and report.failed and isinstance(report.longrepr, str):
        report.longrepr = Told(report.longrepr)  # type: ignore[assignment]


class Brief:
    """Keeps what our summary lists out of pytest's own sections."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter
    ) -> Generator[None, object, object]:
        with _complete_again(terminalreporter):
            if not is_verbose(self._config):
                hide(terminalreporter)
            return (yield)


def hide(reporter: pytest.TerminalReporter) -> None:
    """Keeps our items out of the sections that pytest has not written yet."""
    kept = {status: reporter.stats[status] for status in _STATUS if status in reporter.stats}
    reporter.stats.update({status: list(_shown(reports)) for status, reports in kept.items()})


@contextmanager
def _complete_again(reporter: pytest.TerminalReporter) -> Iterator[None]:
    """pytest's counts and colours, which come after the summary, include what was hidden."""
    kept = {status: reporter.stats[status] for status in _STATUS if status in reporter.stats}
    try:
        yield
    finally:
        for status, reports in kept.items():
            added = [report for report in reporter.stats[status] if not any(report is old for old in reports)]
            reporter.stats[status] = [*reports, *added]


def _shown(reports: Iterable[Any]) -> Iterator[Any]:
    """The reports that pytest shows: not those that we list, and a traceback shared by all gates of a suite only once."""
    seen: set[tuple[object, str]] = set()
    for report in reports:
        if _is_listed(report):
            continue
        crash = getattr(getattr(report, "longrepr", None), "reprcrash", None)
        if crash is not None and isinstance(report, pytest.TestReport) and is_ours(report):
            key = (report.nodeid.partition("::")[0], str(crash))
            if key in seen:
                continue
            seen.add(key)
        yield report


def _is_listed(report: object) -> bool:
    """Ours, unless it ended with a traceback."""
    if not isinstance(report, pytest.TestReport) or not is_ours(report):
        return False
    return isinstance(report.longrepr, Told) if report.failed else isinstance(report.longrepr, tuple)


class Listed:
    """Reports of our items that did not pass, in the order in which they came."""

    def __init__(self) -> None:
        self._reports: list[pytest.TestReport] = []

    def add(self, report: pytest.TestReport) -> None:
        if not report.passed and not hasattr(report, "wasxfail") and _is_listed(report):
            self._reports.append(report)

    def items(self, ids: Ids) -> Iterator[Item]:
        from mtprobe.report.screen.items import Item

        for report in self._reports:
            suite, name = ids.split(report.nodeid)
            named = dict(report.user_properties).get("mtprobe_suite", "")
            yield Item(
                _STATUS["skipped" if report.skipped else "failed" if report.when == "call" else "error"],
                report.nodeid,
                suite.suite or str(named),
                suite.path,
                suite.model,
                suite.target,
                name,
                _reason(report),
            )


def _reason(report: pytest.TestReport) -> str:
    """Without what the line repeats: the item's title, or of a gate that was skipped the name of its suite."""
    title = report.location[2]
    if isinstance(report.longrepr, tuple):
        suite = dict(report.user_properties)["mtprobe_suite"]
        return str(report.longrepr[2]).removeprefix("Skipped: ").removeprefix(f"{suite}: ")
    return str(report.longrepr).partition("\n")[0].removeprefix(title).lstrip(" =")
