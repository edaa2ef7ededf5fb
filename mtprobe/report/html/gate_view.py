"""Gates on the page: first those that did not pass, with the reason and the regressed samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mtprobe.gates.judge import Decision, GateResult
from mtprobe.methods.verdict import Result, first_repeat
from mtprobe.records import SuiteRun
from mtprobe.report.corrected import needed
from mtprobe.report.runs.word_diff import Part, word_diff

_WORST_FIRST = ("failed", "error", "empty", "undecided", "xfail")
_FLIPS = 20  # per gate


@dataclass(frozen=True, slots=True)
class FlipView:
    """A sample that was right in the baseline, with the words in which its two translations differ."""

    result: Result
    before: list[Part]
    now: list[Part]


@dataclass(frozen=True, slots=True)
class GateGroup:
    """Some gates of one suite run."""

    run: SuiteRun
    anchor: str
    gates: tuple[GateResult, ...]


def worst_status(gates: Iterable[GateResult]) -> str:
    """Empty without gates that count."""
    return min((gate.status for gate in gates if not gate.excluded), key=_rank, default="")


def not_passed(runs: Iterable[tuple[SuiteRun, str]]) -> tuple[GateGroup, ...]:
    """The worst first, among the suites and within each; runs come with their anchors."""
    groups = _groups(runs, _WORST_FIRST)
    return tuple(sorted(groups, key=lambda group: _rank(group.gates[0].status)))


def by_status(runs: Sequence[tuple[SuiteRun, str]]) -> dict[str, tuple[GateGroup, ...]]:
    """The other gates: those that passed, and those that do not count."""
    statuses = {gate.status: None for run, _ in runs for gate in run.gates}
    others = sorted(statuses.keys() - set(_WORST_FIRST), key=_order)
    return {status: _groups(runs, (status,)) for status in others}


def _groups(runs: Iterable[tuple[SuiteRun, str]], statuses: Sequence[str]) -> tuple[GateGroup, ...]:
    return tuple(
        GateGroup(run, anchor, tuple(sorted(gates, key=lambda gate: _rank(gate.status))))
        for run, anchor in runs
        if (gates := [gate for gate in run.gates if gate.status in statuses])
    )


def _rank(status: str) -> int:
    return _WORST_FIRST.index(status) if status in _WORST_FIRST else len(_WORST_FIRST)


def counts(gates: Iterable[GateResult]) -> tuple[tuple[str, int], ...]:
    """How many gates have each status: the worst first, then those that passed, then those that do not count."""
    numbers = Counter(gate.status for gate in gates)
    return tuple((status, numbers[status]) for status in sorted(numbers, key=_order))


def _order(status: str) -> tuple[int, bool, str]:
    return _rank(status), status != "passed", status


def flips(gate: GateResult, run: SuiteRun) -> Sequence[FlipView]:
    """The samples that regressed since the baseline, for regression gates; the most confident errors first."""
    if gate.regression is None or not gate.regression.regressed:
        return ()
    results = {result.id: result for result in first_repeat(run.results)}
    pairs = [(results[flip.id], flip) for flip in gate.regression.regressed if flip.id in results]
    return [
        FlipView(result, *word_diff(flip.translation or "", result.translation or ""))
        for result, flip in pairs[:_FLIPS]
    ]


def reason_of(result: GateResult) -> str:
    """Why a gate did not pass."""
    if result.reason:
        return result.reason
    value, bound = result.measure.value, result.parsed_bound
    if result.decision is Decision.UNDECIDED:
        if result.n_to_decide is None and result.measure.bounds is not None:
            return "it depends on the undecided samples: no number of samples would decide it"
        if result.n_to_decide is None:
            return "on the bound: no number of samples would decide it"
        return f"the interval spans the bound; {needed(result)}"
    if result.decision is not Decision.FAILED or bound is None or value is None:
        return ""
    side = "short of" if bound.wants_more else "over"
    if bound.level is not None:
        return f"the entire interval is {side} the bound"
    return f"{abs(value - bound.value):.2g} {side} the bound"
