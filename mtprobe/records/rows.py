"""The rows of a suite: one per sample, flat, for tables and data frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from mtprobe.methods.audit_pairs.outcome import Fitness
from mtprobe.methods.verdict import Result

if TYPE_CHECKING:
    from mtprobe.records.run import SuiteRun


def rows_of(suite: SuiteRun) -> Iterator[dict[str, Any]]:
    labelled = any(result.label or result.drawn for result in suite.results)
    combined = any(result.verdict.opinions for result in suite.results)
    focused = any(result.verdict.compared for result in suite.results)
    in_context = any(result.context for result in suite.results)
    repeated = any(result.repeat for result in suite.results)
    audited = suite.in_place.audited if suite.in_place else None
    evaluator = suite.evaluator.name if suite.evaluator else suite.model.name if suite.judges_itself else ""
    for result in suite.results:
        yield {
            "model": suite.model.name,
            "suite": suite.suite,
            "method": suite.method,
            "source_language": suite.source,
            "target_language": suite.target,
            "evaluator": evaluator,
            "id": result.id,
            **({"repeat": result.repeat} if repeated else {}),
            "category": result.category,
            **({"context": " ".join(result.context)} if in_context else {}),
            "source": result.source,
            "focus": result.source[slice(*result.focus)] if result.focus else "",
            "translation": result.translation,
            "outcome": result.verdict.outcome.value,
            **({"decided_by": result.verdict.by} if combined else {}),
            "choice": result.verdict.choice,
            "probability": result.verdict.probability,
            "margin": result.verdict.margin,
            **_evidence_scores(result),
            "reason": result.verdict.reason,
            **({"fitness": _fitness(audited, result.category)} if audited is not None else {}),
            **({"label": result.label, "drawn": result.drawn} if labelled else {}),
            **({"compared": result.compared} if focused else {}),
            "file": result.path,
            "line": result.line,
            **{f"attribute.{name}": value for name, value in result.attributes.items()},
        }


def _fitness(audited: Mapping[str | None, Fitness], category: str | None) -> str:
    """The fitness of the verdicts on a category."""
    return audited[category].value if category in audited else "not audited"


def _evidence_scores(result: Result) -> dict[str, float]:
    """The best score of each side, and its offset if there is one: `score.correct`, `offset.correct`."""
    best: dict[str, tuple[float, float]] = {}
    for piece in result.verdict.evidence:
        if piece.score is not None and (piece.side not in best or piece.score > best[piece.side][0]):
            best[piece.side] = piece.score, piece.offset
    columns = {}
    for side, (score, offset) in best.items():
        columns[f"score.{side}"] = score
        if offset:
            columns[f"offset.{side}"] = offset
    return columns
