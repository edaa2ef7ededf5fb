"""Checks a suite for errors and likely mistakes, for `mtprobe lint` and `mtprobe watch`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mtprobe.errors import MissingData, Problem, SuiteError
from mtprobe.gates import gates_for, idle_gates, reversed_gates
from mtprobe.language.wordnet import WordNet
from mtprobe.methods import check_evidence
from mtprobe.suite import Suite
from mtprobe.suite.lint import warnings
from mtprobe.suites import load_suite


@dataclass(frozen=True, slots=True)
class Check:
    """The findings. A suite with errors may be loadable but cannot be run."""

    suite: Suite | None
    errors: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    missing: tuple[Problem, ...] = ()  # data that is not here, of a suite that allows that


def check_suite(path: Path, data_root: Path | None = None, wordnet: WordNet | None = None) -> Check:
    try:
        suite = load_suite(path, data_root)
    except MissingData as error:
        return Check(None, missing=error.problems)
    except SuiteError as error:
        return Check(None, error.problems)
    return Check(
        suite, tuple(_errors(suite)), (*reversed_gates(suite), *idle_gates(suite), *warnings(suite, wordnet))
    )


def _errors(suite: Suite) -> Iterator[Problem]:
    """Errors that would stop a run of the suite, in addition to those found by loading it."""
    for check in (lambda: check_evidence(suite), lambda: gates_for(suite, None)):
        try:
            check()
        except SuiteError as error:
            yield from error.problems
