"""Weights by name, none of them believed before its shape was looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mtprobe.engine.checkpoints.bergamot.binary import Tensor
from mtprobe.engine.graphs.transformer import Linear, Norm
from mtprobe.errors import ModelError


@dataclass(frozen=True, slots=True)
class CheckedWeights:
    """The weights of a model. What is missing or has another shape is a `ModelError` that names it."""

    weights: Mapping[str, npt.NDArray[np.generic]]
    where: str  # what an error starts with: the file or the model

    def __contains__(self, name: object) -> bool:
        return name in self.weights

    def tensor(self, name: str, *shape: int) -> Tensor:
        if name not in self.weights:
            raise ModelError(f'{self.where}: the tensor "{name}" is missing')
        found = np.asarray(self.weights[name])
        if found.shape != shape:
            raise ModelError(
                f'{self.where}: the tensor "{name}" has the shape {found.shape} where {shape} belongs'
            )
        values = np.ascontiguousarray(found, np.float32)
        if not np.isfinite(values).all():
            raise ModelError(f'{self.where}: the tensor "{name}" holds values that are not finite')
        return values

    def first_of(self, names: tuple[str, ...], *shape: int) -> Tensor:
        """A tensor that goes by several names, of which files keep any: the first that is there."""
        return self.tensor(next((name for name in names if name in self), names[0]), *shape)

    def linear(self, name: str, inside: int, out: int) -> Linear:
        """A matrix, and its bias where there is one."""
        bias = self.tensor(f"{name}.bias", out) if f"{name}.bias" in self else None
        return Linear(self.tensor(f"{name}.weight", out, inside), bias)

    def norm(self, name: str, width: int) -> Norm:
        return Norm(self.tensor(f"{name}.weight", width), self.tensor(f"{name}.bias", width))
