"""Targets with a common prefix, which is read only once.

Minimal pairs differ late and little. Given the same source, the decoder's state at a token depends only on the
tokens before it, so targets with a common prefix share its computation: they form a tree in which every token
attends to its ancestors. A target that shares nothing is a tree without branches.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from mtprobe.engine.runtime.packing import FEWEST_COLUMNS, Integers

WORTH_SHARING = 0.2  # of a target; less saves little, and attention over a large tree is expensive
MOST_TOKENS = 128  # maximum tokens of a tree that still grows


@dataclass(frozen=True, slots=True)
class Forest:
    """Packed trees of tokens."""

    tokens: Integers  # [tokens]
    depths: Integers  # [tokens] the position of each token in its sentence
    rows: Integers  # [tokens] the tree of each token
    slots: Integers  # [tokens] the place of each token in its tree
    unpack: Integers  # [trees, most] the token at each slot; token 0 at padding
    mask: npt.NDArray[np.int32]  # [trees, most, most] 1 where a token attends to another
    sources: list[int]  # [trees] a sentence that has the source of the tree
    paths: list[Integers]  # per sentence: the indices of its tokens


@dataclass(slots=True)
class _Tree:
    sentence: int
    start: int = 0
    tokens: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    children: dict[tuple[int, int], int] = field(default_factory=dict)

    def shared(self, sentence: Sequence[int]) -> list[int]:
        """The path of the longest prefix of the sentence that the tree contains."""
        path, node = [], -1
        for token in sentence:
            child = self.children.get((node, token))
            if child is None:
                break
            path.append(node := child)
        return path

    def grow(self, path: list[int], rest: Sequence[int]) -> list[int]:
        for token in rest:
            parent = path[-1] if path else -1
            self.children[parent, token] = len(self.tokens)
            path = [*path, len(self.tokens)]
            self.tokens.append(token)
            self.parents.append(parent)
        return path


def build_forest(sentences: Sequence[tuple[Hashable, Sequence[int]]]) -> Forest:
    """Arranges sentences, given as a source and at least one token, in trees."""
    trees: dict[Hashable, list[_Tree]] = {}
    paths: list[tuple[_Tree, list[int]]] = []
    for index, (source, tokens) in enumerate(sentences):
        tree, path = _tree_for(trees.setdefault(source, []), tokens, index)
        paths.append((tree, tree.grow(path, tokens[len(path) :])))
    return _pack([tree for group in trees.values() for tree in group], paths)


def _tree_for(trees: list[_Tree], tokens: Sequence[int], sentence: int) -> tuple[_Tree, list[int]]:
    """The tree with the longest shared prefix, if it is long enough; otherwise a new tree."""
    candidates = [(tree, tree.shared(tokens)) for tree in trees]
    if candidates:
        tree, path = max(candidates, key=lambda pair: len(pair[1]))
        grown = len(tree.tokens) + len(tokens) - len(path)
        if len(path) == len(tokens) or (len(path) >= WORTH_SHARING * len(tokens) and grown <= MOST_TOKENS):
            return tree, path
    trees.append(_Tree(sentence))
    return trees[-1], []


def _pack(trees: list[_Tree], paths: list[tuple[_Tree, list[int]]]) -> Forest:
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
        paths=[tree.start + np.array(path, np.int64) for tree, path in paths],
    )
