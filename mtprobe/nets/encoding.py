"""Encoding many sources: in small batches of like lengths, whatever the decoder's batches may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from mtprobe.nets.interface import Floats, Tokens
from mtprobe.nets.packing import Packed, pack
from mtprobe.score.batches import Size, batches

ENCODE_TOGETHER = Size(source=512, target=0)


def encoded(sources: Sequence[Tokens], encode: Callable[[Packed], Floats]) -> Floats:
    """What `encode` gives for each token, in the order of the sources.

    Attention pays for padding, and the results are packed, so that putting them together costs nothing.
    """
    found: dict[int, Floats] = {}
    for batch in batches([Size(len(source), 0) for source in sources], ENCODE_TOGETHER):
        packed = pack([sources[index] for index in batch])
        found.update(zip(batch, packed.split(encode(packed)), strict=True))
    return np.concatenate([found[index] for index in range(len(sources))])
