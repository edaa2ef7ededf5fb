"""Behaviour tests for machine translation: YAML suites, pytest gates, honest numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
SUITE_SUFFIXES = (".mt.yaml", ".mt.yml")
SHIPPED = "mtprobe:"  # the ids and shown paths of shipped suites start with it
__all__ = [
    "Failure",
    "ModelError",
    "MtprobeError",
    "Request",
    "Run",
    "SuiteError",
    "compare_runs",
    "load_suite",
    "open_model",
    "read_run",
    "run",
    "shipped_suite",
]

if TYPE_CHECKING:
    from mtprobe.api import run
    from mtprobe.backends.model import open_model
    from mtprobe.backends.protocols import Request
    from mtprobe.errors import Failure, ModelError, MtprobeError, SuiteError
    from mtprobe.records import Run, read_run
    from mtprobe.records.comparison import compare_runs
    from mtprobe.suite.shipped import shipped_suite
    from mtprobe.suites import load_suite

_HOMES = {
    "run": "mtprobe.api",
    "open_model": "mtprobe.backends.model",
    "Request": "mtprobe.backends.protocols",
    "Failure": "mtprobe.errors",
    "ModelError": "mtprobe.errors",
    "MtprobeError": "mtprobe.errors",
    "SuiteError": "mtprobe.errors",
    "Run": "mtprobe.records",
    "read_run": "mtprobe.records",
    "compare_runs": "mtprobe.records.comparison",
    "load_suite": "mtprobe.suites",
    "shipped_suite": "mtprobe.suite.shipped",
}


def __getattr__(name: str) -> Any:
    """Public names are loaded when they are used, so that importing the package costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'mtprobe' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
