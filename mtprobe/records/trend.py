"""Every gate over releases, from the records of several runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mtprobe.gates.judge import GateResult
from mtprobe.metrics.pairing import pair_up
from mtprobe.records.counterpart import judge_warning
from mtprobe.records.procedure import procedure_of, same_procedure
from mtprobe.records.run import Run, SuiteRun


@dataclass(frozen=True, slots=True)
class Release:
    """One run."""

    label: str
    created: str  # ISO 8601
    models: tuple[str, ...]
    missing: tuple[str, ...] = ()  # what the run did not finish
    partial: bool = False  # only some of the samples were used

    @property
    def title(self) -> str:
        """The label, with the models' names unless it is one of them."""
        models = ", ".join(self.models)
        return self.label if models in ("", self.label) else f"{self.label} ({models})"


@dataclass(frozen=True, slots=True)
class SuiteState:
    """A suite in one release."""

    release: int
    samples: int
    partial: bool
    apart: str = ""  # why its numbers cannot be joined to those of the release before; empty if they can
    regressed: int | None = None  # samples since the release before; None: not comparable
    fixed: int | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A gate in one release."""

    release: int
    gate: GateResult
    partial: bool
    apart: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """A gate whose decision flipped."""

    suite: SuiteTrend
    key: str
    before: Reading
    after: Reading

    @property
    def reasons(self) -> str:
        """Other changes that may be the cause."""
        bound = f"bound {self.before.gate.bound} → {self.after.gate.bound}"
        changed = self.before.gate.bound != self.after.gate.bound
        return "; ".join(filter(None, (self.after.apart, bound if changed else "")))


@dataclass(frozen=True, slots=True)
class GateTrend:
    """A gate over the releases that judged it, oldest first."""

    key: str
    readings: tuple[Reading, ...]

    @property
    def latest(self) -> Reading:
        return self.readings[-1]

    def at(self, release: int) -> Reading | None:
        return next((reading for reading in self.readings if reading.release == release), None)


@dataclass(frozen=True, slots=True)
class SuiteTrend:
    """A suite, judged by one method on one model, over releases."""

    suite: str
    method: str
    source: str
    target: str
    model: str  # its name; empty where models of different names are joined
    states: tuple[SuiteState, ...]
    gates: tuple[GateTrend, ...]
    absent: Mapping[int, str]  # releases without it, and why if that is known

    @property
    def title(self) -> str:
        parts = (self.suite, self.model, f"{self.source}→{self.target}", self.method)
        return " · ".join(part for part in parts if part)

    @property
    def changes(self) -> Iterator[Change]:
        for gate in self.gates:
            for before, after in zip(gate.readings, gate.readings[1:], strict=False):
                if before.gate.status != after.gate.status:
                    yield Change(self, gate.key, before, after)

    def at(self, release: int) -> list[Reading]:
        """The gates of one release."""
        return [reading for gate in self.gates if (reading := gate.at(release)) is not None]


@dataclass(frozen=True, slots=True)
class Trend:
    """Runs in order, and every suite over them."""

    releases: tuple[Release, ...]
    suites: tuple[SuiteTrend, ...]
    notes: tuple[str, ...] = ()

    def name_of(self, suite: SuiteTrend) -> str:
        """The name alone if no other suite of the trend has it."""
        same = [other for other in self.suites if other.suite == suite.suite]
        return suite.suite if len(same) == 1 else suite.title

    @property
    def changes(self) -> list[Change]:
        """The flips, the newest first."""
        flips = [change for suite in self.suites for change in suite.changes]
        return sorted(flips, key=lambda change: -change.after.release)


class _Key(NamedTuple):
    """The key by which suites of different runs are matched."""

    suite: str
    method: str
    source: str
    target: str
    model: str
    path: str = ""  # where a run has several of them


@dataclass(slots=True)
class _Series:
    """A suite over the releases read so far."""

    last: SuiteRun
    states: list[SuiteState] = field(default_factory=list)
    gates: dict[str, list[Reading]] = field(default_factory=dict)


def trend_of(runs: Iterable[tuple[str, Run]], *, one_model: bool = False) -> Trend:
    """The trend of labelled runs in the order given; each is read when the one before is done with.

    `one_model`: each run is a release of one model, whatever its name.
    """
    releases: list[Release] = []
    series: dict[_Key, _Series] = {}
    absent: dict[int, list[tuple[str, str, str]]] = {}  # by release: suite, model and reason
    for number, (label, run) in enumerate(runs):
        models = tuple(dict.fromkeys(suite.model.name for suite in run.suites))
        releases.append(Release(label, run.facts.created, models, run.missing, run.partial))
        failed = [(missing.suite, missing.model, str(missing)) for missing in run.failed]
        absent[number] = failed + [(missing.suite, missing.model, str(missing)) for missing in run.unjudged]
        for key, suite in _keyed(run.suites, one_model):
            _add(series, key, suite, number)
    suites = tuple(
        SuiteTrend(
            key.suite,
            key.method,
            key.source,
            key.target,
            key.model,
            tuple(one.states),
            tuple(GateTrend(name, tuple(readings)) for name, readings in one.gates.items()),
            _absences(key, one, absent),
        )
        for key, one in series.items()
    )
    return Trend(tuple(releases), suites)


def _keyed(suites: Sequence[SuiteRun], one_model: bool) -> Iterator[tuple[_Key, SuiteRun]]:
    keys = [
        _Key(run.suite, run.method, run.source, run.target, "" if one_model else run.model.name)
        for run in suites
    ]
    counts = Counter(keys)
    for key, run in zip(keys, suites, strict=True):
        yield key._replace(path=run.path) if counts[key] > 1 else key, run


def _add(series: dict[_Key, _Series], key: _Key, suite: SuiteRun, release: int) -> None:
    known = series.get(key)
    if known is None:
        known = series[key] = _Series(suite)
        state = SuiteState(release, len(suite.results), suite.partial)
    else:
        state = _state(known.last, suite, release)
        known.last = suite
    known.states.append(state)
    for gate in (gate for gate in suite.gates if not gate.excluded):
        readings = known.gates.setdefault(gate.key, [])
        apart = state.apart if readings else ""
        readings.append(Reading(release, gate, suite.partial, apart))


def _state(before: SuiteRun, after: SuiteRun, release: int) -> SuiteState:
    pairing = pair_up(before.results, after.results) if same_procedure(before, after) else None
    return SuiteState(
        release,
        len(after.results),
        after.partial,
        "; ".join(_differences(before, after)),
        len(pairing.regressed) if pairing else None,
        len(pairing.fixed) if pairing else None,
    )


def _differences(before: SuiteRun, after: SuiteRun) -> Iterator[str]:
    """Why a difference in numbers may be due to something else than the model."""
    if not same_procedure(before, after):
        yield f"judged by {procedure_of(after)}, before by {procedure_of(before)}"
    if judge_warning(before, after) and not (before.judges_itself and after.judges_itself):
        yield "another evaluator"
    if before.digest != after.digest:
        yield "the suite changed"
    if before.partial != after.partial:
        yield "only some of the samples" if after.partial else "all samples, before only some"


def _absences(
    key: _Key, series: _Series, absent: Mapping[int, Sequence[tuple[str, str, str]]]
) -> dict[int, str]:
    present = {state.release for state in series.states}
    reasons = {}
    for release, missing in absent.items():
        if release not in present:
            known = [
                reason
                for name, where, reason in missing
                if name == key.suite and where in (key.model or where, "")
            ]
            reasons[release] = known[0] if known else "it was not part of the run"
    return reasons
