"""Do different judges rank models alike? Spearman's ρ between their rankings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from mtprobe.errors import MtprobeError
from mtprobe.metrics import Measure
from mtprobe.records import SuiteRun
from mtprobe.statistics.ranks import mean_of_pairs, spearman
from mtprobe.studies.agree import judge_of
from mtprobe.studies.figures import read_figure, value_of


@dataclass(frozen=True, slots=True)
class RankAgreement:
    """Two judges' rankings of the models that both judged."""

    one: str
    other: str
    rho: Measure


@dataclass(frozen=True, slots=True)
class Rankings:
    """One suite, several models, several judges."""

    suite: str
    languages: str
    metric: str
    judges: tuple[str, ...]
    models: tuple[str, ...]
    pairs: tuple[RankAgreement, ...]
    mean: Measure
    judged_themselves: int  # excluded: models that scored themselves share no judge


def rankings(suites: Sequence[SuiteRun], metric: str) -> list[Rankings]:
    """For each suite with at least two models that at least two judges judged."""
    groups: dict[tuple[str, str, str, str], list[SuiteRun]] = {}
    method = read_figure(metric).method
    for suite in suites:
        if method is not None and suite.method != method:
            continue
        groups.setdefault((suite.suite, suite.digest, suite.source, suite.target), []).append(suite)
    ranked = [_of_group(group, metric) for group in groups.values()]
    return [rankings for rankings in ranked if rankings is not None]


def _of_group(group: Sequence[SuiteRun], metric: str) -> Rankings | None:
    shared = [suite for suite in group if not suite.judges_itself]
    judges = _names(
        [(judge_of(suite), suite.evaluator.fingerprint if suite.evaluator else "") for suite in shared]
    )
    models = _names([(suite.model.name, suite.model.fingerprint) for suite in shared])
    if len(set(judges)) < 2:
        return None
    table: dict[str, dict[str, float]] = {}  # judge, then model
    for suite, judge, model in zip(shared, judges, models, strict=True):
        row = table.setdefault(judge, {})
        if model in row:
            raise MtprobeError(
                f'{suite.suite}: model "{model}" was judged by "{judge}" in two of the records'
            )
        row[model] = metric_of(suite, metric)
    pairs = [
        RankAgreement(one, other, spearman([mine[name] for name in both], [theirs[name] for name in both]))
        for (one, mine), (other, theirs) in combinations(table.items(), 2)
        if len(both := sorted(mine.keys() & theirs.keys())) >= 2
    ]
    if not pairs:
        return None
    first = group[0]
    return Rankings(
        suite=first.suite,
        languages=f"{first.source}→{first.target}",
        metric=metric,
        judges=tuple(table),
        models=tuple(dict.fromkeys(name for row in table.values() for name in row)),
        pairs=tuple(pairs),
        mean=mean_of_pairs([pair.rho for pair in pairs]),
        judged_themselves=sum(suite.judges_itself for suite in group),
    )


def _names(named: Sequence[tuple[str, str]]) -> list[str]:
    """Names, with the fingerprint where several share a name."""
    counts = Counter(name for name, _ in set(named))
    return [f"{name} [{mark}]" if counts[name] > 1 else name for name, mark in named]


def metric_of(suite: SuiteRun, key: str) -> float:
    """A figure of the suite, named as in gates."""
    return value_of(suite, read_figure(key))
