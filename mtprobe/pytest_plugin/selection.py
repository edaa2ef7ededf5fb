"""Tracks which items of suites are selected, and which suites have none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import pytest

from mtprobe.pytest_plugin.collected import Ids, SuiteOnModel
from mtprobe.pytest_plugin.collection import GateItem, MissingItem, ProbeItem
from mtprobe.records import Unselected


def ids_of(items: Sequence[pytest.Item], deselected: Sequence[pytest.Item]) -> Ids:
    """The items that a record must contain; those marked as skipped may be absent."""
    suites = {}
    skipped = []
    for item in items:
        if isinstance(item, MissingItem) or (isinstance(item, ProbeItem) and item.get_closest_marker("skip")):
            skipped.append(item.nodeid)
        if isinstance(item, ProbeItem) and item.parent is not None:
            suites[item.parent.nodeid] = SuiteOnModel.of(item.results.plan)
    return Ids(suites, frozenset(skipped), tuple(_unselected(deselected, suites)))


def gates_of(items: Sequence[pytest.Item]) -> dict[SuiteOnModel, frozenset[str]]:
    """The keys of the selected gates of each suite, but for those that are marked as skipped."""
    keys: dict[SuiteOnModel, set[str]] = {}
    for item in items:
        if isinstance(item, GateItem) and not item.get_closest_marker("skip"):
            keys.setdefault(SuiteOnModel.of(item.results.plan), set()).add(item.gate.key)
    return {suite: frozenset(selected) for suite, selected in keys.items()}


def _unselected(items: Sequence[pytest.Item], suites: Mapping[str, SuiteOnModel]) -> Iterator[Unselected]:
    """The suites of deselected gates that would have run, except those of which other items were selected."""
    gates = [
        item
        for item in items
        if isinstance(item, GateItem) and item.results.model and not item.get_closest_marker("skip")
    ]
    counts = Counter(item.parent.nodeid for item in gates if item.parent is not None)
    for item in gates:
        if item.parent is not None and item.parent.nodeid not in suites:
            count = counts.pop(item.parent.nodeid, 0)
            suite = SuiteOnModel.of(item.results.plan)
            if count:
                yield Unselected(suite.suite, suite.path, suite.model, count, suite.target)
