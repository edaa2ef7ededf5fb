"""Where the translations of a batch stand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mtprobe.engine.runtime.device_arrays import Value, on_host
from mtprobe.engine.runtime.packing import Integers


@dataclass(frozen=True, slots=True)
class Attended:
    """The sources of a batch as the decoder sees them: one row a sentence, shared by its translations."""

    mask: npt.NDArray[np.int32]  # [sentences, longest]
    keys_and_values: list[
        Value
    ]  # of each decoder layer in turn, [sentences, heads, longest, width of a head]

    def keep(self, sentences: Integers) -> Attended:
        """Only the given sentences, and no more positions than they need."""
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
    """One row a translation in the making."""

    attended: Attended
    sentences: Integers  # [rows] which row of `attended` each translation belongs to
    places: Integers  # [rows] the position of the next token
    filled: npt.NDArray[np.int32]  # [rows, length] 0 where the prefix of a row was shorter than others
    keys_and_values: list[Value]  # of each decoder layer in turn, [rows, heads, length, width of a head]
