"""Arrays that a session leaves on its device for the next session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class DeviceArray:
    """An array in the memory of a device."""

    value: Any  # an OrtValue

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.value.shape())


Value: TypeAlias = npt.NDArray[Any] | DeviceArray


def on_host(value: Value) -> npt.NDArray[Any]:
    """The values as a numpy array, copied from the device if necessary."""
    return np.asarray(value.value.numpy()) if isinstance(value, DeviceArray) else value
