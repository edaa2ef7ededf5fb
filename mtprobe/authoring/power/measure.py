"""Measures the power of a suite: mutants of its translations are judged once; runs at any error rate are simulated from the verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mtprobe.authoring.power import preference
from mtprobe.authoring.power.mutators import MUTATORS, Material, Mutator
from mtprobe.authoring.power.needed import Resampler
from mtprobe.authoring.power.outcome import Catch, GatePower, MutatorFacts, Needed, Start, SuitePower
from mtprobe.authoring.power.repaired import Started, Starts, starts
from mtprobe.authoring.power.search import curves, smallest
from mtprobe.authoring.power.simulate import Bench, Columns, Simulation
from mtprobe.authoring.power.verdicts import Judged, Translations
from mtprobe.backends.model import Model
from mtprobe.gates import Gate
from mtprobe.methods import Method, Outcome, Preparation
from mtprobe.methods.method import Translated
from mtprobe.methods.verdict import Result
from mtprobe.metrics import tally
from mtprobe.plan import SuitePlan
from mtprobe.plan.tracker import Tracker
from mtprobe.progress import Progress
from mtprobe.statistics.intervals import Mask
from mtprobe.store import Store

_FEWEST = 25  # runs per size of a suite
_GROUPS = 8  # a gate that compares more has no errors simulated within each
_WRONG = (Outcome.INCORRECT, Outcome.DEGENERATE)
_STARTS: tuple[Start, ...] = ("model", "repaired")


@dataclass(frozen=True, slots=True)
class PowerOptions:
    runs: int = 200  # simulated, at rates that matter
    rate: float = 0.1  # for the number of samples that would be needed
    seed: int = 0
    scattered: bool = False  # errors hit every sample by itself, not clusters together
    mutators: tuple[str, ...] = ()  # by name; none: all


def suite_power(
    plan: SuitePlan, model: Model, options: PowerOptions, store: Store | None, progress: Progress
) -> Iterator[SuitePower]:
    """One result per method of the plan that has gates."""
    translations = Translations.make(plan, model, store, Tracker(progress))
    for method in translations.plan.methods:
        if translations.plan.gates_of(method):
            yield _Measurement(translations, method, options, progress).result()


class _Measurement:
    """One method of one suite."""

    def __init__(
        self, translations: Translations, method: Method, options: PowerOptions, progress: Progress
    ) -> None:
        self._translations, self._method, self._options = translations, method, options
        self._progress = progress
        self._bench = Bench(translations.plan.suite)

    def result(self) -> SuitePower:
        begun = starts(self._translations, self._method, self._bench)
        columns = self._columns(begun)
        catches = list(self._catches(begun, columns))
        suite, languages = self._translations.plan.suite, self._translations.model.languages
        return SuitePower(
            suite=suite.name,
            path=str(suite.path),
            model=self._translations.model.name,
            source=languages.source,
            target=languages.target,
            method=self._method.name,
            samples=len(begun.rows["model"]),
            runs=self._options.runs,
            seed=self._options.seed,
            scattered=self._options.scattered,
            gates=tuple(_gate(started, begun) for started in begun.gates),
            mutators=tuple(self._facts(columns)),
            catches=tuple(catches),
            repaired=begun.repaired,
            dropped=len(begun.dropped),
            notes=tuple(self._notes(begun)),
        )

    def _notes(self, begun: Starts) -> Iterator[str]:
        if begun.failed:
            yield f"{begun.failed:,} samples were not judged, and are in no run"
        if self._translations.plan.suite.corrected:
            yield "labels correct nothing here: gates are decided on verdicts alone"
        if self._method.judges == "targets":
            yield "the method judges given targets by the model's scores, which corrupted translations do not change: the error is a wrong preference"

    def _columns(self, begun: Starts) -> dict[tuple[str, Start], Columns]:
        """Columns by mutator and mutated text, only for starting points that a gate uses."""
        wanted = [start for start in _STARTS if begun.started(start)] or ["model"]
        if self._method.judges == "targets":
            return {
                (column.mutator, start): column
                for start in wanted
                for column in self._preferences(begun.rows[start])
            }
        mutants = {start: self._mutants(begun.rows[start], begun.preparation) for start in wanted}
        texts: dict[str, list[str]] = {}
        for by_mutator in mutants.values():
            for by_sample in by_mutator.values():
                for sample_id, text in by_sample.items():
                    texts.setdefault(sample_id, []).append(text)
        judged = self._translations.judge(self._method, texts) if texts else {}
        return {
            (mutator.name, start): _column(mutator, begun.rows[start], mutants[start][mutator.name], judged)
            for mutator in self._mutators
            for start in wanted
        }

    def _preferences(self, rows: tuple[Result, ...]) -> Iterator[Columns]:
        """Possible errors of a model that only scores."""
        yield Columns(preference.NAME, rows, tuple(map(preference.preferring_wrong, rows)))
        gates = self._translations.plan.gates_of(self._method)
        for attribute, value in preference.kinds_of_target(rows, gates):
            mutated = tuple(preference.preferring(row, attribute, value) for row in rows)
            yield Columns(f"prefers {attribute}={value}", rows, mutated)

    @property
    def _mutators(self) -> list[Mutator]:
        names = self._options.mutators or tuple(MUTATORS)
        return [MUTATORS[name] for name in names]

    def _mutants(self, rows: Sequence[Result], preparation: Preparation) -> dict[str, dict[str, str]]:
        """Texts by mutator and sample."""
        samples = self._translations.samples()
        translated = [Translated(samples[row.id], row.translation) for row in rows if row.translation]
        material = Material(translated, preparation, self._options.seed)
        return {
            mutator.name: {mutant.sample.id: mutant.text for mutant in mutator.mutate_all(material)}
            for mutator in self._mutators
        }

    def _facts(self, columns: Mapping[tuple[str, Start], Columns]) -> Iterator[MutatorFacts]:
        """Facts about the translations to which a mutator applies most often: the model's own, or repaired ones."""
        for name in dict.fromkeys(name for name, _ in columns):
            several = [columns[name, start] for start in _STARTS if (name, start) in columns]
            column = max(several, key=lambda one: int(one.applies.sum()))
            null = name in MUTATORS and MUTATORS[name].null
            worse = sum(
                changed and (row.verdict.outcome in (Outcome.CORRECT, Outcome.OPEN))
                for changed, row in zip(column.changed, column.rows, strict=True)
            )
            changed = int(column.changed.sum())
            yield MutatorFacts(name, null, int(column.applies.sum()), int(worse), changed)

    def _catches(self, begun: Starts, columns: Mapping[tuple[str, Start], Columns]) -> Iterator[Catch]:
        self._progress.start(f"simulating {self._translations.plan.suite.name}", len(columns))
        try:
            for (name, start), column in columns.items():
                gates = begun.started(start)
                null = name in MUTATORS and MUTATORS[name].null
                if gates and column.applies.any():
                    yield from self._simulated(column, gates, counts=not null)
                    for gate in () if null else gates:
                        for part in _in_groups(gate, column):
                            yield from self._simulated(part, [gate], counts=False)
                self._progress.advance(1)
        finally:
            self._progress.done()

    def _simulated(self, column: Columns, gates: Sequence[Gate], *, counts: bool) -> Iterator[Catch]:
        """With `counts`, also how many samples would be needed."""
        options = self._options
        simulation = Simulation(self._bench, column, options.seed, options.scattered)
        affected = simulation.affected(gates)
        by_key = dict(
            zip([gate.key for gate in affected], curves(simulation, affected, options.runs), strict=True)
        )
        enough: dict[str, Needed] = {}
        if counts and affected:
            for gate in affected:
                runs = max(_FEWEST, options.runs // 4)
                enough[gate.key] = Resampler(simulation, gate).needed(options.rate, runs)
        for gate in gates:
            points = by_key.get(gate.key, ())
            yield Catch(
                gate.key,
                column.mutator,
                column.group,
                points,
                smallest(points),
                smallest(points, failed_only=True),
                enough.get(gate.key),
            )


def _column(mutator: Mutator, rows: Sequence[Result], texts: Mapping[str, str], judged: Judged) -> Columns:
    """A mutant that makes a wrong translation right is no corruption, and one that could not be judged shows nothing."""
    mutated: list[Result | None] = []
    for row in rows:
        result = judged.get((row.id, texts[row.id])) if row.id in texts else None
        if result is not None and result.verdict.outcome is Outcome.ERROR:
            result = None
        repairs = (
            result is not None and row.verdict.outcome in _WRONG and result.verdict.outcome is Outcome.CORRECT
        )
        mutated.append(None if repairs and not mutator.null else result)
    return Columns(mutator.name, tuple(rows), tuple(mutated))


def _in_groups(gate: Gate, column: Columns) -> Iterator[Columns]:
    """Errors in one group alone, for a gate that is good if groups are alike."""
    if not gate.metric.compares_groups or gate.metric.higher_is_better is not False:
        return
    groups = tally(column.rows).values_of(gate.selector.over)
    if not 2 <= len(groups) <= _GROUPS:
        return
    for name, mask in groups.items():
        inside: Mask = mask & column.applies
        if 0 < inside.sum() < column.applies.sum():
            yield column.within(name, inside)


def _gate(started: Started, begun: Starts) -> GatePower:
    gate, result = started.gate, started.result
    covered = gate.selector.mask(tally(begun.dropped)) if begun.dropped else np.zeros(0, bool)
    return GatePower(
        gate.key,
        str(gate.bound),
        str(gate.place.path),
        gate.place.line,
        started.start,
        result.measure.value if result else None,
        result.measure.n if result else 0,
        int(covered.sum()) if started.start != "model" else 0,
        started.reason,
    )
