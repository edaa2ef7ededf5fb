"""Hooks that other pytest plugins may implement."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

    from mtprobe.records import Run, SuiteRun


def pytest_mtprobe_suite_finished(config: pytest.Config, suite_run: SuiteRun) -> None:
    """A suite was translated, scored and judged; under xdist called on the worker that did it."""


def pytest_mtprobe_run_finished(config: pytest.Config, run: Run) -> None:
    """All suites are finished and the record is about to be written; under xdist called on the controller."""
