"""Results made by hand, for tests of metrics, gates and reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mtprobe.methods.verdict import TRANSLATION, Evidence, Outcome, Result, Verdict


def result(
    number: int,
    outcome: str = "correct",
    *,
    category: str | None = "male",
    p: float | None = None,
    cluster: str | None = None,
    **attributes: str,
) -> Result:
    if p is None and outcome in ("correct", "incorrect"):
        p = 0.6 if outcome == "correct" else 0.4
    return Result(
        id=f"s{number}",
        source=f"Source {number}.",
        focus=None,
        category=category,
        attributes=attributes,
        cluster=cluster if cluster is not None else f"c{number}",
        path="suite.mt.yaml",
        line=number,
        translation=f"Tradução {number}.",
        verdict=Verdict(Outcome(outcome), probability=p),
    )


def scored(
    number: int, targets: Mapping[int, float], *, own: float | None = None, cluster: str | None = None
) -> Result:
    """With the scores of its targets by their rank in the attribute `gender`, and of the model's own translation."""
    evidence = [
        Evidence("correct", str(rank), score, attributes={"gender": rank}) for rank, score in targets.items()
    ]
    if own is not None:
        evidence.append(Evidence(TRANSLATION, "own", own))
    made = result(number, cluster=cluster)
    return replace(made, verdict=replace(made.verdict, evidence=tuple(evidence)))
