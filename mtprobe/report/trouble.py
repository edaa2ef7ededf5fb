"""Degenerate outputs and unjudged samples: how many, why, and which gates they affect."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mtprobe.gates.judge import GateResult
from mtprobe.methods.verdict import Outcome, Result
from mtprobe.records import Run, SuiteRun

_KIND = re.compile(r"\s*(?::|of “|, in the translation of “).*", re.DOTALL)
_REASONS = 8


@dataclass(frozen=True, slots=True)
class Trouble:
    """The samples of one suite run that are degenerate, or that could not be judged."""

    suite: SuiteRun
    anchor: str
    outcome: str
    count: int
    total: int
    kinds: tuple[tuple[str, int], ...]  # the most frequent first
    more: int  # kinds that are not shown
    gates: tuple[str, ...]  # keys of the gates whose value or decision they change


def troubles(run: Run, anchors: Sequence[str]) -> Iterator[Trouble]:
    """Errors first: they keep gates from being judged. `anchors` are the suite runs' anchors in the page."""
    for outcome in (Outcome.ERROR, Outcome.DEGENERATE):
        for suite, anchor in zip(run.suites, anchors, strict=True):
            results = [result for result in suite.results if result.verdict.outcome is outcome]
            if not results:
                continue
            kinds = Counter(map(_kind, results)).most_common()
            affected = tuple(gate.key for gate in suite.gates if _affected(gate, results, outcome))
            yield Trouble(
                suite=suite,
                anchor=anchor,
                outcome=outcome.value,
                count=len(results),
                total=len(suite.results),
                kinds=tuple(kinds[:_REASONS]),
                more=len(kinds[_REASONS:]),
                gates=affected,
            )


def mostly_degenerate(suite: SuiteRun) -> str:
    """`30 of 30 outputs are degenerate (empty)`; nothing below one in two."""
    judged = [result for result in suite.results if result.verdict.outcome is not Outcome.ERROR]
    degenerate = [result for result in judged if result.verdict.outcome is Outcome.DEGENERATE]
    if not degenerate or 2 * len(degenerate) < len(judged):
        return ""
    kind = Counter(map(_kind, degenerate)).most_common(1)[0][0]
    mostly = "" if all(_kind(result) == kind for result in degenerate) else "mostly "
    return f"{len(degenerate):,} of {len(judged):,} outputs are degenerate ({mostly}{kind})"


def _kind(result: Result) -> str:
    """An error's full reason; a degenerate output's reason without its particulars."""
    reason = result.verdict.reason or "no reason given"
    return reason if result.verdict.outcome is Outcome.ERROR else _KIND.sub("", reason)


def _affected(gate: GateResult, results: Sequence[Result], outcome: Outcome) -> bool:
    metric = gate.metric
    if metric is None:
        return True
    if outcome is Outcome.ERROR:  # then no number is computed from the other samples
        return metric.of_samples
    return metric.counts_degenerate and any(map(gate.selector.concerns, results))
