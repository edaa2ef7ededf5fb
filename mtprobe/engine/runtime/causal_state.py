"""The state of a batch of hypotheses of a decoder-only transformer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mtprobe.engine.runtime.packing import Integers
from mtprobe.engine.runtime.session import Value, on_host
from mtprobe.engine.runtime.transformer_state import pad_start


@dataclass(frozen=True, slots=True)
class CausalState:
    """One row per hypothesis; what all of them begin with is not part of it."""

    places: Integers  # [rows] the position of the next token
    filled: npt.NDArray[np.int32]  # [rows, length] 0 at the padding before shorter texts
    keys_and_values: list[Value]  # of each layer in turn, [rows, key heads, length, head width]


def join_states(states: Sequence[CausalState]) -> CausalState:
    """The rows of all states in order. Shorter ones are padded with positions that are never attended to."""
    if len(states) == 1:
        return states[0]
    longest = max(state.filled.shape[1] for state in states)
    return CausalState(
        places=np.concatenate([state.places for state in states]),
        filled=np.concatenate([pad_start(state.filled, longest, axis=1) for state in states]).astype(
            np.int32
        ),
        keys_and_values=[
            np.concatenate([pad_start(on_host(values), longest, axis=2) for values in layer])
            for layer in zip(*(state.keys_and_values for state in states), strict=True)
        ],
    )
