"""Translations that were started at different times, side by side in one state."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mtprobe.engine.runtime.device_arrays import on_host
from mtprobe.engine.runtime.interface import Floats
from mtprobe.engine.runtime.transformer_state import Attended, TransformerState


def joined(states: Sequence[TransformerState]) -> TransformerState:
    """The rows of all states in order. What is shorter is filled up with what is never attended to."""
    if len(states) == 1:
        return states[0]
    offsets = np.cumsum([0, *(len(state.attended.mask) for state in states[:-1])])
    longest = max(state.filled.shape[1] for state in states)
    return TransformerState(
        attended=_attended([state.attended for state in states]),
        sentences=np.concatenate(
            [state.sentences + offset for state, offset in zip(states, offsets, strict=True)]
        ),
        places=np.concatenate([state.places for state in states]),
        filled=np.concatenate([_widened_in_front(state.filled, longest, axis=1) for state in states]),
        keys_and_values=[
            np.concatenate([_widened_in_front(on_host(values), longest, axis=2) for values in layer])
            for layer in zip(*(state.keys_and_values for state in states), strict=True)
        ],
    )


def _attended(parts: Sequence[Attended]) -> Attended:
    longest = max(part.mask.shape[1] for part in parts)
    return Attended(
        np.concatenate([widened_behind(part.mask, longest, axis=1) for part in parts]),
        [
            np.concatenate([widened_behind(on_host(values), longest, axis=2) for values in layer])
            for layer in zip(*(part.keys_and_values for part in parts), strict=True)
        ],
    )


def widened_behind(values: npt.NDArray[np.generic], width: int, axis: int) -> Floats:
    """The values with zeros behind them along an axis, up to a width."""
    return _padded(values, (0, width - values.shape[axis]), axis)


def _widened_in_front(values: npt.NDArray[np.generic], width: int, axis: int) -> Floats:
    return _padded(values, (width - values.shape[axis], 0), axis)


def _padded(values: npt.NDArray[np.generic], before_and_behind: tuple[int, int], axis: int) -> Floats:
    if not any(before_and_behind):
        return values  # type: ignore[return-value]
    widths = [(0, 0)] * values.ndim
    widths[axis] = before_and_behind
    return np.pad(values, widths)
