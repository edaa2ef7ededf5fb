"""The senses found by the lexicon method: results by part of speech, and agreement between languages or models."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress

from mtprobe.methods import reads_senses
from mtprobe.metrics import Measure, Metric, Selector
from mtprobe.metrics.accuracy import ACCURACY
from mtprobe.metrics.groups import SFII, SPDI
from mtprobe.metrics.model_errors import MODEL_ERRORS, MODEL_ERRORS_ONE
from mtprobe.metrics.senses import MFS, MFS_PLUS, key, sense_agreement
from mtprobe.metrics.shares import UNDECIDED
from mtprobe.records import Run, SuiteRun

_NUMBERS: tuple[Metric, ...] = (SFII, SPDI, MFS, MFS_PLUS, MODEL_ERRORS, MODEL_ERRORS_ONE)
_OF_EACH: tuple[Metric, ...] = (ACCURACY, UNDECIDED, *_NUMBERS)  # what DiBiMT breaks down by part of speech


@dataclass(frozen=True, slots=True)
class SenseMap:
    """All pairs of a suite's runs: into several languages, or by several models."""

    suite: str
    labels: tuple[str, ...]
    rows: tuple[tuple[Measure, ...], ...]  # how often two translations of a sample share a sense


def sense_numbers(suite: SuiteRun) -> Iterator[tuple[Metric, Selector]]:
    """The metrics of a lexicon's verdicts: over all samples, then for each part of speech."""
    if not reads_senses(suite.method):
        return
    yield from ((metric, Selector()) for metric in _NUMBERS)
    parts = sorted({str(result.attributes["pos"]) for result in suite.results if "pos" in result.attributes})
    if len(parts) > 1:
        for part in parts:
            yield from ((metric, Selector(attributes=(("pos", part),))) for metric in _OF_EACH)


def sense_maps(run: Run) -> Iterator[SenseMap]:
    """One per group of runs that judged the same samples by their lemmas."""
    groups: list[tuple[set[tuple[str, str]], list[SuiteRun]]] = []
    for suite in run.suites:
        if not reads_senses(suite.method):
            continue
        samples = {key(result) for result in suite.results}
        for shared, members in groups:
            if not shared.isdisjoint(samples):
                shared |= samples
                members.append(suite)
                break
        else:
            groups.append((samples, [suite]))
    for _, members in groups:
        if len(members) > 1:
            yield _map(members)


def _map(members: list[SuiteRun]) -> SenseMap:
    names = [(run.model.name, run.target) for run in members]
    several = [len(set(side)) > 1 for side in zip(*names, strict=True)]
    labels = tuple(" → ".join(compress(name, several)) or name[0] for name in names)
    rows = tuple(tuple(sense_agreement(run.results, other.results) for other in members) for run in members)
    return SenseMap(members[0].suite, labels, rows)
