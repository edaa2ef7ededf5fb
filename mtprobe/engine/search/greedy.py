"""Greedy translation: the most probable token at each step, until EOS."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from mtprobe.engine.runtime.ssru_network import SsruNetwork

KEEP_WHILE_ALIVE = 0.9  # compacting the rest costs about a tenth of a step


def translate_batch(
    network: SsruNetwork, sources: Sequence[Sequence[int]], end: int, limit: int
) -> list[tuple[int, ...]]:
    """The tokens of each translation without the `end` token; at most `limit`."""
    state = network.start(sources)
    outputs: list[list[int]] = [[] for _ in sources]
    rows = np.arange(len(sources))  # which source each row of the state belongs to
    alive = np.ones(len(sources), bool)
    for _ in range(limit):
        tokens, _, state = network.step(state)
        alive &= tokens != end
        for row in np.flatnonzero(alive):
            outputs[rows[row]].append(int(tokens[row]))
        if not alive.any():
            break
        if alive.mean() < KEEP_WHILE_ALIVE:
            state, rows, alive = state.keep(np.flatnonzero(alive)), rows[alive], alive[alive]
    return [tuple(output) for output in outputs]
