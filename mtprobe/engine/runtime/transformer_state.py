"""The decoder state of a batch of hypotheses, and joins of states that were started at different times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mtprobe.engine.runtime.interface import Floats
from mtprobe.engine.runtime.packing import Integers
from mtprobe.engine.runtime.session import Value, on_host


@dataclass(frozen=True, slots=True)
class Attended:
    """What the decoder attends to: one row per sentence, shared by the hypotheses of the sentence."""

    mask: npt.NDArray[np.int32]  # [sentences, longest]
    keys_and_values: list[Value]  # of each decoder layer in turn, [sentences, heads, longest, head width]

    def keep(self, sentences: Integers) -> Attended:
        """Only the given sentences, without positions that are padding in all of them."""
        mask = self.mask[sentences]
        longest = int(mask.sum(axis=1).max())
        return Attended(
            np.ascontiguousarray(mask[:, :longest]),
            [
                np.ascontiguousarray(on_host(values)[sentences, :, :longest])
                for values in self.keys_and_values
            ],
        )


@dataclass(frozen=True, slots=True)
class TransformerState:
    """One row per hypothesis."""

    attended: Attended
    sentences: Integers  # [rows] the row of `attended` that each hypothesis belongs to
    places: Integers  # [rows] the position of the next token
    filled: npt.NDArray[np.int32]  # [rows, length] 0 at the padding before shorter prefixes
    keys_and_values: list[Value]  # of each decoder layer in turn, [rows, heads, length, head width]


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
        filled=np.concatenate([pad_start(state.filled, longest, axis=1) for state in states]),
        keys_and_values=[
            np.concatenate([pad_start(on_host(values), longest, axis=2) for values in layer])
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


def pad_start(values: npt.NDArray[np.generic], width: int, axis: int) -> Floats:
    return _pad(values, (width - values.shape[axis], 0), axis)


def _pad(values: npt.NDArray[np.generic], before_and_after: tuple[int, int], axis: int) -> Floats:
    if not any(before_and_after):
        return values  # type: ignore[return-value]
    widths = [(0, 0)] * values.ndim
    widths[axis] = before_and_after
    return np.pad(values, widths)
