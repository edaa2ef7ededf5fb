"""Outputs that are no translations and samples that could not be judged: what they were, and which gates they touch."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mtprobe.gates.judge import GateResult
from mtprobe.methods.verdict import Outcome, Result
from mtprobe.records import Run, SuiteRun

_KIND = re.compile(r"\s*(?::|of “).*", re.DOTALL)
_REASONS = 8


@dataclass(frozen=True, slots=True)
class Trouble:
    """What one suite run could not make use of, of one outcome."""

    suite: SuiteRun
    anchor: str
    outcome: str
    count: int
    total: int
    kinds: tuple[tuple[str, int], ...]  # the commonest first
    more: int  # kinds that are not shown
    gates: tuple[str, ...]  # keys of the gates whose number or decision they change


def troubles(run: Run, anchors: Sequence[str]) -> Iterator[Trouble]:
    """Errors first: they keep gates from being judged. `anchors` are the suite runs' places in the page."""
    for outcome in (Outcome.ERROR, Outcome.DEGENERATE):
        for suite, anchor in zip(run.suites, anchors, strict=True):
            found = [one for one in suite.results if one.verdict.outcome is outcome]
            if not found:
                continue
            kinds = Counter(_kind(one) for one in found).most_common()
            touched = tuple(gate.key for gate in suite.gates if _touched(gate, found, outcome))
            yield Trouble(
                suite=suite,
                anchor=anchor,
                outcome=outcome.value,
                count=len(found),
                total=len(suite.results),
                kinds=tuple(kinds[:_REASONS]),
                more=len(kinds[_REASONS:]),
                gates=touched,
            )


def _kind(result: Result) -> str:
    """An error's whole reason; a degenerate output's reason without the details of this one."""
    reason = result.verdict.reason or "no reason given"
    return reason if result.verdict.outcome is Outcome.ERROR else _KIND.sub("", reason)


def _touched(gate: GateResult, results: Sequence[Result], outcome: Outcome) -> bool:
    metric = gate.metric
    if metric is None:
        return True
    if outcome is Outcome.ERROR:  # then no number is computed from the other samples
        return metric.of_samples
    return metric.counts_degenerate and any(map(gate.selector.concerns, results))
