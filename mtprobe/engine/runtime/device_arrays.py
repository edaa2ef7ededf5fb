"""Numbers that a session left where it runs, so that the next one finds them there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Held:
    """An array in the memory of a device."""

    value: Any  # an OrtValue

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.value.shape())


Value: TypeAlias = npt.NDArray[Any] | Held


def on_host(value: Value) -> npt.NDArray[Any]:
    """The numbers where numpy can work on them; those of a device are copied."""
    return np.asarray(value.value.numpy()) if isinstance(value, Held) else value
