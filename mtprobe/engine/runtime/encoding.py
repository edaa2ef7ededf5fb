"""Encodes many sources in small batches of similar length, independently of the decoder's batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from mtprobe.engine.runtime.batches import Size, in_batches
from mtprobe.engine.runtime.interface import Floats, Tokens
from mtprobe.engine.runtime.lanes import SINGLE_LANE, Lanes
from mtprobe.engine.runtime.packing import Packed, pack

ENCODE_BUDGET = Size(source=512, target=0)


def encode_in_batches(
    sources: Sequence[Tokens], encode: Callable[[Packed], Floats], lanes: Lanes = SINGLE_LANE
) -> Floats:
    """The results of `encode` for each token, in the order of the sources.

    Small batches save attention over padding, and concatenating the results is free because they are packed.
    """

    def run(batch: Sequence[tuple[int, ...]]) -> list[Floats]:
        packed = pack(batch)
        return packed.split(encode(packed))

    return np.concatenate(
        in_batches(
            [tuple(source) for source in sources],
            size=lambda source: Size(len(source), 0),
            run=run,
            budget=ENCODE_BUDGET,
            lanes=lanes,
        )
    )
