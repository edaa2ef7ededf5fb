"""Weights by name, with their shapes checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mtprobe.engine.graphs.weights import Linear, Norm, Tensor
from mtprobe.errors import ModelError


@dataclass(frozen=True, slots=True)
class CheckedWeights:
    """The weights of a model. Raises `ModelError` if a weight is missing or has another shape."""

    weights: Mapping[str, npt.NDArray[np.generic]]
    where: str  # the file or the model, for errors

    def __contains__(self, name: object) -> bool:
        return name in self.weights

    def tensor(self, name: str, *shape: int) -> Tensor:
        if name not in self.weights:
            raise ModelError(f'{self.where}: the tensor "{name}" is missing')
        weight = np.asarray(self.weights[name])
        if weight.shape != shape:
            raise ModelError(
                f'{self.where}: the tensor "{name}" has the shape {weight.shape}; expected {shape}'
            )
        values = np.ascontiguousarray(weight, np.float32)
        if not np.isfinite(values).all():
            raise ModelError(f'{self.where}: the tensor "{name}" contains values that are not finite')
        return values

    def first_of(self, names: tuple[str, ...], *shape: int) -> Tensor:
        """The first that exists of several names for the same tensor."""
        return self.tensor(next((name for name in names if name in self), names[0]), *shape)

    def linear(self, name: str, inside: int, out: int) -> Linear:
        """A matrix, and its bias if it has one."""
        bias = self.tensor(f"{name}.bias", out) if f"{name}.bias" in self else None
        return Linear(self.tensor(f"{name}.weight", out, inside), bias)

    def norm(self, name: str, width: int) -> Norm:
        return Norm(self.tensor(f"{name}.weight", width), self.tensor(f"{name}.bias", width))
