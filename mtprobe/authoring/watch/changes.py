"""The effects of an edit: changed samples with their expansions, verdicts and gates."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from mtprobe.authoring.expansion import lines_of
from mtprobe.gates import GateResult
from mtprobe.methods.verdict import Result
from mtprobe.records import Run
from mtprobe.suite import Sample, Suite

Kind = Literal["added", "removed", "changed"]


@dataclass(frozen=True, slots=True)
class SampleChange:
    """A sample that came, went, or whose sentence, category or evidence is another."""

    kind: Kind
    id: str
    lines: tuple[str, ...]  # the expansion; of a change the lines that differ, with "- " or "+ " before them


def sample_changes(before: Suite | None, after: Suite) -> list[SampleChange]:
    """In the order of the suite; what was removed comes last. Nothing changed before there was a suite."""
    if before is None:
        return []
    earlier = {sample.id: sample for sample in before.samples}
    later = {sample.id: sample for sample in after.samples}
    changes = [
        change
        for sample in after.samples
        if (change := _change(earlier.get(sample.id), before, sample, after))
    ]
    for id, sample in earlier.items():
        if id not in later:
            changes.append(SampleChange("removed", id, tuple(lines_of(sample, before))))
    return changes


def _change(earlier: Sample | None, before: Suite, sample: Sample, after: Suite) -> SampleChange | None:
    lines = list(lines_of(sample, after))
    if earlier is None:
        return SampleChange("added", sample.id, tuple(lines))
    old = list(lines_of(earlier, before))
    if old == lines:
        return None
    differing = (line for line in difflib.ndiff(old, lines) if line.startswith(("- ", "+ ")))
    return SampleChange("changed", sample.id, tuple(differing))


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """How a method judges a sample now, and how it did before the edit, if it did."""

    method: str
    before: Result | None
    after: Result

    @property
    def is_other(self) -> bool:
        """Whether the outcome is another one, not only its probability."""
        return self.before is None or self.before.verdict.outcome is not self.after.verdict.outcome


def verdict_changes(before: Run | None, after: Run) -> Mapping[str, Sequence[VerdictChange]]:
    """Changed verdicts by sample id, one per method."""
    earlier = {
        (suite.method, result.id): result
        for suite in (before.suites if before else ())
        for result in suite.results
    }
    changes: dict[str, list[VerdictChange]] = {}
    for suite in after.suites:
        for result in suite.results:
            change = VerdictChange(suite.method, earlier.get((suite.method, result.id)), result)
            changes.setdefault(result.id, []).append(change)
    return changes


@dataclass(frozen=True, slots=True)
class GateChange:
    """A gate now, and before the edit, if it was there."""

    before: GateResult | None
    after: GateResult


def gate_changes(before: Run | None, after: Run) -> Iterator[GateChange]:
    earlier = {gate.key: gate for suite in (before.suites if before else ()) for gate in suite.gates}
    for suite in after.suites:
        yield from (GateChange(earlier.get(gate.key), gate) for gate in suite.gates)
