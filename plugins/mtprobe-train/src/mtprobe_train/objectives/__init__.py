"""Training objectives, one file each."""

from __future__ import annotations

from mtprobe.backends import MtprobeError, did_you_mean

from .cross_entropy import CrossEntropy
from .margin import Margin
from .objective import Objective, Weights
from .penalty import Penalty

__all__ = ["OBJECTIVES", "Objective", "Weights", "objective_named"]

OBJECTIVES: dict[str, type[CrossEntropy] | type[Penalty] | type[Margin]] = {
    kind.name: kind for kind in (CrossEntropy, Penalty, Margin)
}


def objective_named(name: str, weights: Weights) -> Objective:
    """The objective of this name with the user's weights."""
    if name not in OBJECTIVES:
        raise MtprobeError(f'there is no objective "{name}"{did_you_mean(name, OBJECTIVES)}')
    return OBJECTIVES[name](weights)
