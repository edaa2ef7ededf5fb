"""Multiple linear regression."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mtprobe.errors import MtprobeError


@dataclass(frozen=True, slots=True)
class Coefficient:
    """How much the outcome changes per unit of a variable, or with a flag set, all else being equal."""

    name: str
    value: float
    low: float  # 95 % interval, by Student's t
    high: float
    p: float


@dataclass(frozen=True, slots=True)
class LinearRegression:
    """Ordinary least squares for one outcome."""

    outcome: str
    n: int
    intercept: Coefficient
    coefficients: tuple[Coefficient, ...]
    r_squared: float
    p: float  # of the F test that no variable matters

    def predicted(self, values: Mapping[str, float]) -> float:
        """The outcome that the fit predicts for these values."""
        return self.intercept.value + math.fsum(
            coefficient.value * values[coefficient.name] for coefficient in self.coefficients
        )


def regress(outcome: str, ys: Sequence[float], on: Mapping[str, Sequence[float]]) -> LinearRegression:
    """Fits `ys` on every column of `on` and a constant."""
    try:
        from statsmodels.regression.linear_model import OLS
    except ImportError:
        raise MtprobeError('regress needs statsmodels: pip install "mtprobe[study]"') from None

    n = len(ys)
    columns = np.column_stack([np.ones(n), *(np.asarray(column, dtype=np.float64) for column in on.values())])
    _check(outcome, ys, on, columns)
    fitted = OLS(np.asarray(ys, dtype=np.float64), columns).fit()
    intervals = fitted.conf_int(alpha=0.05)
    coefficients = [
        Coefficient(name, *(float(part) for part in (fitted.params[at], *intervals[at], fitted.pvalues[at])))
        for at, name in enumerate(["(constant)", *on])
    ]
    return LinearRegression(
        outcome, n, coefficients[0], tuple(coefficients[1:]), float(fitted.rsquared), float(fitted.f_pvalue)
    )


def _check(
    outcome: str, ys: Sequence[float], on: Mapping[str, Sequence[float]], columns: np.ndarray[tuple[int, int]]
) -> None:
    n, unknowns = columns.shape
    if n <= unknowns:
        raise MtprobeError(
            f"{outcome}: {n} models are too few to fit {unknowns} coefficients; at least {unknowns + 1} are needed"
        )
    for name, column in on.items():
        if len(set(column)) == 1:
            raise MtprobeError(f'{outcome}: "{name}" is the same for all models, so nothing can depend on it')
    if len(set(ys)) == 1:
        raise MtprobeError(f"{outcome} is the same for all models, so there is nothing to explain")
    spread = columns[:, 1:].std(axis=0)
    if np.linalg.matrix_rank(np.column_stack([columns[:, 0], columns[:, 1:] / spread])) < unknowns:
        raise MtprobeError(f"{outcome}: {', '.join(on)} are linearly dependent; drop one of them")
