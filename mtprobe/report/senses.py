"""What the lexicon method tells of senses: its numbers by part of speech, and where two languages or models agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mtprobe.metrics import Measure, Selector, measure
from mtprobe.metrics.sense_agreement import key, sense_agreement
from mtprobe.metrics.tally import Tally
from mtprobe.records import Run, SuiteRun

METHOD = "lexicon"
_NUMBERS = ("sfii", "spdi", "mfs", "mfs_plus", "model_errors")
_OF_EACH = ("accuracy", "undecided", *_NUMBERS)  # what DiBiMT breaks down by part of speech
_SHADES = 10


@dataclass(frozen=True, slots=True)
class Cell:
    """How often two translations of a sample share a sense."""

    measure: Measure

    @property
    def shade(self) -> int:
        """0 to 10."""
        return round((self.measure.value or 0.0) * _SHADES)


@dataclass(frozen=True, slots=True)
class SenseMap:
    """Every pair of a suite's runs: into several languages, or by several models."""

    suite: str
    labels: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def sense_numbers(suite: SuiteRun, counted: Tally) -> Iterator[tuple[str, Measure]]:
    """Each with the key that a gate would name it by: for all samples, then for each part of speech."""
    if suite.method != METHOD:
        return
    for metric in _NUMBERS:
        yield metric, measure(metric, counted, Selector(), suite.categories)
    parts = sorted({str(result.attributes["pos"]) for result in suite.results if "pos" in result.attributes})
    if len(parts) > 1:
        for part in parts:
            for metric in _OF_EACH:
                selector = Selector(attributes=(("pos", part),))
                yield f"{metric}[pos={part}]", measure(metric, counted, selector, suite.categories)


def sense_maps(run: Run) -> Iterator[SenseMap]:
    """One for each group of runs that judged the same samples by their lemmas."""
    groups: list[tuple[set[tuple[str, str]], list[SuiteRun]]] = []
    for suite in run.suites:
        if suite.method != METHOD:
            continue
        samples = {key(result) for result in suite.results}
        for known, members in groups:
            if not known.isdisjoint(samples):
                known |= samples
                members.append(suite)
                break
        else:
            groups.append((samples, [suite]))
    for _, members in groups:
        if len(members) > 1:
            yield _map(members)


def _map(members: list[SuiteRun]) -> SenseMap:
    models, targets = ({read(one) for one in members} for read in (_model, _target))
    labels = tuple(
        " → ".join(
            part
            for part, several in ((_model(one), len(models) > 1), (_target(one), len(targets) > 1))
            if several
        )
        or _model(one)
        for one in members
    )
    rows = tuple(
        tuple(Cell(sense_agreement(one.results, other.results, one.seed)) for other in members)
        for one in members
    )
    return SenseMap(members[0].suite, labels, rows)


def _model(suite: SuiteRun) -> str:
    return suite.model.name


def _target(suite: SuiteRun) -> str:
    return suite.target
