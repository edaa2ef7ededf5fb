"""Joins the states of translations that were started at different times."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mtprobe.engine.runtime.device_arrays import on_host
from mtprobe.engine.runtime.interface import Floats
from mtprobe.engine.runtime.transformer_state import Attended, TransformerState


def join_states(states: Sequence[TransformerState]) -> TransformerState:
    """The rows of all states in order. Shorter ones are padded with positions that are never attended to."""
    if len(states) == 1:
        return states[0]
    offsets = np.cumsum([0, *(len(state.attended.mask) for state in states[:-1])])
    longest = max(state.filled.shape[1] for state in states)
    return TransformerState(
        attended=_join_attended([state.attended for state in states]),
        sentences=np.concatenate(
            [state.sentences + offset for state, offset in zip(states, offsets, strict=True)]
        ),
        places=np.concatenate([state.places for state in states]),
        filled=np.concatenate([_pad_start(state.filled, longest, axis=1) for state in states]),
        keys_and_values=[
            np.concatenate([_pad_start(on_host(values), longest, axis=2) for values in layer])
            for layer in zip(*(state.keys_and_values for state in states), strict=True)
        ],
    )


def _join_attended(batches: Sequence[Attended]) -> Attended:
    longest = max(batch.mask.shape[1] for batch in batches)
    return Attended(
        np.concatenate([pad_end(batch.mask, longest, axis=1) for batch in batches]),
        [
            np.concatenate([pad_end(on_host(values), longest, axis=2) for values in layer])
            for layer in zip(*(batch.keys_and_values for batch in batches), strict=True)
        ],
    )


def pad_end(values: npt.NDArray[np.generic], width: int, axis: int) -> Floats:
    """The values with zeros after them along an axis, up to a width."""
    return _pad(values, (0, width - values.shape[axis]), axis)


def _pad_start(values: npt.NDArray[np.generic], width: int, axis: int) -> Floats:
    return _pad(values, (width - values.shape[axis], 0), axis)


def _pad(values: npt.NDArray[np.generic], before_and_after: tuple[int, int], axis: int) -> Floats:
    if not any(before_and_after):
        return values  # type: ignore[return-value]
    widths = [(0, 0)] * values.ndim
    widths[axis] = before_and_after
    return np.pad(values, widths)
