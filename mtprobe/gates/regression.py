"""Names that moved to `mtprobe.metrics.regression`."""

from mtprobe.metrics.regression import Flip, Regression

__all__ = ["Flip", "Regression"]
