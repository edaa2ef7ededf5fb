"""The power of gates as text and tables, for the terminal, CSV and the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mtprobe.authoring.power.outcome import Catch, GatePower, MutatorFacts, SmallestRate, SuitePower

COLUMNS = ("gate", "bound", "from", "error", "caught at", "fails at", "samples needed")
LEGEND = (
    "caught at: the smallest share of corrupted translations at which the gate does not pass in 80 % of the runs, with its "
    "95 % interval; fails at: the same without undecided; samples needed: of the gate, to catch a rate of {rate:g}"
)
NEVER = "never"
_SHOWN = 6


def rate(smallest: SmallestRate | None, *, interval: bool = True) -> str:
    """`0.21 (0.19–0.23)`."""
    if smallest is None:
        return NEVER
    digits = 3 if smallest.rate < 0.0995 else 2
    value, low, high = (f"{number:.{digits}f}" for number in (smallest.rate, smallest.low, smallest.high))
    return f"{value} ({low}–{high})" if interval else value


def needed(catch: Catch) -> str:
    """How many samples, or why none are enough."""
    if catch.needed is None:
        return ""
    if catch.needed.samples is not None:
        return f"{catch.needed.samples:,}"
    return "no number" if catch.needed.hopeless else f"> {catch.needed.tried:,}"


def error_name(catch: Catch) -> str:
    """`gender in female`."""
    return f"{catch.mutator} in {catch.group}" if catch.group else catch.mutator


def start_text(gate: GatePower) -> str:
    """`0.98, n = 590`; repaired translations say so."""
    value = "–" if gate.value is None else f"{gate.value:.2f}"
    repaired = " repaired" if gate.start == "repaired" else ""
    return f"{value}{repaired}, n = {gate.n:,}"


def caught_by(power: SuitePower, gate: GatePower) -> list[Catch]:
    """The errors that the gate catches, the smallest rate first. Null mutants are no errors."""
    nulls = {facts.name for facts in power.mutators if facts.null}
    caught = [
        (catch.smallest.rate, catch)
        for catch in power.of(gate.key)
        if catch.smallest is not None and catch.mutator not in nulls
    ]
    return [catch for _, catch in sorted(caught, key=lambda item: item[0])]


def gate_rows(power: SuitePower) -> Iterator[list[str]]:
    """The cells of `COLUMNS`: a row for each gate and each error that it catches."""
    for gate in power.gates:
        head = [gate.key, gate.bound, start_text(gate) if gate.start else "not simulated"]
        caught = caught_by(power, gate)
        if not caught:
            yield [*head, "nothing" if gate.start else "–", "–", "–", "–"]
        for catch in caught:
            yield [
                *head,
                error_name(catch),
                rate(catch.smallest),
                rate(catch.smallest_failed, interval=False) if "@" in gate.bound else "",
                needed(catch),
            ]
            head = ["", "", ""]


def summary_lines(power: SuitePower) -> Iterator[str]:
    """Information that is not in the table."""
    if power.repaired or power.dropped:
        yield (
            f"gates that do not pass on the model's translations start from repaired ones: {power.repaired:,} were repaired, "
            f"{power.dropped:,} could not be and are not in their runs"
        )
    for gate in power.gates:
        if gate.start is None:
            yield f"not simulated: {gate.key}: {gate.reason}"
    if power.uncaught:
        yield f"no gate catches: {', '.join(map(mutator_text, power.uncaught))}"
    elif power.errors:
        yield "every kind of error that applies is caught by a gate"
    else:
        yield "no mutator applies to these translations"
    if power.blind:
        yield f"gates that catch nothing: {', '.join(gate.key for gate in power.blind)}"
    nulls = [facts for facts in power.mutators if facts.null and facts.applies]
    if nulls:
        yield f"verdicts changed by what must not matter: {', '.join(map(null_text, nulls))}"
        yield alarm_text(power)
    yield from power.notes


def mutator_text(facts: MutatorFacts) -> str:
    """`negation (12 translations, 3 verdicts worse)`."""
    return f"{facts.name} ({facts.applies:,} translations, {facts.worse:,} verdicts worse)"


def null_text(facts: MutatorFacts) -> str:
    """`spacing 2 of 330 (0.00–0.02)`."""
    low, high = facts.changed_interval
    return f"{facts.name} {facts.changed:,} of {facts.applies:,} ({low:.3f}–{high:.3f})"


def alarm_text(power: SuitePower) -> str:
    alarms = power.false_alarms
    if not alarms:
        return "false alarms: none, in any run at any rate"
    listed = [
        f"{catch.gate} ({catch.mutator}: in up to {catch.most:.0%} of the runs)" for catch in alarms[:_SHOWN]
    ]
    more = f" and {len(alarms) - _SHOWN} more" if len(alarms) > _SHOWN else ""
    return f"false alarms: {', '.join(listed)}{more}"


def table_rows(power: SuitePower) -> Iterator[dict[str, Any]]:
    """For CSV: a row for each gate, mutator and group that was simulated."""
    gates = {gate.key: gate for gate in power.gates}
    facts = {one.name: one for one in power.mutators}
    for catch in power.catches:
        gate, mutator = gates[catch.gate], facts[catch.mutator]
        yield {
            "suite": power.suite,
            "model": power.model,
            "source": power.source,
            "target": power.target,
            "method": power.method,
            "gate": catch.gate,
            "bound": gate.bound,
            "start": gate.start,
            "value": gate.value,
            "n": gate.n,
            "dropped": gate.dropped,
            "mutator": catch.mutator,
            "null": mutator.null,
            "group": catch.group,
            "applies": mutator.applies,
            "worse": mutator.worse,
            **_rates("caught", catch.smallest),
            **_rates("failed", catch.smallest_failed),
            "most": catch.most,
            "needed_rate": catch.needed.rate if catch.needed else None,
            "needed": catch.needed.samples if catch.needed else None,
            "runs": power.runs,
            "seed": power.seed,
        }


def _rates(name: str, smallest: SmallestRate | None) -> dict[str, float | None]:
    return {
        f"{name}_at": smallest.rate if smallest else None,
        f"{name}_at_low": smallest.low if smallest else None,
        f"{name}_at_high": smallest.high if smallest else None,
    }
