"""Pages of studies, in the look of the report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mtprobe import __version__
from mtprobe.report.page import render, write_page
from mtprobe.report.scatter import scatter
from mtprobe.study.observations import Observations
from mtprobe.study.regression import Regression

STYLES = ("style.css", "study.css")


def write_regressions(path: Path, study: Observations, regressions: Sequence[Regression]) -> None:
    """Each outcome's scatter and coefficients, then the models' numbers."""
    context = {
        "version": __version__,
        "study": study,
        "regressions": regressions,
        "plots": [scatter(study, found) for found in regressions],
    }
    write_page(path, render("regress.html.j2", context, STYLES))
