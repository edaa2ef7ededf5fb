"""Multiple regression, and the paper's table 3."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.errors import MtprobeError
from mtprobe.studies.regression import regress

from .appendix_h import ROWS


def table_3(languages, task):
    """The coefficients of BLEU and of distillation."""
    rows = ROWS[languages]
    assert len(rows) == 30
    on = {"bleu": [row.bleu for row in rows], "distilled": [float(row.distilled) for row in rows]}
    return regress(task, [getattr(row, task) for row in rows], on)


@pytest.mark.parametrize(("task", "bleu", "distilled"), [("mucow", 1.78, -6.47), ("winomt", 5.00, -7.56)])
def test_the_english_german_figures_give_table_3(task, bleu, distilled):
    found = table_3("en-de", task)
    assert [round(one.value, 2) for one in found.coefficients] == [bleu, distilled]
    assert all(one.p < 0.05 for one in found.coefficients)
    assert found.p < 0.05


@pytest.mark.parametrize(
    ("task", "from_the_figures", "printed"),
    [("mucow", (1.55, -2.90), (1.39, -2.14)), ("winomt", (2.50, -5.15), (2.52, -5.21))],
)
def test_the_english_russian_figures_do_not_give_what_table_3_prints(task, from_the_figures, printed):
    """The 30 rows that appendix H prints for English–Russian are not quite those that table 3 was made from."""
    found = table_3("en-ru", task)
    coefficients = tuple(round(one.value, 2) for one in found.coefficients)
    assert coefficients == from_the_figures
    assert coefficients != printed
    assert all(one.p < 0.05 for one in found.coefficients)  # the paper's conclusion holds all the same
    assert all(one.low <= value <= one.high for one, value in zip(found.coefficients, printed, strict=True))


numbers = st.floats(-100, 100).map(lambda value: round(value, 2))


@given(
    st.lists(
        st.tuples(numbers, st.booleans(), numbers), min_size=6, max_size=30, unique_by=lambda row: row[0]
    )
)
def test_the_fit_is_that_of_plain_least_squares(rows):
    xs, flags, ys = (list(column) for column in zip(*rows, strict=True))
    if len(set(flags)) == 1 or len(set(ys)) == 1:
        return
    flags = [float(flag) for flag in flags]
    found = regress("y", ys, {"x": xs, "flag": flags})
    expected, *_ = np.linalg.lstsq(np.column_stack([np.ones(len(xs)), xs, flags]), np.array(ys), rcond=None)
    got = [found.intercept.value, *(one.value for one in found.coefficients)]
    assert got == pytest.approx(expected, rel=1e-6, abs=1e-6)
    assert all(one.low <= one.value <= one.high for one in found.coefficients)
    assert -1e-9 <= found.r_squared <= 1 + 1e-9
    assert found.predicted({"x": xs[0], "flag": flags[0]}) == pytest.approx(
        expected[0] + expected[1] * xs[0] + expected[2] * flags[0], rel=1e-6, abs=1e-6
    )


def test_what_was_put_in_comes_out():
    rng = np.random.default_rng(0)
    bleu, distilled = rng.uniform(20, 45, 200), (rng.random(200) < 0.5).astype(float)
    ys = 3 + 2 * bleu - 7 * distilled + rng.normal(0, 1, 200)
    found = regress("y", list(ys), {"bleu": list(bleu), "distilled": list(distilled)})
    for one, truth in zip((found.intercept, *found.coefficients), (3, 2, -7), strict=True):
        assert one.low <= truth <= one.high


@pytest.mark.parametrize(
    ("ys", "on", "said"),
    [
        ([1, 2, 3], {"a": [1, 2, 4], "b": [1, 0, 1]}, "y: 3 models are too few to fit 3 coefficients; at least 4 are needed"),
        ([1, 2, 3, 4], {"a": [5, 5, 5, 5]}, 'y: "a" is the same for all models'),
        ([1, 1, 1, 1], {"a": [1, 2, 3, 4]}, "y is the same for all models"),
        ([1, 2, 4, 3, 5], {"a": [1, 2, 3, 4, 5], "b": [2, 4, 6, 8, 10]}, "y: a, b are linearly dependent"),
    ],
)  # fmt: skip
def test_a_regression_that_cannot_be_fitted_is_an_error(ys, on, said):
    with pytest.raises(MtprobeError) as error:
        regress("y", ys, on)
    assert said in str(error.value)
