"""How many samples a sequential run asks, gate by gate, on shipped suites, and whether it decides as a full run does.

Each suite is run once in full; then its samples are put into several random orders, and every gate is decided on growing blocks.
The models are `demo` and, on one suite, opus-mt-en-fr from the folder `MTPROBE_MODELS`.
`python -m benchmarks.sequential gender/occupations` measures one suite.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import mtprobe
from benchmarks.tables import table
from mtprobe.gates import Decision, Early, Gate, GateResult, Population, gates_for, judge_gate
from mtprobe.methods.verdict import Outcome, Result, Verdict
from mtprobe.metrics import MetricContext, tally
from mtprobe.plan.blocks import sizes
from mtprobe.records import SuiteRun
from mtprobe.suite.sample import Suite

SUITES = Path(__file__).parents[1] / "suites"
ORDERS = 40
DEMO = (
    "gender/occupations",
    "gender/two-people",
    "gender/neutral",
    "wsd/everyday-words",
    "lexicon/ambiguous-words",
    "robustness/preserve",
    "minimal_pairs/en-pt/errors",
    "controls/en-pt/implausible",
    "winograd/schemas",
    "pt-en/pronouns",
    "pt-en/words",
)
HEAD = ("suite", "gate", "full run", "samples", "asked", "early decisions that differ")
OPUS = "opus-mt-en-fr"
WITH_OPUS = ("gender/occupations",)
_FINAL = (Decision.PASSED, Decision.FAILED)


@dataclass(slots=True)
class Row:
    """What became of one gate over all orders."""

    gate: Gate
    full: GateResult
    samples: int
    asked: list[int]
    differs: int = 0

    @property
    def cells(self) -> Sequence[str]:
        measure = self.full.measure
        shares = np.array(self.asked) / self.samples
        low, high = np.quantile(shares, [0.1, 0.9])
        value = "–" if measure.value is None else f"{measure.value:.3f}"
        return (
            f"`{self.gate.key}: {self.gate.bound}`",
            f"{value}, {self.full.decision.value}",
            f"{self.samples:,}",
            f"{np.median(shares):.0%} ({low:.0%}–{high:.0%})",
            f"{self.differs} of {sum(count < self.samples for count in self.asked)}",
        )


def main(names: Sequence[str] = DEMO, store: Path | None = None) -> list[str]:
    lines: list[Sequence[str]] = []
    for name in names:
        path = SUITES / f"{name}.mt.yaml"
        for label, model in models(name):
            suite_run = mtprobe.run(path, model, store=store).suites[0]
            for row in rows(mtprobe.load_suite(path), suite_run):
                lines.append((name + label, *row.cells))
    about = f"{ORDERS} random orders per gate: the median of the samples asked, with 10 % and 90 % quantiles."
    return [about, table(HEAD, lines)]


def models(name: str) -> Iterator[tuple[str, str]]:
    """What the table adds to the name of the suite, and the spec."""
    yield "", "demo:pt-en" if name.startswith("pt-en") else "demo"
    folder = Path(os.environ.get("MTPROBE_MODELS", "")) / OPUS
    if name in WITH_OPUS and "MTPROBE_MODELS" in os.environ and folder.is_dir():
        yield f", {OPUS}", f"hf:{folder}"


def rows(suite: Suite, suite_run: SuiteRun, orders: int = ORDERS) -> Iterator[Row]:
    """A row for each gate that can be decided early."""
    results = suite_run.results
    by_key = {gate.key: gate for gate in suite_run.gates}
    gates = [
        gate
        for gate in gates_for(suite, suite_run.target)
        if gate.metric.sequential and not gate.metric.needs_baseline and gate.key in by_key
    ]
    everything = MetricContext(tally(results, suite.seed, suite.variants), suite.answered)
    found = [Row(gate, judge_gate(gate, everything), len(results), []) for gate in gates]
    for number in range(orders):
        order = np.random.default_rng(number).permutation(len(results))
        _decide(suite, [results[int(place)] for place in order], found)
    yield from found


def _decide(suite: Suite, results: Sequence[Result], found: Sequence[Row]) -> None:
    population = Population([_counted(result) for result in results])
    waiting = list(found)
    for count in (*sizes(len(results)), len(results)):
        context = MetricContext(tally(results[:count], suite.seed, suite.variants), suite.answered)
        early = Early(context, population)
        for row in list(waiting):
            if count == len(results):
                row.asked.append(count)
                continue
            decision = early.decided(row.gate, judge_gate(row.gate, context)).decision
            if decision in _FINAL:
                row.asked.append(count)
                row.differs += decision is not row.full.decision
                waiting.remove(row)


def _counted(result: Result) -> Result:
    return replace(result, verdict=Verdict(Outcome.OPEN if result.choices else Outcome.CORRECT))


if __name__ == "__main__":
    print("\n\n".join(main(sys.argv[1:] or DEMO)))
