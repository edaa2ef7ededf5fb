"""A printed figure and ours"""

from __future__ import annotations

import pytest

from mtprobe.reproduce.table import Cell, Table, mean_cell
from mtprobe.statistics.measure import Measure


@pytest.mark.parametrize(
    ("printed", "ours", "agrees"),
    [
        ("62.4", 62.3501, True),
        ("62.4", 62.46, False),
        ("86.3", 86.25, True),  # halves may be rounded either way
        ("3,888", 3888, True),
        ("0.9525", 0.95253, True),
        ("-6.47", -6.4651, True),
        ("-6.47", -6.48, False),
    ],
)
def test_ours_agrees_within_the_printed_precision(printed, ours, agrees):
    assert Cell("row", "column", printed, ours, checked=True).agrees is agrees


def test_only_figures_from_the_same_files_must_be_the_same():
    cells = Cell("a", "x", "62.4", 10.0), Cell("b", "x", "62.4", 10.0, checked=True)
    assert cells[0].agrees is None
    assert Table("t", cells).differing == cells[1:]


def test_ours_has_the_printed_decimals_and_the_spread_of_several_models():
    assert Cell("a", "x", "86.3", 86.25).text == "86.3"
    assert Cell("a", "x", "0.33", 0.4567, spread=0.0123).text == "0.46 ± 0.01"
    assert Cell("a", "x", "1.0").text == "–"


def test_the_figure_of_one_model_has_its_interval_and_n():
    assert mean_cell("a", "x", [Measure(51.7, 45.06, 58.0, 60)]).text == "51.7 (45.1 to 58.0, n = 60)"
    assert (
        mean_cell("a", "x", [Measure(50.0, 45.0, 58.0, 60), Measure(52.0, 45.0, 58.0, 60)]).text
        == "51.0 ± 1.4"
    )
    assert mean_cell("a", "x", []).text == "–"
