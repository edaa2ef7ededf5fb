"""Results made by hand, for tests of metrics, gates and reports."""

from __future__ import annotations

from mtprobe.methods.verdict import Outcome, Result, Verdict


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
