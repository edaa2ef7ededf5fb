"""Texts with a common prefix, each token of which is read only once.

Texts form a tree of tokens. Unlike in `prefix_trees.py`, a token does not attend to slots of its tree: the keys of the
path that leads to it are gathered, in order and without gaps. So numbers are added in the same order as if a text was
alone, and results are identical to the last bit; and a tree may be of any size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mtprobe.engine.runtime.packing import FEWEST_COLUMNS, Integers


@dataclass(frozen=True, slots=True)
class Paths:
    """Packed tokens. A row has the tokens that a text adds to those before it, and the path from its first token."""

    tokens: Integers  # [tokens]
    depths: Integers  # [tokens] the position of each token in its text
    rows: Integers  # [tokens] the row of each token
    slots: Integers  # [tokens] the place of each token in its row
    unpack: Integers  # [rows, most] the token at each slot; token 0 at padding
    path_unpack: Integers  # [rows, longest] the tokens of the path; token 0 at padding
    of_texts: list[Integers]  # per text: the indices of its tokens

    def attends(self) -> npt.NDArray[np.bool_]:
        """[rows, most, longest] whether the token at a slot attends to a token of the path."""
        return np.arange(self.path_unpack.shape[1]) <= self.depths[self.unpack][:, :, None]


def build_paths(texts: Sequence[Sequence[int]]) -> Paths:
    """Arranges texts of at least one token."""
    children: dict[tuple[int, int], int] = {}
    tokens: list[int] = []
    depths: list[int] = []
    starts: list[int] = []  # of each row among the tokens
    paths: list[list[int]] = []  # of each row
    of_texts: list[Integers] = []
    for text in texts:
        path, node, known = [], -1, len(tokens)
        for depth, token in enumerate(text):
            child = children.setdefault((node, token), len(tokens))
            if child == len(tokens):
                tokens.append(token)
                depths.append(depth)
            path.append(node := child)
        of_texts.append(np.array(path, np.int64))
        if len(tokens) > known:
            starts.append(known)
            paths.append(path)
    sizes = np.diff([*starts, len(tokens)])
    rows = np.repeat(np.arange(len(sizes)), sizes)
    columns = np.arange(max(sizes.max(), FEWEST_COLUMNS))
    longest = max(*map(len, paths), FEWEST_COLUMNS)
    return Paths(
        tokens=np.array(tokens, np.int64),
        depths=np.array(depths, np.int64),
        rows=rows,
        slots=np.arange(len(rows)) - np.array(starts)[rows],
        unpack=np.where(columns < sizes[:, None], np.array(starts)[:, None] + columns, 0),
        path_unpack=np.array([path + [0] * (longest - len(path)) for path in paths], np.int64),
        of_texts=of_texts,
    )
