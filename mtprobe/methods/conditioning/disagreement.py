"""How often several evaluators would decide differently on their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from mtprobe.methods.verdict import Evidence, Result, Verdict


def disagreement(
    results: Sequence[Result], judge: Callable[[tuple[Evidence, ...]], Verdict]
) -> Iterator[str]:
    """A note, if more than one evaluator scored: the share of samples on which they are not of one mind."""
    scored = [result.verdict.evidence for result in results if any(_each(result.verdict.evidence))]
    if not scored:
        return
    differ = sum(len(set(_decisions(evidence, judge))) > 1 for evidence in scored)
    yield (
        f"the evaluators, each alone, would decide {differ:,} of {len(scored):,} samples differently "
        f"({differ / len(scored):.2f})"
    )


def _each(evidence: Sequence[Evidence]) -> Iterator[tuple[float, ...]]:
    return (item.by_evaluator for item in evidence if item.by_evaluator)


def _decisions(
    evidence: Sequence[Evidence], judge: Callable[[tuple[Evidence, ...]], Verdict]
) -> Iterator[tuple[str, str | None]]:
    """The decision of each evaluator: the outcome and, if no answer is right, the choice."""
    for member in range(len(next(_each(evidence)))):
        verdict = judge(
            tuple(replace(item, score=item.by_evaluator[member]) for item in evidence if item.by_evaluator)
        )
        yield verdict.outcome, verdict.choice
