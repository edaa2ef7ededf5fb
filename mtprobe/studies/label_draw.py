"""Draws the samples of a run for labelling: a random sample of each category and verdict, with its probabilities.

The smallest hashes of seed and id are drawn, so that the same samples are drawn next time, and a larger draw contains a
smaller one. The draw does not depend on `take`, which uses another hash.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from mtprobe.methods.labelled import waits_for_label
from mtprobe.methods.verdict import Outcome, Result, first_repeat
from mtprobe.records import SuiteRun
from mtprobe.statistics.strata import shared_equally, shared_out
from mtprobe.suite.labels import LABELS, UNCLEAR, Label, half_of

# Degenerate outputs are wrong without a label; they are drawn all the same, for the translations that come later.
_STRATA = {Outcome.DEGENERATE: Outcome.INCORRECT.value}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A sample to label, with its probability of being drawn; None where it waits for its label by other means."""

    result: Result
    probability: float | None
    label: str = ""  # known already
    labelled_by: str = ""

    @property
    def line(self) -> Label:
        result = self.result
        return Label(
            result.id,
            result.source,
            result.translation or "",
            self.label,
            self.probability,
            half_of(result.cluster),
            self.labelled_by,
        )

    @property
    def answers(self) -> tuple[str, ...]:
        """The possible labels."""
        return (*self.result.choices, UNCLEAR) if self.result.choices else LABELS


def draw(suite: SuiteRun, n: int) -> list[Drawn]:
    """So many samples, or all there are: shared equally between categories, then by size between verdicts.

    At least one of each category and verdict: labels say nothing about samples that could not be drawn.
    """
    judged = [
        result
        for result in first_repeat(suite.results)
        if result.verdict.outcome is not Outcome.ERROR and not result.is_control
    ]
    by_category: dict[str | None, dict[str, list[Result]]] = {}
    for result in judged:
        stratum = result.verdict.choice or _STRATA.get(result.verdict.outcome, result.verdict.outcome.value)
        by_category.setdefault(result.category, {}).setdefault(stratum, []).append(result)
    sizes = [sum(map(len, strata.values())) for strata in by_category.values()]
    drawn: list[Drawn] = []
    for count, strata in zip(shared_equally(n, sizes), by_category.values(), strict=True):
        counts = shared_out(max(count, len(strata)), [len(results) for results in strata.values()])
        for wanted, results in zip(counts, strata.values(), strict=True):
            chosen = _in_order(results, suite.seed)[:wanted]
            drawn += [Drawn(result, wanted / len(results)) for result in chosen]
    places = {
        result.id: place for place, result in enumerate(_in_order([one.result for one in drawn], suite.seed))
    }
    return sorted(drawn, key=lambda one: places[one.result.id])


def missing(suite: SuiteRun) -> list[Drawn]:
    """The samples drawn before whose present translation has no label."""
    waiting = [result for result in suite.results if waits_for_label(result)]
    return [Drawn(result, result.drawn) for result in _in_order(waiting, suite.seed)]


def with_known(drawn: Iterable[Drawn], known: Sequence[Label]) -> list[Drawn]:
    """With the labels that the same translations have already."""
    labels: Mapping[tuple[str, str], Label] = {line.key: line for line in known if line.label}

    def kept(one: Drawn) -> Drawn:
        label = labels.get((one.result.source, one.result.translation or ""))
        return replace(one, label=label.label, labelled_by=label.labelled_by) if label else one

    return list(map(kept, drawn))


def _in_order(results: Iterable[Result], seed: int) -> list[Result]:
    def rank(result: Result) -> bytes:
        text = f"label\0{seed}\0{result.id}".encode("utf-8", "surrogatepass")
        return hashlib.blake2b(text, digest_size=16).digest()

    return sorted(results, key=rank)
