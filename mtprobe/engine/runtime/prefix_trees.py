"""Targets that begin alike, read once as far as they are alike.

Minimal pairs differ late and little. Given the same source, what the decoder makes of a token depends on
nothing but the tokens before it, so targets that share a beginning share its work: they grow as a tree, in
which every token attends to its ancestors. A target that is like no other is a tree without branches.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from mtprobe.engine.runtime.packing import FEWEST_COLUMNS, Integers

WORTH_SHARING = 0.2  # of a target; less saves little, and a large tree makes attention dear
MOST_TOKENS = 128  # of a tree that may still grow


@dataclass(frozen=True, slots=True)
class Forest:
    """Trees of tokens, one after the other."""

    tokens: Integers  # [tokens]
    depths: Integers  # [tokens] the position of each token in its sentence
    rows: Integers  # [tokens] the tree of each token
    slots: Integers  # [tokens] the place of each token in its tree
    unpack: Integers  # [trees, most] which token stands there; token 0 where there is none
    mask: npt.NDArray[np.int32]  # [trees, most, most] 1 where a token attends to another
    sources: list[int]  # [trees] a sentence whose source the tree belongs to
    paths: list[Integers]  # one a sentence: where its tokens stand


@dataclass(slots=True)
class _Tree:
    sentence: int
    start: int = 0
    tokens: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    children: dict[tuple[int, int], int] = field(default_factory=dict)

    def shared(self, sentence: Sequence[int]) -> list[int]:
        """As far as the sentence is there already."""
        path, at = [], -1
        for token in sentence:
            found = self.children.get((at, token))
            if found is None:
                break
            path.append(at := found)
        return path

    def grow(self, path: list[int], rest: Sequence[int]) -> list[int]:
        for token in rest:
            parent = path[-1] if path else -1
            self.children[parent, token] = len(self.tokens)
            path = [*path, len(self.tokens)]
            self.tokens.append(token)
            self.parents.append(parent)
        return path


def plant(sentences: Sequence[tuple[Hashable, Sequence[int]]]) -> Forest:
    """A sentence is its source and its tokens, of which there is at least one."""
    trees: dict[Hashable, list[_Tree]] = {}
    homes: list[tuple[_Tree, list[int]]] = []
    for index, (source, tokens) in enumerate(sentences):
        tree, path = _home(trees.setdefault(source, []), tokens, index)
        homes.append((tree, tree.grow(path, tokens[len(path) :])))
    return _packed([tree for group in trees.values() for tree in group], homes)


def _home(trees: list[_Tree], tokens: Sequence[int], sentence: int) -> tuple[_Tree, list[int]]:
    """The tree that has most of the sentence, if that is enough; else a new one."""
    known = [(tree, tree.shared(tokens)) for tree in trees]
    if known:
        tree, path = max(known, key=lambda pair: len(pair[1]))
        grown = len(tree.tokens) + len(tokens) - len(path)
        if len(path) == len(tokens) or (len(path) >= WORTH_SHARING * len(tokens) and grown <= MOST_TOKENS):
            return tree, path
    trees.append(_Tree(sentence))
    return trees[-1], []


def _packed(trees: list[_Tree], homes: list[tuple[_Tree, list[int]]]) -> Forest:
    sizes = np.array([len(tree.tokens) for tree in trees])
    starts, most = np.cumsum(sizes) - sizes, max(sizes.max(), FEWEST_COLUMNS)
    mask = np.zeros((len(trees), most, most), np.int32)
    for row, tree in enumerate(trees):
        tree.start = int(starts[row])
        for slot, parent in enumerate(tree.parents):
            if parent >= 0:
                mask[row, slot] = mask[row, parent]
            mask[row, slot, slot] = 1
    rows = np.repeat(np.arange(len(trees)), sizes)
    slots = np.arange(len(rows)) - starts[rows]
    columns = np.arange(most)
    return Forest(
        tokens=np.array([token for tree in trees for token in tree.tokens], np.int64),
        depths=mask.sum(axis=2, dtype=np.int64)[rows, slots] - 1,
        rows=rows,
        slots=slots,
        unpack=np.where(columns < sizes[:, None], starts[:, None] + columns, 0),
        mask=mask,
        sources=[tree.sentence for tree in trees],
        paths=[tree.start + np.array(path, np.int64) for tree, path in homes],
    )
