"""Samples that two or more models translate differently, with the words in which they differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest

from mtprobe.methods.verdict import Outcome, Result, first_repeat
from mtprobe.records import SuiteRun
from mtprobe.report.runs.word_diff import Part, word_diff
from mtprobe.report.wrongness import wrongness

_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Version:
    """One model's translation of a sample."""

    model: str
    result: Result
    translation: list[
        Part
    ]  # with what the first model's lacks; of the first, what the next different one lacks


@dataclass(frozen=True, slots=True)
class Contrast:
    """Models that one method judged on the same samples into the same language."""

    runs: tuple[SuiteRun, ...]
    n: int  # samples that they share
    translations: int  # samples whose translations differ
    verdicts: int  # samples whose verdicts differ
    samples: tuple[tuple[Version, ...], ...]  # some of these, the most confident mistakes first


def contrasts(runs: Sequence[SuiteRun]) -> Iterator[Contrast]:
    """The contrasts between runs of one suite."""
    comparable: dict[tuple[str, str], list[SuiteRun]] = {}
    for run in runs:
        comparable.setdefault((run.method, run.target), []).append(run)
    for group in comparable.values():
        if len(group) > 1:
            yield _contrast(group)


def _contrast(runs: list[SuiteRun]) -> Contrast:
    first, *others = runs
    by_id = [{result.id: result for result in first_repeat(run.results)} for run in others]
    shared = [
        (result, *(results[result.id] for results in by_id))
        for result in first_repeat(first.results)
        if all(result.id in results for results in by_id)
    ]
    differ = [results for results in shared if len({_verdict(result) for result in results}) > 1]
    return Contrast(
        runs=tuple(runs),
        n=len(shared),
        translations=sum(len({result.translation for result in results}) > 1 for results in shared),
        verdicts=len(differ),
        samples=tuple(_versions(runs, results) for results in nsmallest(_SHOWN, differ, key=_telling)),
    )


def _verdict(result: Result) -> tuple[Outcome, str | None]:
    return result.verdict.outcome, result.verdict.choice


def _telling(results: Sequence[Result]) -> tuple[bool, tuple[int, float, str]]:
    """Right for one model and wrong for another comes first."""
    outcomes = {result.verdict.outcome for result in results}
    return not {Outcome.CORRECT, Outcome.INCORRECT} <= outcomes, min(map(wrongness, results))


def _versions(runs: Sequence[SuiteRun], results: Sequence[Result]) -> tuple[Version, ...]:
    first, *others = (result.translation or "" for result in results)
    another = next((text for text in others if text != first), first)
    parts = [word_diff(first, another)[0], *(word_diff(first, text)[1] for text in others)]
    return tuple(
        Version(run.model.name, result, translation)
        for run, result, translation in zip(runs, results, parts, strict=True)
    )
