"""The run at a glance: suites × models, each cell a strip of tiles coloured by the bounds of its gates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mtprobe.gates.judge import Decision, GateResult, decide
from mtprobe.metrics import Measure, Metric, Selector
from mtprobe.metrics.accuracy import ACCURACY, MINIMUM_ACCURACY
from mtprobe.metrics.chosen import CHOSEN
from mtprobe.records import SuiteRun
from mtprobe.report.categories import CategoryRow, ChoiceRow

UNGATED = "ungated"
_NEAR, _FAR = 0.05, 0.2  # from the bound, where shades change


@dataclass(frozen=True, slots=True)
class Tile:
    """One number; its colour says whether it meets the bound of a gate, and how clearly."""

    label: str
    measure: Measure
    status: str = UNGATED  # that of the gate
    bound: str = ""  # of the gate
    distance: float | None = None  # of a share to the bound: positive where it is met

    @property
    def shade(self) -> int:
        """1 close to the bound, 3 far from it."""
        if self.distance is None:
            return 2
        return 1 + (abs(self.distance) >= _NEAR) + (abs(self.distance) >= _FAR)


@dataclass(frozen=True, slots=True)
class Strip:
    """One suite run."""

    run: SuiteRun
    anchor: str
    tiles: tuple[Tile, ...]  # categories or choices, then all samples
    others: tuple[Tile, ...]  # the other gates that did not pass
    passed: int  # how many of the other gates did
    excluded: int  # gates that do not count: they were not selected, or skipped

    @property
    def gated(self) -> bool:
        """Whether a gate is shown."""
        return any(tile.bound for tile in (*self.tiles, *self.others))


@dataclass(frozen=True, slots=True)
class Column:
    model: str
    target: str


@dataclass(frozen=True, slots=True)
class OverviewRow:
    suite: str
    methods: tuple[str, ...]
    cells: tuple[
        tuple[Strip, ...], ...
    ]  # one per column: a strip per method, none where the suite did not run


@dataclass(frozen=True, slots=True)
class Overview:
    columns: tuple[Column, ...]
    rows: tuple[OverviewRow, ...]

    @property
    def several_targets(self) -> bool:
        return len({column.target for column in self.columns}) > 1


def overview(strips: Sequence[Strip]) -> Overview:
    """A row per suite, a column per model and target language, in the order of the run."""
    columns = tuple(dict.fromkeys(map(_column, strips)))
    suites: dict[tuple[str, str], list[Strip]] = {}
    for strip in strips:
        suites.setdefault((strip.run.suite, strip.run.path), []).append(strip)
    rows = (
        OverviewRow(
            suite,
            tuple(dict.fromkeys(strip.run.method for strip in group)),
            tuple(tuple(strip for strip in group if _column(strip) == column) for column in columns),
        )
        for (suite, _), group in suites.items()
    )
    return Overview(columns, tuple(rows))


def _column(strip: Strip) -> Column:
    return Column(strip.run.model.name, strip.run.target)


def strip_of(run: SuiteRun, anchor: str, rows: Sequence[CategoryRow], choices: Sequence[ChoiceRow]) -> Strip:
    """Every gate that counts is a tile, or counted among those that passed."""
    pairs = [*_accuracies(run, rows), *_choices(run, choices)]
    own = {id(gate) for _, gate in pairs if gate is not None}
    others = [gate for gate in run.gates if id(gate) not in own and not gate.excluded]
    return Strip(
        run=run,
        anchor=anchor,
        tiles=tuple(tile for tile, _ in pairs),
        others=tuple(_tile(gate.key, gate) for gate in others if gate.decision is not Decision.PASSED),
        passed=sum(gate.decision is Decision.PASSED for gate in others),
        excluded=sum(bool(gate.excluded) for gate in run.gates),
    )


def _accuracies(run: SuiteRun, rows: Sequence[CategoryRow]) -> Iterator[tuple[Tile, GateResult | None]]:
    """Without a gate of its own, a category has to reach the bound of the minimum."""
    minimum = _gate(run, MINIMUM_ACCURACY, Selector())
    for row in rows:
        gate = _gate(run, ACCURACY, Selector(None if row.overall else row.name))
        if gate is not None:
            yield _tile(row.name, gate), gate
        elif minimum is not None and not row.overall:
            yield _of_minimum(row, minimum), None
        else:
            yield Tile(row.name, row.accuracy), None


def _choices(run: SuiteRun, rows: Sequence[ChoiceRow]) -> Iterator[tuple[Tile, GateResult | None]]:
    several = len({row.category for row in rows}) > 1
    for row in rows:
        label = f"{row.category} → {row.choice}" if several else f"→ {row.choice}"
        gate = None if several else _gate(run, CHOSEN, Selector(choice=row.choice))
        yield (Tile(label, row.chosen), None) if gate is None else (_tile(label, gate), gate)


def _gate(run: SuiteRun, metric: Metric, selector: Selector) -> GateResult | None:
    """The gate on this number, if it counts."""
    gates = (gate for gate in run.gates if gate.metric is metric and gate.selector == selector)
    return next((gate for gate in gates if not gate.excluded), None)


def _tile(label: str, gate: GateResult) -> Tile:
    share = gate.metric is not None and gate.metric.is_share
    return Tile(
        label, gate.measure, gate.status, gate.bound, _distance(gate, gate.measure) if share else None
    )


def _of_minimum(row: CategoryRow, gate: GateResult) -> Tile:
    """The reason that left the gate undecided applies to every category; otherwise each is compared with the bound."""
    bound = gate.parsed_bound
    status = gate.status
    if bound is not None and not gate.reason and gate.decision is not Decision.ERROR:
        decision = decide(bound, row.accuracy)
        status = "xfail" if gate.xfail and decision is not Decision.PASSED else decision.value
    return Tile(row.name, row.accuracy, status, gate.bound, _distance(gate, row.accuracy))


def _distance(gate: GateResult, measure: Measure) -> float | None:
    bound = gate.parsed_bound
    if bound is None or measure.value is None:
        return None
    return measure.value - bound.value if bound.wants_more else bound.value - measure.value
