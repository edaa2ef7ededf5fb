"""Slots for sentences in translation: the source that each attends to, and the tokens already read.

A sentence keeps its slot until it is done, and then another one takes it, so nothing moves while it is translated.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from mtprobe.engine.graphs.definition import SsruDimensions, TransformerDimensions
from mtprobe.engine.runtime.interface import Floats, Tokens
from mtprobe.engine.runtime.network import Network
from mtprobe.engine.runtime.packing import Integers, Packed, pack
from mtprobe.engine.runtime.session import Session, Value

Number = TypeVar("Number", bound=np.generic)

COLUMNS = 16  # by which arrays grow along their padded axis

# Where the two likeliest words are nearer than this, rounding may decide, and two graphs round differently.
CLEAR = 1e-3


@dataclass(frozen=True, slots=True)
class Sessions:
    """The sessions that all slots of a network share."""

    network: Network
    encode: Session
    block: Session
    project: Session
    screen: Session | None  # None where products in int8 are slow

    def surest(self, hidden: Value) -> tuple[Integers, Floats]:
        """The likeliest next word of each row, and how far its logit is ahead of all others, at least."""
        if self.screen is None:
            return self._projected(hidden)
        words, leads = self.screen.run(["word", "lead"], {"hidden": hidden})
        unsure = np.flatnonzero(~(leads > CLEAR))
        if len(unsure):
            words[unsure], leads[unsure] = self._projected(np.asarray(hidden)[unsure])
        return words, leads

    def _projected(self, hidden: Value) -> tuple[Integers, Floats]:
        logprobs, words = self.project.run(
            ["top_logprobs", "top_words"], {"hidden": hidden, "top": np.array([2])}
        )
        return words[:, 0], logprobs[:, 0] - logprobs[:, -1]


class Slots(ABC):
    """Slots 0 to `count` - 1; those of a batch are the first ones."""

    room: ClassVar[int]  # tokens of a batch up to which another one costs less than it saves, as measured
    fewest: ClassVar[
        int
    ]  # sentences of a call that are faster in slots; a lane has one thread, other steps have all

    def __init__(self, sessions: Sessions, count: int) -> None:
        self.sessions, self.count = sessions, count
        self.dimensions: SsruDimensions | TransformerDimensions = sessions.network.dimensions
        self._source_mask: npt.NDArray[np.int32] = np.zeros((count, 0), np.int32)
        self._cross: list[Floats] = [self._empty() for _ in range(2 * self.dimensions.decoder_layers)]
        self.lengths = np.zeros(count, np.int64)  # tokens that each slot has read
        self._block: Packed  # the last one,
        self._places: Integers  # and the positions of its tokens in their sentences

    def _empty(self) -> Floats:
        heads = self.dimensions.heads
        return np.zeros((self.count, heads, 0, self.dimensions.width // heads), np.float32)

    def enter(self, slots: Integers, sources: Sequence[Tokens]) -> None:
        """Puts sentences into slots, before their first token."""
        source = pack(sources)
        padded = self.sessions.network.encoded(sources, self.sessions.encode)[source.unpack]
        layers, heads = len(self._cross), self.dimensions.heads
        by_part = padded.reshape(*source.unpack.shape, layers, heads, -1).transpose(2, 0, 3, 1, 4)
        longest = source.unpack.shape[1]
        self._source_mask = widened(self._source_mask, longest, axis=1)
        self._source_mask[slots] = 0
        self._source_mask[slots, :longest] = source.mask
        for number, values in enumerate(by_part):
            self._cross[number] = widened(self._cross[number], longest, axis=2)
            self._cross[number][slots, :, :longest] = values
        self.lengths[slots] = 0

    def move(self, origin: int, slot: int) -> None:
        """Moves a sentence to another slot."""
        arrays: list[npt.NDArray[Any]] = [self.lengths, self._source_mask, *self._cross, *self._arrays()]
        for array in arrays:
            array[slot] = array[origin]

    def read(self, blocks: Sequence[Tokens]) -> tuple[Integers, Floats]:
        """Reads at least one token in each of the first slots: the likeliest word after each token, and its lead."""
        return self.sessions.surest(self.hidden(blocks)[0])

    def hidden(self, blocks: Sequence[Tokens]) -> tuple[Floats, Integers]:
        """The same as hidden states, [tokens, width], and how many of them are of each slot."""
        packed, used = pack(blocks), len(blocks)
        self._block, self._places = packed, self.lengths[packed.rows] + packed.places
        inputs: dict[str, Value] = {
            "tokens": packed.tokens,
            "places": self._places,
            "block_places": packed.places,
            "block_rows": packed.rows,
            "block_unpack": packed.unpack,
            "source_mask": self._source_mask[:used],
            **self._to_read(used),
        }
        names = self._names()
        hidden, *new = self.sessions.block.run(["hidden", *names], inputs)
        self._write(new)
        return hidden, packed.lengths

    @abstractmethod
    def keep(self, counts: Integers) -> None:
        """How many tokens of the last block stay in each of the first slots; the others were never read."""

    @abstractmethod
    def _arrays(self) -> Sequence[Floats]:
        """The data kept for tokens already read; the first axis is the slot."""

    @abstractmethod
    def _to_read(self, used: int) -> Mapping[str, Value]:
        """Further inputs."""

    @abstractmethod
    def _names(self) -> Sequence[str]:
        """The outputs that are kept."""

    @abstractmethod
    def _write(self, new: Sequence[Floats]) -> None:
        """Keeps the outputs."""


def widened(array: npt.NDArray[Number], width: int, axis: int) -> npt.NDArray[Number]:
    """The array with zeros at its end along an axis, so that it has at least the width."""
    if array.shape[axis] >= width:
        return array
    shape = list(array.shape)
    shape[axis] = -(-width // COLUMNS) * COLUMNS - array.shape[axis]
    return np.concatenate([array, np.zeros(shape, array.dtype)], axis=axis)
