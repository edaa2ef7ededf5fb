"""The first steps of a translation, as far as the runtime's self-test needs them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from mtprobe.engine.runtime.interface import Floats, StepNetwork, Tokens

if TYPE_CHECKING:
    from mtprobe.engine.runtime.ssru_network import SsruNetwork

State = TypeVar("State")

TOP = 4


def first_steps(network: StepNetwork[State], sources: Sequence[Tokens], prefix: Tokens) -> list[Floats]:
    """The log-probabilities of the likeliest first tokens after each source, as a search computes them.

    All but the first source join a search that is two steps ahead, as new sentences do in a batch that is under way:
    they take the place of the first, which ends there, and what it leaves must not be seen.
    """
    state = network.start(sources[:1], [prefix])
    ends = np.array([prefix[-1]])
    state, ahead, words = network.step(state, np.arange(1), ends, TOP)
    if len(sources) == 1:
        return [ahead[0]]
    rest = sources[1:]
    state, _, _ = network.step(state, np.arange(1), words[:, 0], TOP)
    state = network.join([state, network.start(rest, [prefix] * len(rest))])
    _, logprobs, _ = network.step(state, np.arange(1, len(sources)), ends.repeat(len(rest)), TOP)
    return [ahead[0], *logprobs]


def greedy_first_steps(network: SsruNetwork, sources: Sequence[Tokens]) -> list[Floats]:
    """The log-probability of the likeliest first token after each source, [1], as greedy translation computes it."""
    _, logprobs, _ = network.step(network.start(sources))
    return list(logprobs.reshape(-1, 1))
