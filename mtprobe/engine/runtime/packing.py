"""Packs the sentences of a batch without padding, with the indices to unpack them into a padded batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

# The runtime multiplies a single row with another kernel, which differs in the last bits. With at least two columns
# in every padded batch, a sentence of one token gets the same numbers alone as in a batch.
FEWEST_COLUMNS = 2

Integers: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Packed:
    """The tokens of non-empty sentences."""

    tokens: Integers  # [tokens]
    places: Integers  # [tokens] the position of each token in its sentence
    rows: Integers  # [tokens] the sentence of each token
    lengths: Integers  # [sentences]
    unpack: Integers  # [sentences, longest] the token at each position; token 0 at padding
    mask: npt.NDArray[np.int32]  # [sentences, longest] 1 for tokens, 0 for padding

    def previous(self) -> Integers:
        """The token before each token; an arbitrary token at the start of a sentence."""
        return np.roll(self.tokens, 1)

    def split(self, values: npt.NDArray[np.float32]) -> list[npt.NDArray[np.float32]]:
        """Splits an array of one value per token by sentence."""
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
    """The indices that arrange rows by sentence."""

    places: Integers  # [rows] the place of each row among the rows of its sentence
    unpack: Integers  # [sentences, most] the row at each place; row 0 at padding


def group(sentences: Integers, count: int, fewest: int = 1) -> Grouped:
    """Groups rows by their sentence, in any order, into `count` sentences and at least `fewest` columns."""
    sizes = np.bincount(sentences, minlength=count)
    order = np.argsort(sentences, kind="stable")
    places = np.empty_like(sentences)
    places[order] = np.arange(len(sentences)) - (np.cumsum(sizes) - sizes)[sentences[order]]
    unpack = np.zeros((count, max(sizes.max(), fewest)), np.int64)
    unpack[sentences, places] = np.arange(len(sentences))
    return Grouped(places, unpack)
