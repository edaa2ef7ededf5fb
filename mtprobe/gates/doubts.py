"""Doubts about the verdicts of a gate: such a gate does not pass, regardless of its value.

It is undecided and says why. More samples would not help, so `undecided=skip` does not skip it. What an audit found
arrives as plain data: reasons by category.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from mtprobe.gates.judge import Decision, GateResult
from mtprobe.gates.parse import Gate
from mtprobe.methods.verdict import Outcome, Result
from mtprobe.metrics import MetricContext, Selector
from mtprobe.metrics.ties import Ties, is_tie
from mtprobe.statistics.intervals import Mask

_WITHHELD = 0.2  # of the samples: beyond it, those with a verdict are too special
_DEGENERATE = 0.5  # of the outputs: beyond it, a small difference between groups means nothing


Consequence = Literal["undecided", "fail", "warn"]
"""For a gate on verdicts in doubt: undecided, failed, or decided all the same, with a warning."""

Reasons = Mapping[str | None, str]
"""By category; None is that of samples without one."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why the verdicts behind a gate cannot be trusted."""

    reason: str
    doubts_failures: bool = True  # False: a gate that failed has failed all the same
    decision: Decision = Decision.UNDECIDED  # of the gate


@dataclass(frozen=True, slots=True)
class VerdictAudit:
    """The result of an audit of the verdicts, and its consequences."""

    unfit: Reasons = field(default_factory=dict)  # the verdicts are known to be wrong too often
    unaudited: Reasons = field(default_factory=dict)  # nothing is known about the verdicts
    if_unfit: Consequence = "undecided"
    if_unaudited: Consequence = "warn"

    def about(self, categories: set[str | None]) -> Iterator[Doubt]:
        """The doubts about a gate that covers these categories."""
        for reasons, consequence in ((self.unfit, self.if_unfit), (self.unaudited, self.if_unaudited)):
            if consequence == "warn":
                continue
            decision = Decision.FAILED if consequence == "fail" else Decision.UNDECIDED
            for category, reason in reasons.items():
                if category in categories:
                    yield Doubt(reason, decision is Decision.UNDECIDED, decision)


class Doubts:
    """The doubts about one suite's verdicts."""

    def __init__(self, context: MetricContext, audited: VerdictAudit | None = None) -> None:
        self._context = context
        self._audited = audited or VerdictAudit()
        self._tally = tally = context.tally
        ties = tally.column("ties", _tie, int)
        self._scored: Mask = ties >= 0
        self._tied: Mask = ties > 0

    def apply(self, gate: Gate, result: GateResult) -> GateResult:
        """The gate's result, undecided if there is a doubt. Labels correct verdicts, however doubtful they are."""
        if result.decision in (Decision.ERROR, Decision.EMPTY) or not result.skippable:
            return result
        failed = result.decision is Decision.FAILED
        doubts = self._no_translations(gate) if result.raw is not None else self.about(gate)
        doubt = next((doubt for doubt in doubts if doubt.doubts_failures or not failed), None)
        if doubt is None:
            return result
        return replace(
            result, decision=doubt.decision, reason=doubt.reason, n_to_decide=None, skippable=False
        )

    def about(self, gate: Gate) -> Iterator[Doubt]:
        """All that speaks against the verdicts that the gate's metric rests on."""
        if not gate.metric.rests_on_verdicts:
            return
        yield from self._withheld(gate)
        yield from self._ties(gate)
        yield from self._no_translations(gate)
        concerned = gate.selector.mask(self._tally)
        yield from self._audited.about(
            {result.category for result, inside in zip(self._tally.results, concerned, strict=True) if inside}
        )

    def _groups(self, gate: Gate) -> Iterator[tuple[str, Mask]]:
        """The suite, the samples that the gate covers, and each group that it compares; by name."""
        yield "", Selector().mask(self._tally)
        own = gate.selector
        yield "" if own.over or own.choice else str(own), own.mask(self._tally)
        if gate.metric.compares_groups and own.over is None:
            for selector in map(Selector, self._context.categories):
                yield str(selector), selector.mask(self._tally)

    def _withheld(self, gate: Gate) -> Iterator[Doubt]:
        """Among the samples that an answer is right for or, where the gate is about a choice, that have choices."""
        withheld = self._tally.withheld
        if not withheld.any():
            return
        answered = self._tally.answered
        counted = answered if gate.selector.choice is None else ~answered
        for group, mask in self._groups(gate):
            n, undecided = int((mask & counted).sum()), int((mask & counted & withheld).sum())
            if undecided > _WITHHELD * n:
                samples = f"{undecided:,} of {n:,} {self._tally.unit}{f' of {group}' if group else ''}"
                is_within = (
                    "is undecided ({}): its margin is"
                    if undecided == 1
                    else "are undecided ({}): their margins are"
                )
                yield Doubt(
                    f"{samples} {is_within.format(f'{undecided / n:.0%}')} within the noise, "
                    f"and above {_WITHHELD:.0%} the others say too little"
                )
                return

    def _ties(self, gate: Gate) -> Iterator[Doubt]:
        for group, mask in self._groups(gate):
            ties = Ties(int((self._tied & mask).sum()), int((self._scored & mask).sum()))
            if ties.too_many:
                yield Doubt(f"{ties.among(group)}: the scores do not distinguish the readings")
                return

    def _no_translations(self, gate: Gate) -> Iterator[Doubt]:
        """Degenerate outputs are wrong, which a metric that is good when it is low may not notice."""
        if not gate.metric.counts_degenerate:
            return
        outputs: Mask = gate.selector.mask(self._tally) & self._tally.decided
        n = int(outputs.sum())
        degenerate = int((outputs & (self._tally.outcomes == Outcome.DEGENERATE)).sum())
        most = gate.metric.higher_is_better is False and degenerate > _DEGENERATE * n
        if n and (degenerate == n or most):
            yield Doubt(f"{degenerate:,} of {n:,} outputs are not translations", doubts_failures=False)


def _tie(result: Result) -> int:
    """Whether the verdict is a tie; negative if it rests on no scores."""
    tie = None if result.verdict.withheld else is_tie(result)
    return -1 if tie is None else int(tie)
