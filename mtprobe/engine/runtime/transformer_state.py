"""The decoder state of a batch of hypotheses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mtprobe.engine.runtime.device_arrays import Value, on_host
from mtprobe.engine.runtime.packing import Integers


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
