"""Gates that failed, erred or were skipped, one line each; shared reasons are shown once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mtprobe.gates import Decision, GateResult
from mtprobe.gates.grouped import Group, grouped, listed
from mtprobe.printable import printable
from mtprobe.records import Run
from mtprobe.report.failure import one_line
from mtprobe.report.numbers import share

_SAMPLES = 10  # of those that must be correct by themselves
_NUMBERS = 8  # of gates that share a reason


@dataclass(frozen=True, slots=True)
class Item:
    """A gate, or a sample that must be correct by itself, as pytest reported it."""

    status: str  # FAILED, ERROR or SKIPPED
    id: str  # pytest's
    suite: str  # its name
    path: str  # of the suite
    model: str  # its name
    target: str  # language tag, if the run has several
    name: str  # the gate's key, or `each[…]`
    reason: str  # the first line of what it says

    @property
    def is_sample(self) -> bool:
        return self.name.startswith("each[")


def item_lines(items: Sequence[Item], run: Run, *, every: bool = False) -> Iterator[tuple[str, str]]:
    """Status and text of each line: failures with their numbers, then errors, then what was skipped.

    Of samples that must be correct by themselves, the first of each suite unless `every` one is asked for.
    """
    gates = {
        (suite.path, suite.model.name, target, printable(gate.key)): gate
        for suite in run.suites
        for gate in suite.gates
        for target in (suite.target, "")
    }
    failed = [item for item in items if item.status == "FAILED"]
    yield from _failures([item for item in failed if not item.is_sample], gates)
    yield from _samples([item for item in failed if item.is_sample], len(failed) if every else _SAMPLES)
    for status in ("ERROR", "SKIPPED"):
        for group in grouped((item.reason, item) for item in items if item.status == status):
            yield status, _shared(group)


def _failures(
    items: Sequence[Item], gates: dict[tuple[str, str, str, str], GateResult]
) -> Iterator[tuple[str, str]]:
    """Each gate with its number; gates that fail for one reason share a line, after the others."""
    shared: list[tuple[str, tuple[Item, GateResult]]] = []
    for item in items:
        gate = gates.get((item.path, item.model, item.target, item.name))
        if gate is None:
            yield "FAILED", f"{item.id} - {item.reason}"
        elif gate.reason:
            shared.append((gate.reason, (item, gate)))
        else:
            yield "FAILED", f"{item.id} - {one_line(gate)}"
    for group in grouped(shared):
        if len(group.items) == 1:
            item, gate = group.items[0]
            yield "FAILED", f"{item.id} - {one_line(gate)}"
        else:
            suites = listed(item.suite for item, _ in group.items)
            numbers = _numbers(group.items)
            decision = group.items[0][1].decision.value
            what = "could not be measured" if decision == Decision.EMPTY.value else decision
            yield "FAILED", f"[{len(group.items)} gates] {suites}: {what}: {group.reason} ({numbers})"


def _numbers(items: Sequence[tuple[Item, GateResult]]) -> str:
    """`gap 0.10, gap[place] 0.20`; where several models or languages share the reason, `de: gap 0.10; fr: gap 0.20`."""
    several = len({item.model for item, _ in items}) > 1
    texts: dict[str, list[str]] = {}
    for item, gate in items:
        column = " → ".join([item.model] * several + [item.target] * bool(item.target))
        texts.setdefault(column, []).append(f"{gate.key} {share(gate.measure.value)}")
    columns: dict[str, list[str]] = {}
    for column, numbers in texts.items():
        columns.setdefault(listed(numbers, _NUMBERS), []).append(column)
    return "; ".join(
        f"{', '.join(names)}: {text}" if names != [""] else text for text, names in columns.items()
    )


def _samples(items: Sequence[Item], most: int) -> Iterator[tuple[str, str]]:
    """The first of each suite, and how many more there are."""
    suites: dict[tuple[str, str, str], list[Item]] = {}
    for item in items:
        suites.setdefault((item.path, item.model, item.target), []).append(item)
    for members in suites.values():
        for item in members[:most]:
            yield "FAILED", f"{item.id} - {item.reason}"
        if len(members) > most:
            yield "FAILED", f"[{len(members) - most} more samples] {members[0].suite}"


def _shared(group: Group[Item]) -> str:
    if len(group.items) == 1:
        return f"{group.items[0].id} - {group.reason}"
    return f"[{len(group.items)}] {listed(item.suite or item.path for item in group.items)}: {group.reason}"
