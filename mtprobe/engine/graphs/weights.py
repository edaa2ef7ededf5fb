"""The weights of a layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Tensor: TypeAlias = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Linear:
    """A linear layer."""

    matrix: Tensor  # [out, in]
    bias: Tensor | None  # [out]


@dataclass(frozen=True, slots=True)
class Norm:
    scale: Tensor
    bias: Tensor
