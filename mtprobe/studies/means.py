"""Mean and standard deviation of figures over several runs: seeds, models or languages, as in papers' tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Literal, TypeAlias

from mtprobe.errors import MtprobeError
from mtprobe.methods.verdict import Outcome
from mtprobe.records import SuiteRun
from mtprobe.studies.figures import read_figure, value_of

Over: TypeAlias = Literal["models", "languages", "all"]


@dataclass(frozen=True, slots=True)
class MeanFigure:
    """One figure over several runs."""

    key: str  # as gates name it
    values: tuple[tuple[str, float], ...]  # by run
    missing: tuple[tuple[str, str], ...] = ()  # runs that have no such figure, each with the reason

    @property
    def mean(self) -> float | None:
        return fmean(value for _, value in self.values) if self.values else None

    @property
    def deviation(self) -> float | None:
        """The standard deviation of the runs (with n − 1); None of a single one."""
        return stdev(value for _, value in self.values) if len(self.values) > 1 else None


@dataclass(frozen=True, slots=True)
class Means:
    """The figures of one suite and method over the runs that belong together."""

    suite: str
    method: str
    shared: str  # what the runs have in common: the languages, or the model
    over: tuple[str, ...]  # the runs
    figures: tuple[MeanFigure, ...]
    notes: tuple[str, ...] = ()


def means(suites: Iterable[SuiteRun], over: Over, keys: Sequence[str] = ()) -> list[Means]:
    """A table for each suite and method; over models for each language pair, over languages for each model, or over all.

    Without `keys`: those of the suite's gates, accuracy, and accuracy by category.
    """
    groups: dict[tuple[str, str, str], list[SuiteRun]] = {}
    for suite in suites:
        groups.setdefault((suite.suite, suite.method, _shared(suite, over)), []).append(suite)
    return [_means(group, over, keys) for group in groups.values()]


def _shared(suite: SuiteRun, over: Over) -> str:
    if over == "all":
        return ""
    return suite.model.name if over == "languages" else f"{suite.source}→{suite.target}"


def _name(suite: SuiteRun, over: Over) -> str:
    pair = f"{suite.source}→{suite.target}"
    return {"models": suite.model.name, "languages": pair, "all": f"{suite.model.name} {pair}"}[over]


def _means(group: Sequence[SuiteRun], over: Over, keys: Sequence[str]) -> Means:
    first = group[0]
    names = [_name(suite, over) for suite in group]
    for name in names:
        if names.count(name) > 1:
            raise MtprobeError(f'{first.suite}: "{name}" is in two of the records; a run counts once')
    return Means(
        first.suite,
        first.method,
        _shared(first, over),
        tuple(names),
        tuple(_figure(key, group, names) for key in (keys or _keys(group))),
        tuple(_notes(group, over)),
    )


def _keys(group: Sequence[SuiteRun]) -> list[str]:
    """The metrics of gates, accuracy, and accuracy by category; regression gates compare with a baseline."""
    gated = [gate.key.partition("@")[0].strip() for suite in group for gate in suite.gates]
    plain = [key for key in gated if not read_figure(key).metric.needs_baseline]
    categories = [
        category
        for category in group[0].categories
        if any(result.category == category and not result.choices for result in group[0].results)
    ]
    by_category = [f"accuracy[{category}]" for category in categories]
    answered = any(result.verdict.outcome is not Outcome.OPEN for result in group[0].results)
    return list(dict.fromkeys([*(["accuracy"] if answered else []), *by_category, *plain]))


def _figure(key: str, group: Sequence[SuiteRun], names: Sequence[str]) -> MeanFigure:
    figure = read_figure(key)
    values: list[tuple[str, float]] = []
    missing: list[tuple[str, str]] = []
    for name, suite in zip(names, group, strict=True):
        try:
            values.append((name, value_of(suite, figure)))
        except MtprobeError as error:
            missing.append((name, str(error)))
    return MeanFigure(key, tuple(values), tuple(missing))


def _notes(group: Sequence[SuiteRun], over: Over) -> Iterable[str]:
    """Why the runs may not be comparable."""
    first = group[0]
    samples = {frozenset(result.id for result in suite.results) for suite in group}
    if over == "models" and len(samples) > 1:
        yield "the runs have different samples"
    if len({suite.digest for suite in group}) > 1:
        yield "the suite was changed between the runs"
    if len({suite.procedure for suite in group}) > 1:
        yield "the runs were judged by different procedures"
    judges = {suite.evaluator.name if suite.evaluator else "" for suite in group}
    if len(judges) > 1 or (first.judges_itself and len(group) > 1):
        yield "the runs were not all judged by the same evaluator"
