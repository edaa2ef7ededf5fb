"""Pages for studies, styled like the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from mtprobe import __version__
from mtprobe.authoring.corpus.redistribution import Redistribution
from mtprobe.report.charts.sankey import sankey
from mtprobe.report.charts.scatter import scatter
from mtprobe.report.html.page import render
from mtprobe.studies.observations import Observations
from mtprobe.studies.regression import LinearRegression
from mtprobe.system.atomic import write_text

STYLES = ("style.css", "study.css")
_ITEMS = 200  # per page


def write_regressions(path: Path, study: Observations, regressions: Sequence[LinearRegression]) -> None:
    """Each outcome's scatter and coefficients, then the models' numbers."""
    context = {
        "version": __version__,
        "study": study,
        "regressions": regressions,
        "plots": [scatter(study, regression) for regression in regressions],
    }
    write_text(path, render("regress.html.j2", context, STYLES))


@dataclass(frozen=True, slots=True)
class CorpusPage:
    """The content of a page about a corpus, besides the redistribution."""

    title: str
    what: str  # "words" or "occupations"
    explain: str
    lines: int
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]  # one per item
    bars: tuple[tuple[int, int, int], ...]  # counts in the same order, of what `parts` names
    parts: tuple[str, str, str]
    made_from: str


def write_redistribution(path: Path, page: CorpusPage, redistribution: Redistribution) -> None:
    """The flow between versions, the shares with their intervals, and the most frequent items."""
    context = {
        "version": __version__,
        "found": redistribution,
        "drawing": sankey(redistribution),
        **asdict(page),
        "rows": list(zip(page.rows, page.bars, strict=True))[:_ITEMS],
        "left_out": max(0, len(page.rows) - _ITEMS),
    }
    write_text(path, render("redistribution.html.j2", context, STYLES))
