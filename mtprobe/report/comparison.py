"""A comparison of two runs as tables, as Markdown, as JSON and as a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mtprobe.metrics.pairing import Pair
from mtprobe.metrics.regression import p_text
from mtprobe.records.comparison import Comparison, GroupRow, SuiteComparison
from mtprobe.records.verdict import verdict
from mtprobe.report.failure import marked
from mtprobe.report.markdown import code, folded, table
from mtprobe.report.numbers import share

COLUMNS = (
    "category",
    "before",
    "after",
    "difference",
    "95% interval",
    "n",
    "regressed",
    "fixed",
    "p",
    "p (Holm)",
)
FLIPS_SHOWN = 20


def cells(row: GroupRow) -> list[str]:
    gain = row.gain
    has_value = gain.value is not None
    return [
        row.group,
        share(row.before.value),
        share(row.after.value),
        f"{gain.value:+.2f}" if has_value else "–",
        f"{gain.low:+.2f} to {gain.high:+.2f}" if has_value else "–",
        f"{gain.n:,}",
        str(row.broken),
        str(row.mended),
        p_text(row.p).removeprefix("p ").removeprefix("= "),
        p_text(row.p_adjusted).removeprefix("p ").removeprefix("= "),
    ]


def notes_of(suite: SuiteComparison) -> Iterator[str]:
    """Which test p comes from, what could not be compared, and warnings about the numbers."""
    yield f"p: {_tests(suite.rows)}"
    for reason, count in suite.left_out.items():
        yield f"not compared: {count:,} {'sample' if count == 1 else 'samples'} {reason}"
    for text in suite.shortages:
        yield f"warning: {text}"
    yield from suite.warnings


def _tests(rows: Sequence[GroupRow]) -> str:
    """By name; if there are several, with the groups that each was used for."""
    groups: dict[str, list[str]] = {}
    for row in rows:
        groups.setdefault(row.test, []).append(row.group)
    if len(groups) == 1:
        return next(iter(groups))
    return "; ".join(f"{test} ({', '.join(names)})" for test, names in groups.items())


def flip_lines(pair: Pair) -> list[str]:
    """A sample that flipped: its location, its source, both translations."""
    before, after = pair.before, pair.after
    return [
        f"{after.path}:{after.line} {after.id} [{after.category or 'no category'}] "
        f"{before.verdict.outcome.value} → {after.verdict.outcome.value}",
        f"  source  {marked(after.source, after.focus)}",
        f"  before  {before.translation if before.translation is not None else '–'}",
        f"  after   {after.translation if after.translation is not None else '–'}",
    ]


def comparison_markdown(comparison: Comparison) -> str:
    return "\n".join(_markdown(comparison)) + "\n"


def _markdown(comparison: Comparison) -> Iterator[str]:
    # Model names come from outside too.
    yield f"## mtprobe: {code(comparison.earlier)} → {code(comparison.later)}\n\n**Verdict:** {code(verdict(comparison))}"
    for suite in comparison.suites:
        yield f"\n### {code(suite.title)}\n"
        rows = map(cells, suite.rows)
        yield from table(COLUMNS, [[code(group), *numbers] for group, *numbers in rows])
        yield from (f"\n{code(note)}" for note in notes_of(suite))
        for pairs, what in ((suite.broken, "regressed"), (suite.mended, "fixed")):
            if pairs:
                yield from folded(f"{len(pairs)} {what}", _markdown_flips(pairs))
    yield from (f"\n{code(text)}" for text in comparison.not_compared)


def _markdown_flips(pairs: Sequence[Pair]) -> Iterator[str]:
    for pair in pairs[:FLIPS_SHOWN]:
        first, *others = flip_lines(pair)
        yield f"- {code(first)}"
        yield from (f"  - {code(' '.join(line.split()))}" for line in others)
    if len(pairs) > FLIPS_SHOWN:
        yield f"- and {len(pairs) - FLIPS_SHOWN} more"


def comparison_record(comparison: Comparison) -> dict[str, Any]:
    """Everything, for machines."""
    return {
        "earlier": comparison.earlier,
        "later": comparison.later,
        "verdict": verdict(comparison),
        "suites": [_suite_record(suite) for suite in comparison.suites],
        "unmatched": list(comparison.unmatched),
        "ambiguous": list(comparison.ambiguous),
        "incomparable": list(comparison.incomparable),
    }


def _suite_record(suite: SuiteComparison) -> dict[str, Any]:
    return {
        "suite": suite.after.suite,
        "method": suite.after.method,
        "source": suite.after.source,
        "target": suite.after.target,
        "models": [asdict(suite.before.model), asdict(suite.after.model)],
        "rows": [asdict(row) for row in suite.rows],
        "broken": [_flip_record(pair) for pair in suite.broken],
        "mended": [_flip_record(pair) for pair in suite.mended],
        "not_compared": dict(suite.left_out),
        "warnings": [*suite.shortages, *suite.warnings],
    }


def _flip_record(pair: Pair) -> dict[str, Any]:
    before, after = pair.before, pair.after
    return {
        "id": after.id,
        "category": after.category,
        "file": after.path,
        "line": after.line,
        "source": after.source,
        "before": {"translation": before.translation, "outcome": before.verdict.outcome.value},
        "after": {"translation": after.translation, "outcome": after.verdict.outcome.value},
    }


def write_comparison(path: Path, comparison: Comparison) -> None:
    """The comparison as a page that needs no network."""
    from mtprobe import __version__
    from mtprobe.report.html.page import render
    from mtprobe.system.atomic import write_text

    context = {
        "version": __version__,
        "found": comparison,
        "verdict": verdict(comparison),
        "columns": COLUMNS,
        "cells": cells,
        "notes_of": notes_of,
        "marked": marked,
        "shown": 500,
    }
    write_text(path, render("compare.html.j2", context, ("style.css", "study.css")))
