"""Gates decided on the interval keep their promise: a few simulated situations; `make soak` runs them all.

Each cell always draws the same samples, so a test passes or fails for good.
"""

from __future__ import annotations

import pytest

from mtprobe.statistics.clustered import Ratio
from tests.soak import soak_only, times

from .error_rates import corrections, extremes, metrics, shares
from .error_rates.__main__ import tables
from .error_rates.cell import GOAL, Cell, Outcome, Rates
from .error_rates.everything import every_cell
from .error_rates.samples import SKEWED, UNEQUAL

RUNS = times(400, 4000)
NOISE = 3 * (GOAL / RUNS) ** 0.5  # three standard errors of a rate on the goal

CRITICAL = [
    shares.independent_cell(50, 0.99),
    shares.independent_cell(100, 0.9),
    shares.clustered_cell(10, 5, 0.9, 0.3),
    shares.clustered_cell(20, 5, 0.9, 0.3),
    shares.clustered_cell(30, 20, 0.95, 0.6, UNEQUAL),
    shares.clustered_cell(60, 5, 0.9, 0.3, SKEWED),
    shares.clustered_cell(60, 20, 0.98, 0.6, kind="normal"),
    extremes.gap_cell("equal", extremes.equal(16, 0.8), 50, extremes.APART, 0.05),
    extremes.gap_cell("halves", extremes.halves(2, 0.9, 0.7), 50, extremes.APART),
    extremes.gap_cell("halves", extremes.halves(2, 0.9, 0.7), 150, extremes.OPPOSITE),
    extremes.minimum_cell("equal", extremes.equal(20, 0.7), 50),
    extremes.minimum_cell("one low", extremes.one_low(10, 0.9, 0.7), 200),
    corrections.correction_cell(corrections.GOOD, 50, 0.9),
    corrections.correction_cell(corrections.RANDOM, 50, 0.99),
    corrections.correction_cell(corrections.WORDY, 100, 0.5, 12, 0.6),
    corrections.correction_cell(corrections.BIASED, 300, 0.5, 12, drawn="another run"),
    corrections.extreme_cell("gap", corrections.BIASED, 50, (0.9, 0.7)),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "cell", [*CRITICAL, *soak_only(*metrics.cells())], ids=lambda cell: str(dict(cell.labels))
)
def test_a_gate_on_its_bound_passes_and_fails_as_rarely_as_it_says(cell):
    assert cell.rates(RUNS).worst <= GOAL + NOISE


def test_enough_clusters_do_decide():
    assert shares.clustered_cell(60, 5, 0.9, 0.3).rates(100).power > 0.5
    assert shares.independent_cell(200, 0.7).rates(100).power > 0.8


@pytest.mark.slow
def test_normal_theory_would_be_caught(monkeypatch):
    """The interval of PPI with few labels and a good judge: it misses the truth where nothing disagrees."""
    from statistics import NormalDist

    from mtprobe.statistics.corrected import Corrected

    def normal(self, level):
        error = (self.influences**2).sum() ** 0.5
        reach = NormalDist().inv_cdf(0.5 + level / 2) * error
        return self.value - reach, self.value + reach

    monkeypatch.setattr(Corrected, "interval", normal)
    assert corrections.correction_cell(corrections.GOOD, 20, 0.9).rates(RUNS).covered < 0.92
    assert corrections.correction_cell(corrections.RANDOM, 50, 0.99).rates(RUNS).covered < 0.5


def test_every_cell_has_a_table_and_a_name_of_its_own():
    cells = [*every_cell()]
    names = {f"{cell.section} {dict(cell.labels)}" for cell in cells}
    assert len(names) == len(cells)


def test_the_table_marks_what_misses_the_goal():
    def run(_rng):
        return Outcome(passed=False, failed=False)

    cell = Cell("Coins", {"n": 20}, run)
    text = tables([(cell, Rates(0.031, 0.029, 0.94, None)), (cell, Rates(0.0, 0.0, None, 0.5))], 4000)
    assert "| 20 | **3.1** | 2.9 | 94.0 | – |" in text
    assert "| 20 | 0.0 | 0.0 | – | 50.0 |" in text


def test_percentiles_of_resampled_clusters_would_be_caught(monkeypatch):
    """The interval that was too narrow: the check must see it."""
    from mtprobe.statistics.clustered import mean_of
    from mtprobe.statistics.estimates import Mean

    def narrow(ratio):
        found = mean_of(ratio.value, ratio.influences)
        return Mean(found.value, found.clusters, found.spread, 0.0, 1e9)

    monkeypatch.setattr(Ratio, "share", property(narrow))
    assert shares.clustered_cell(10, 5, 0.9, 0.3).rates(RUNS).worst > GOAL + NOISE
