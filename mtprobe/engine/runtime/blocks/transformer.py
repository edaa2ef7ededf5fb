"""Slots of a transformer, which keep the keys and values of all tokens that were read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mtprobe.engine.runtime.blocks.slots import Sessions, Slots, widened
from mtprobe.engine.runtime.interface import Floats
from mtprobe.engine.runtime.packing import Integers
from mtprobe.engine.runtime.session import Value


class TransformerSlots(Slots):
    """Tokens that do not stay are overwritten by later ones, and masked until then."""

    room = 32
    fewest = 32

    def __init__(self, sessions: Sessions, count: int) -> None:
        super().__init__(sessions, count)
        self._read: list[Floats] = [self._empty() for _ in self._cross]

    def _arrays(self) -> Sequence[Floats]:
        return self._read

    def _to_read(self, used: int) -> Mapping[str, Value]:
        longest = self._block.unpack.shape[1]
        self._read = [widened(part, int(self._places.max()) + 1, axis=2) for part in self._read]
        past = np.arange(self._read[0].shape[2])
        parts: dict[str, Value] = {"past_filled": (past < self.lengths[:used, None]).astype(np.int32)}
        for pattern, arrays in (("{}_{}", self._read), ("cross_{}_{}", self._cross)):
            parts.update(zip(self._named(pattern), (array[:used] for array in arrays), strict=True))
        return {**parts, "block_mask": np.tri(longest, dtype=np.int32)}

    def _names(self) -> Sequence[str]:
        return self._named("next_{}_{}")

    def _named(self, pattern: str) -> list[str]:
        numbers = range(self.dimensions.decoder_layers)
        return [pattern.format(what, number) for number in numbers for what in ("keys", "values")]

    def _write(self, new: Sequence[Floats]) -> None:
        for kept, values in zip(self._read, new, strict=True):
            by_head = values.reshape(len(values), kept.shape[1], kept.shape[3])
            kept[self._block.rows, :, self._places] = by_head

    def keep(self, counts: Integers) -> None:
        self.lengths[: len(counts)] += counts
