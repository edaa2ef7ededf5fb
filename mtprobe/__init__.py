"""Behaviour tests for machine translation: YAML suites, pytest gates, honest numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
SUITE_SUFFIXES = (".mt.yaml", ".mt.yml")
__all__ = ["Failure", "ModelError", "MtprobeError", "Run", "SuiteError", "load_suite", "read_run", "run"]

if TYPE_CHECKING:
    from mtprobe.api import run
    from mtprobe.errors import Failure, ModelError, MtprobeError, SuiteError
    from mtprobe.records import Run, read_run
    from mtprobe.suites import load_suite

_HOMES = {
    "run": "mtprobe.api",
    "Failure": "mtprobe.errors",
    "ModelError": "mtprobe.errors",
    "MtprobeError": "mtprobe.errors",
    "SuiteError": "mtprobe.errors",
    "Run": "mtprobe.records",
    "read_run": "mtprobe.records",
    "load_suite": "mtprobe.suites",
}


def __getattr__(name: str) -> Any:
    """Public names are loaded when they are used, so that importing the package costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'mtprobe' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
