"""Encoding many sources: in small batches of like lengths, whatever the decoder's batches may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from mtprobe.engine.runtime.batches import Size, in_batches
from mtprobe.engine.runtime.interface import Floats, Tokens
from mtprobe.engine.runtime.lanes import ALONE, Lanes
from mtprobe.engine.runtime.packing import Packed, pack

ENCODE_TOGETHER = Size(source=512, target=0)


def encoded(sources: Sequence[Tokens], encode: Callable[[Packed], Floats], lanes: Lanes = ALONE) -> Floats:
    """What `encode` gives for each token, in the order of the sources.

    Attention pays for padding, and the results are packed, so that putting them together costs nothing.
    """

    def run(batch: Sequence[tuple[int, ...]]) -> list[Floats]:
        packed = pack(batch)
        return packed.split(encode(packed))

    return np.concatenate(
        in_batches(
            [tuple(source) for source in sources],
            size=lambda source: Size(len(source), 0),
            run=run,
            budget=ENCODE_TOGETHER,
            lanes=lanes,
        )
    )
