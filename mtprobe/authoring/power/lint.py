"""Finds gates that cannot fail, without a model: decides each on simulated verdicts (all right, all wrong, one group wrong)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mtprobe.authoring.power.simulate import Bench
from mtprobe.errors import Problem
from mtprobe.gates import Decision, Gate, GateError
from mtprobe.gates.parse import read_gate
from mtprobe.methods import Outcome, methods_of
from mtprobe.methods.verdict import Result, Verdict
from mtprobe.metrics import Tally
from mtprobe.suite.sample import GateText, Sample, Suite

_RIGHT, _WRONG = "every sample is right", "every sample is wrong"
_ALL = (
    (_WRONG, Outcome.INCORRECT),
    ("no output is a translation", Outcome.DEGENERATE),
    ("no sample is decided", Outcome.UNDECIDED),
)


def power_warnings(suite: Suite) -> Iterator[Problem]:
    """Warnings about gates whose value follows from verdicts alone, and about categories whose errors no gate catches."""
    imagination = _Imagination(suite)
    imagined = [imagination.of(text) for text in suite.gates]
    for gate in imagined:
        if gate is not None:
            yield from gate.problems()
    general = zip(suite.gates, imagined, strict=True)
    yield from _blind_categories(suite, [gate for text, gate in general if gate and text.language is None])


@dataclass(frozen=True, slots=True)
class _Imagined:
    """A gate, and what it comes to in each imagined run."""

    gate: Gate
    covered: int
    clusters: int
    decisions: Mapping[
        str, Decision
    ]  # by what is the case; without those in which there is nothing to measure

    def problems(self) -> Iterator[Problem]:
        reason = self._reason()
        if reason:
            yield Problem(self.gate.place, f"gates.{self.gate.key}: {reason}")

    def _reason(self) -> str:
        size = f"n = {self.covered:,} in {self.clusters:,} cluster{'' if self.clusters == 1 else 's'}"
        if not self.covered:
            return "it covers no sample, so it can catch nothing"
        decisions = set(self.decisions.values())
        if not decisions:
            return ""
        if decisions == {Decision.PASSED}:
            return f'it can catch nothing: it passes even if {_listed(self.decisions)} ({size}, "{self.gate.bound}")'
        if Decision.PASSED not in decisions:
            return (
                f'it cannot pass, not even if {_RIGHT} ({size}, "{self.gate.bound}"): it needs more samples'
            )
        if Decision.FAILED not in decisions:
            return f'it cannot fail: at worst it is undecided ({size}, "{self.gate.bound}"); more samples would help'
        return ""


def _listed(cases: Mapping[str, Decision]) -> str:
    named = [case for case in cases if case != _RIGHT]
    return " or if ".join(named[:3])


class _Imagination:
    """Imagined runs of a suite. Gates that cover the same samples and compare the same groups share them."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self._bench = Bench(suite, doubts=False)
        self._runs: dict[tuple[str | None, ...], list[tuple[str, Tally]]] = {}

    def of(self, text: GateText) -> _Imagined | None:
        """None for a gate that cannot be read, and for one that needs more than verdicts: a baseline, an audit."""
        try:
            gate = read_gate(text, self._suite)
        except GateError:
            return None
        if gate.metric.needs_baseline or not gate.metric.of_samples:
            return None
        runs = self._cases(gate, text.language)
        decided = {case: self._bench.decisions([gate], counts)[0] for case, counts in runs}
        decisions = {case: decision for case, decision in decided.items() if decision is not Decision.EMPTY}
        covered = [row for row in runs[0][1].results if gate.selector.concerns(row)]
        return _Imagined(gate, len(covered), len({row.cluster for row in covered}), decisions)

    def _cases(self, gate: Gate, language: str | None) -> list[tuple[str, Tally]]:
        key = (gate.method, language, gate.selector.over)
        if key not in self._runs:
            methods = [method for method in methods_of(self._suite) if gate.method in (None, method.name)]
            samples = [
                sample
                for sample in self._suite.samples
                if any(not method.lacks(sample, language) for method in methods)
            ]
            cases = _cases(samples, gate, self._suite)
            self._runs[key] = [(case, self._bench.tally(rows)) for case, rows in cases]
        return self._runs[key]


def _cases(samples: Sequence[Sample], gate: Gate, suite: Suite) -> Iterator[tuple[str, list[Result]]]:
    yield _RIGHT, [_result(sample, Outcome.CORRECT, place) for place, sample in enumerate(samples)]
    for case, outcome in _ALL:
        yield case, [_result(sample, outcome) for sample in samples]
    for choice in suite.choices:
        rows = [
            _result(sample, Outcome.CORRECT, sample.choices.index(choice))
            for sample in samples
            if choice in sample.choices
        ]
        yield f"every choice is {choice}", rows
    groups = [_group(sample, gate.selector.over) for sample in samples]
    for group in sorted({group for group in groups if group is not None}):
        yield f"every sample of {group} is wrong", _with_wrong(samples, [name == group for name in groups])


def _with_wrong(samples: Sequence[Sample], wrong: Sequence[bool]) -> list[Result]:
    outcomes = [Outcome.INCORRECT if bad else Outcome.CORRECT for bad in wrong]
    return [_result(sample, outcome) for sample, outcome in zip(samples, outcomes, strict=True)]


def _group(sample: Sample, attribute: str | None) -> str | None:
    value = sample.category if attribute is None else sample.attributes.get(attribute)
    return None if value is None else str(value)


def _blind_categories(suite: Suite, gates: Sequence[_Imagined]) -> Iterator[Problem]:
    """Categories in which every sample may be wrong, and all gates pass."""
    known = [imagined.gate for imagined in gates if imagined.decisions]
    if not known or len(known) < len(gates):
        return
    counts = Counter(sample.category for sample in suite.samples)
    bench = Bench(suite, doubts=False)
    for category in suite.answered:
        if not counts[category]:
            continue
        rows = _with_wrong(suite.samples, [sample.category == category for sample in suite.samples])
        if set(bench.decisions(known, bench.tally(rows))) == {Decision.PASSED}:
            yield Problem(
                known[0].place,
                f'gates: none notices if all {counts[category]:,} samples of the category "{category}" are wrong',
            )


def _result(sample: Sample, outcome: Outcome, place: int = 0) -> Result:
    """An imagined verdict; of an open sample, a choice."""
    choice = None
    if sample.choices and outcome in (Outcome.CORRECT, Outcome.INCORRECT):
        outcome, choice = Outcome.OPEN, sample.choices[place % len(sample.choices)]
    return Result.of(sample, "", Verdict(outcome, choice=choice))
