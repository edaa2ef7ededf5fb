"""What pytest collected, and what became of it: a record is whole when every gate in it came to its end.

The ids of items say what is expected, their reports say what was judged. Under xdist the controller gets both from its
workers, and what an id stands for from a file that they leave.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest

from mtprobe.records import FailedSuite, SuiteRun, Unjudged

_LOST = "its results did not reach the record"


class SuiteOnModel(NamedTuple):
    suite: str  # its name
    path: str
    model: str  # its name


@dataclass(frozen=True, slots=True)
class Ids:
    """What the ids of items stand for."""

    suites: Mapping[str, SuiteOnModel] = field(default_factory=dict)  # by the id of the items' parent
    skipped: frozenset[str] = frozenset()  # items that the plan or a marker skips: nobody expects them

    def split(self, nodeid: str) -> tuple[SuiteOnModel, str]:
        """The suite and the name of an item: a gate's key, or `each[…]`."""
        parent, name = nodeid, ""
        while parent:
            parent, separator, last = parent.rpartition("::")
            name = f"{last}{separator if name else ''}{name}"
            if parent in self.suites:
                return self.suites[parent], name
        path, _, name = nodeid.partition("::")  # no worker left its file
        return SuiteOnModel("", path, ""), name


class Collected:
    """The items of a session's suites, and those that were judged."""

    def __init__(self) -> None:
        self.expected: dict[str, None] = {}  # ids, in order
        self.judged: set[str] = set()  # or reported as an error
        self.skipped: set[str] = set()  # while it ran
        self.uncollected: dict[str, str] = {}  # paths, with the reason
        self.stopped = ""  # why the session ended early

    def expect(self, ids: Iterable[str]) -> None:
        self.expected.update(dict.fromkeys(ids))

    def add(self, report: pytest.TestReport) -> None:
        """A report of one of our items. Where a worker crashed, xdist reports its item in no phase."""
        if report.when == "call" or (report.when == "setup" and not report.passed):
            self.judged.add(report.nodeid)
            if report.skipped:
                self.skipped.add(report.nodeid)

    def unfinished(self, ids: Ids) -> list[str]:
        """The items that were not judged."""
        return [nodeid for nodeid in self.expected if nodeid not in self.judged | ids.skipped]

    def unjudged(
        self, ids: Ids, suites: Sequence[SuiteRun], failed: Sequence[FailedSuite]
    ) -> Iterator[Unjudged]:
        """What the record lacks. A suite that has a `failed` line is not named a second time."""
        for path, reason in self.uncollected.items():
            yield Unjudged("", path, reason=reason)
        explained = {(suite.path, suite.model) for suite in failed}
        recorded: dict[tuple[str, str], set[str]] = {}
        for run in suites:
            recorded.setdefault((run.path, run.model.name), set()).update(gate.key for gate in run.gates)
        reported = self.judged - self.skipped
        for suite, items in self._by_suite(ids).items():
            key = (suite.path, suite.model)
            if key in explained:
                continue
            keys = recorded.get(key)
            stopped = [name for nodeid, name in items if nodeid not in self.judged]
            lost = [name for nodeid, name in items if nodeid in reported and not _is_recorded(name, keys)]
            for names, reason in ((stopped, self.stopped), (lost, _LOST)):
                if names:
                    gates = tuple(name for name in names if not _is_sample(name))
                    yield Unjudged(*suite, gates, len(names) - len(gates), len(items), reason)

    def _by_suite(self, ids: Ids) -> dict[SuiteOnModel, list[tuple[str, str]]]:
        """Ids and names of the items of each suite on each model."""
        items: dict[SuiteOnModel, list[tuple[str, str]]] = {}
        for nodeid in self.expected:
            if nodeid not in ids.skipped:
                suite, name = ids.split(nodeid)
                items.setdefault(suite, []).append((nodeid, name))
        return items


def _is_recorded(name: str, keys: set[str] | None) -> bool:
    """`keys` are those of the suite's gates in the record; None if it has no such suite."""
    return keys is not None and (_is_sample(name) or name in keys)


def _is_sample(name: str) -> bool:
    return name.startswith("each[")
