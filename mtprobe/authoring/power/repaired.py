"""The starting point of simulations: the model's translations or, for gates that do not pass on them, repaired ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mtprobe.authoring.power.outcome import Start
from mtprobe.authoring.power.preference import preferring_right
from mtprobe.authoring.power.repairs import candidates
from mtprobe.authoring.power.simulate import Bench
from mtprobe.authoring.power.verdicts import Translations, plain
from mtprobe.gates import Decision, Gate, GateResult
from mtprobe.methods import Method, Outcome, Preparation
from mtprobe.methods.verdict import Result

_WRONG = (Outcome.INCORRECT, Outcome.DEGENERATE)
_NOT_OF_TRANSLATIONS = "it measures the evaluator, not the translations"
_OF_TARGETS = (
    "it compares given targets with the model's translations: it says whether the suite fits the model"
)
_NEEDS_BASELINE = "it compares with a baseline"


@dataclass(frozen=True, slots=True)
class Started:
    """A gate with the translations that it is simulated from."""

    gate: Gate
    start: Start | None  # None: it is not simulated
    result: GateResult | None = None  # without errors
    reason: str = ""  # why it is not simulated


@dataclass(frozen=True, slots=True)
class Starts:
    """Both states of a suite's translations, and which gate starts from which."""

    rows: Mapping[Start, tuple[Result, ...]]
    gates: tuple[Started, ...]
    repaired: int
    dropped: tuple[Result, ...]  # wrong translations that could not be repaired
    failed: int  # samples that were not judged
    preparation: Preparation

    def started(self, start: Start) -> list[Gate]:
        return [started.gate for started in self.gates if started.start == start]


def starts(translations: Translations, method: Method, bench: Bench) -> Starts:
    """Repairs are made only if some gate needs them."""
    judgement = translations.judged(method)
    everything = tuple(map(plain, judgement.results))
    rows = tuple(result for result in everything if result.verdict.outcome is not Outcome.ERROR)
    gates = translations.plan.gates_of(method)
    reasons = {gate.key: _reason(gate, method) for gate in gates}
    simulated = [gate for gate in gates if not reasons[gate.key]]
    at_first = dict(
        zip([gate.key for gate in simulated], bench.results(simulated, bench.tally(rows)), strict=True)
    )
    repaired: tuple[Result, ...] = rows
    dropped: tuple[Result, ...] = ()
    count = 0
    if any(result.decision is not Decision.PASSED for result in at_first.values()):
        fixed = _fixed(rows, translations, method, judgement.preparation)
        repaired, dropped = _replaced(rows, fixed)
        count = sum(result is not None for result in fixed.values())
    again = dict(
        zip([gate.key for gate in simulated], bench.results(simulated, bench.tally(repaired)), strict=True)
    )
    return Starts(
        {"model": rows, "repaired": repaired},
        tuple(
            _started(gate, at_first[gate.key], again[gate.key])
            if gate.key in at_first
            else Started(gate, None, reason=reasons[gate.key])
            for gate in gates
        ),
        count,
        dropped,
        len(everything) - len(rows),
        judgement.preparation,
    )


def _fixed(
    rows: Sequence[Result], translations: Translations, method: Method, preparation: Preparation
) -> dict[str, Result | None]:
    """Repaired results by sample; None where no candidate is right."""
    if method.judges == "targets":
        return {row.id: result for row in rows if (result := preferring_right(row)) is not None}
    texts = candidates(rows, preparation)
    judged = translations.judge(method, texts) if texts else {}
    return {
        row.id: _best(row, [judged.get((row.id, text)) for text in texts[row.id]])
        for row in rows
        if row.id in texts
    }


def _reason(gate: Gate, method: Method) -> str:
    """Why a gate is not simulated."""
    if gate.metric.needs_baseline:
        return _NEEDS_BASELINE
    if gate.metric.needs_translations and method.judges == "targets":
        return _OF_TARGETS
    return "" if gate.metric.of_samples else _NOT_OF_TRANSLATIONS


def _best(row: Result, tried: Sequence[Result | None]) -> Result | None:
    """The first candidate that is right; of an open sample, the first that makes the other choice."""
    for result in tried:
        if result is None:
            continue
        verdict = result.verdict
        if verdict.outcome is Outcome.CORRECT:
            return result
        if verdict.outcome is Outcome.OPEN and verdict.choice != row.verdict.choice:
            return result
    return None


def _replaced(
    rows: Sequence[Result], fixed: Mapping[str, Result | None]
) -> tuple[tuple[Result, ...], tuple[Result, ...]]:
    """The rows with repaired ones in their places, without wrong ones that could not be repaired; and those."""
    kept: list[Result] = []
    dropped: list[Result] = []
    for row in rows:
        result = fixed.get(row.id)
        if result is not None:
            kept.append(result)
        elif row.verdict.outcome in _WRONG:
            dropped.append(row)
        else:
            kept.append(row)
    return tuple(kept), tuple(dropped)


def _started(gate: Gate, first: GateResult, again: GateResult) -> Started:
    if first.decision is Decision.PASSED:
        return Started(gate, "model", first)
    if again.decision is Decision.PASSED:
        return Started(gate, "repaired", again)
    why = again.reason or f"{again.decision.value} at {_number(again)}"
    return Started(gate, None, again, f"it does not pass even where errors are repaired or dropped: {why}")


def _number(result: GateResult) -> str:
    measure = result.measure
    return "no value" if measure.value is None else f"{measure.value:.3f} (n = {measure.n:,})"
