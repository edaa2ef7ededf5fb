"""A comparison of two runs as tables, as Markdown, as JSON and as a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from textwrap import shorten
from typing import Any

from mtprobe.metrics.pairing import Pair
from mtprobe.metrics.regression import p_text
from mtprobe.metrics.repeats import verdict_counts
from mtprobe.records.comparison import Comparison, GroupRow, RowVerdict, SuiteComparison
from mtprobe.records.flips import Flip, FlipKind, flips_of
from mtprobe.records.verdict import verdict
from mtprobe.report.charts.forest import Forest
from mtprobe.report.failure import marked
from mtprobe.report.markdown import code, folded, table
from mtprobe.report.numbers import share
from mtprobe.report.runs.word_diff import in_brackets, word_diff

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
_AXIS = "later − earlier"
_WIDEST = 16  # of a category's name in the forest plot
_SHORT = {RowVerdict.NO_EVIDENCE: "no evidence"}
_MAYBE = (RowVerdict.MAYBE_BETTER, RowVerdict.MAYBE_WORSE)


def cells(row: GroupRow) -> list[str]:
    gain = row.gain
    has_value = gain.value is not None
    return [
        row.group,
        share(row.before.value),
        share(row.after.value),
        f"{gain.value:+z.2f}" if has_value else "–",
        f"{gain.low:+z.2f} to {gain.high:+z.2f}" if has_value else "–",
        f"{gain.n:,}",
        str(row.regressed),
        str(row.fixed),
        p_text(row.p).removeprefix("p ").removeprefix("= "),
        p_text(row.p_adjusted).removeprefix("p ").removeprefix("= "),
    ]


def notes_of(suite: SuiteComparison) -> Iterator[str]:
    """Which test p comes from, what could not be compared, and warnings about the numbers."""
    yield f"nothing to compare: {suite.why_empty}" if suite.is_empty else f"p: {_tests(suite.rows)}"
    for reason, count in suite.left_out.items():
        yield f"not compared: {count:,} {'sample' if count == 1 else 'samples'} {reason}"
    for text in suite.shortages:
        yield f"warning: {text}"
    yield from suite.warnings


def _tests(rows: Sequence[GroupRow]) -> str:
    """The names of the tests; if there are several, with the groups that each was used for."""
    groups: dict[str, list[str]] = {}
    for row in rows:
        groups.setdefault(row.test, []).append(row.group)
    if len(groups) == 1:
        return next(iter(groups))
    return "; ".join(f"{test} ({', '.join(names)})" for test, names in groups.items())


def forest_lines(comparison: Comparison) -> Iterator[str]:
    """The forest plot in characters: a line per category, within 80 columns."""
    compared = [suite for suite in comparison.suites if suite.overall.gain.value is not None]
    rows = [row for suite in compared for row in suite.rows]
    if not rows:
        return
    forest = Forest.of(rows)
    width = max(len(_AXIS) - 2, min(_WIDEST, max(len(row.group) for row in rows)))
    yield f"{_AXIS:<{width + 2}} {forest.axis}"
    for suite in compared:
        yield suite.title
        for row in suite.rows:
            _, _, _, difference, interval, *_ = cells(row)
            name = shorten(row.group, width, placeholder="…")
            yield f"  {name:<{width}} {forest.line(row.gain)} {difference} ({interval}) {_SHORT.get(row.verdict, row.verdict)}"
    if any(row.verdict in _MAYBE for row in rows):
        yield f"maybe: the interval excludes 0, but among {len(rows)} rows that may be chance"


def flip_lines(flip: Flip, methods: int = 1) -> list[str]:
    """A sample that flipped: its location, by which of several methods, its source, both translations."""
    before, after = flip.pair.before, flip.pair.after
    return [
        f"{after.place} {after.id} [{after.category or 'no category'}] {outcomes(flip, methods)}",
        f"  source  {marked(after.source, after.focus)}",
        *_translations(before.translation, after.translation),
    ]


def outcomes(flip: Flip, methods: int) -> str:
    """`correct → incorrect`, with the methods that say so where there are several."""
    by: dict[str, list[str]] = {}
    for method, pair in flip.by:
        change = f"{verdict_counts(pair.earlier)} → {verdict_counts(pair.later)}"
        by.setdefault(change, []).append(method)
    if methods == 1:
        return next(iter(by))
    return "; ".join(f"{change} by {' and by '.join(names)}" for change, names in by.items())


def _translations(before: str | None, after: str | None) -> Iterator[str]:
    if before is None or after is None or before == after:
        yield f"  before  {before if before is not None else '–'}"
        yield f"  after   {after if after is not None else '–'}"
        return
    old, new = word_diff(before, after)
    yield f"  before  {in_brackets(old, '[-', '-]')}"
    yield f"  after   {in_brackets(new, '{+', '+}')}"


def comparison_markdown(comparison: Comparison) -> str:
    return "\n".join(_markdown(comparison)) + "\n"


def _markdown(comparison: Comparison) -> Iterator[str]:
    # Model names come from outside too.
    yield f"## mtprobe: {code(comparison.earlier)} → {code(comparison.later)}\n\n**Verdict:** {code(verdict(comparison))}"
    for suite in comparison.suites:
        yield f"\n### {code(suite.title)}\n"
        if not suite.is_empty:
            rows = ([*cells(row), row.verdict.value] for row in suite.rows)
            yield from table(
                [*COLUMNS, "verdict"],
                [[code(group), *numbers] for group, *numbers in rows],
                words=("verdict",),
            )
        yield from (f"\n{code(note)}" for note in notes_of(suite))
    for flips in flips_of(comparison.suites):
        if flips.flips:
            yield f"\n### {code(f'{flips.title}: samples that flipped')}"
        for kind in FlipKind:
            if same := flips.of(kind):
                yield from folded(f"{len(same)} {kind}", _markdown_flips(same, flips.methods))
    yield from (f"\n{code(text)}" for text in comparison.not_compared)


def _markdown_flips(flips: Sequence[Flip], methods: int) -> Iterator[str]:
    for flip in flips[:FLIPS_SHOWN]:
        first, *others = flip_lines(flip, methods)
        yield f"- {code(first)}"
        yield from (f"  - {code(' '.join(line.split()))}" for line in others)
    if len(flips) > FLIPS_SHOWN:
        yield f"- and {len(flips) - FLIPS_SHOWN} more"


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
        "rows": [{**asdict(row), "verdict": row.verdict.value} for row in suite.rows],
        "regressed": [_flip_record(pair) for pair in suite.regressed],
        "fixed": [_flip_record(pair) for pair in suite.fixed],
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
    from mtprobe.report.html.suite_view import around_focus
    from mtprobe.system.atomic import write_text

    context = {
        "version": __version__,
        "found": comparison,
        "verdict": verdict(comparison),
        "columns": COLUMNS,
        "cells": cells,
        "notes_of": notes_of,
        "forest": Forest.of(row for suite in comparison.suites for row in suite.rows),
        "flipped": flips_of(comparison.suites),
        "kinds": list(FlipKind),
        "outcomes": outcomes,
        "word_diff": word_diff,
        "around_focus": around_focus,
        "shown": 500,
    }
    write_text(path, render("compare.html.j2", context, ("style.css", "study.css", "compare.css")))
