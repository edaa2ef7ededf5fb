"""Sentences of a batch, one after the other without padding, and the way to set them side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

# A single row takes another way through the runtime's multiplication and ends in other last bits. With sentences
# side by side in at least two columns, a sentence of one token has the same numbers alone and among others.
FEWEST_COLUMNS = 2

Integers: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Packed:
    """The tokens of some sentences, none of them empty."""

    tokens: Integers  # [tokens]
    places: Integers  # [tokens] the position of each token in its sentence
    rows: Integers  # [tokens] the sentence of each token
    lengths: Integers  # [sentences]
    unpack: Integers  # [sentences, longest] which token stands there; token 0 where there is none
    mask: npt.NDArray[np.int32]  # [sentences, longest] 1 where a token stands

    def previous(self) -> Integers:
        """The token before each token; any token at the start of a sentence."""
        return np.roll(self.tokens, 1)

    def split(self, values: npt.NDArray[np.float32]) -> list[npt.NDArray[np.float32]]:
        """What belongs to each sentence, of something that has one value a token."""
        return np.split(values, np.cumsum(self.lengths)[:-1])


def pack(sentences: Sequence[Sequence[int]]) -> Packed:
    lengths = np.array([len(sentence) for sentence in sentences], np.int64)
    starts = np.cumsum(lengths) - lengths
    rows = np.repeat(np.arange(len(sentences)), lengths)
    columns = np.arange(max(lengths.max(), FEWEST_COLUMNS))
    inside = columns < lengths[:, None]
    return Packed(
        tokens=np.concatenate([np.asarray(sentence, np.int64) for sentence in sentences]),
        places=np.arange(len(rows)) - starts[rows],
        rows=rows,
        lengths=lengths,
        unpack=np.where(inside, starts[:, None] + columns, 0),
        mask=inside.astype(np.int32),
    )


@dataclass(frozen=True, slots=True)
class Grouped:
    """Things that belong to sentences, set side by side."""

    places: Integers  # [things] the place of each thing among those of its sentence
    unpack: Integers  # [sentences, most] which thing stands there; thing 0 where there is none


def group(sentences: Integers, count: int, fewest: int = 1) -> Grouped:
    """By the sentence of each thing, in any order; `count` sentences there are, and at least `fewest` columns."""
    sizes = np.bincount(sentences, minlength=count)
    order = np.argsort(sentences, kind="stable")
    places = np.empty_like(sentences)
    places[order] = np.arange(len(sentences)) - (np.cumsum(sizes) - sizes)[sentences[order]]
    unpack = np.zeros((count, max(sizes.max(), fewest)), np.int64)
    unpack[sentences, places] = np.arange(len(sentences))
    return Grouped(places, unpack)
