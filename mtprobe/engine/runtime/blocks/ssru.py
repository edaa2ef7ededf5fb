"""Slots of an SSRU decoder, which keep one cell per layer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mtprobe.engine.runtime.blocks.slots import Sessions, Slots
from mtprobe.engine.runtime.interface import Floats, Tokens
from mtprobe.engine.runtime.packing import Integers
from mtprobe.engine.runtime.session import Value


class SsruSlots(Slots):
    """The cells after each token of the last block are kept until it is known how many of its tokens stay."""

    room = 256
    fewest = 2

    def __init__(self, sessions: Sessions, count: int) -> None:
        super().__init__(sessions, count)
        layers, width = self.dimensions.decoder_layers, self.dimensions.width
        self._cells = [np.zeros((count, width), np.float32) for _ in range(layers)]
        self._new: Sequence[Floats] = ()
        self._starts = np.zeros(0, np.int64)

    def enter(self, slots: Integers, sources: Sequence[Tokens]) -> None:
        super().enter(slots, sources)
        for cells in self._cells:
            cells[slots] = 0

    def _arrays(self) -> Sequence[Floats]:
        return self._cells

    def _to_read(self, used: int) -> Mapping[str, Value]:
        numbers = range(self.dimensions.decoder_layers)
        return {
            **{f"cells_{number + 1}": self._cells[number][:used] for number in numbers},
            **{f"keys_{number + 1}": self._cross[2 * number][:used] for number in numbers},
            **{f"values_{number + 1}": self._cross[2 * number + 1][:used] for number in numbers},
        }

    def _names(self) -> Sequence[str]:
        return [f"next_cells_{number + 1}" for number in range(self.dimensions.decoder_layers)]

    def _write(self, new: Sequence[Floats]) -> None:
        self._new, self._starts = new, np.cumsum(self._block.lengths) - self._block.lengths

    def keep(self, counts: Integers) -> None:
        self.lengths[: len(counts)] += counts
        slots = np.flatnonzero(counts)
        for cells, new in zip(self._cells, self._new, strict=True):
            cells[slots] = new[self._starts[slots] + counts[slots] - 1]
