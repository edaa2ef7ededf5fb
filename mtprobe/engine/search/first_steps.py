"""The first steps of a translation, as far as the runtime's self-test needs them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from mtprobe.engine.runtime.blocks.reader import BlockReader
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


def first_blocks(reader: BlockReader, pairs: Sequence[tuple[Tokens, Tokens]], prefix: Tokens) -> list[Floats]:
    """The largest log-probabilities after each token of drafts, as they are verified: in blocks of several lengths.

    All but the first token are read as a second block, after what the slots have kept.
    """
    slots = reader.slots(len(pairs))
    slots.enter(np.arange(len(pairs)), [source for source, _ in pairs])
    first, _ = slots.hidden([prefix] * len(pairs))
    slots.keep(np.full(len(pairs), len(prefix)))
    second, lengths = slots.hidden([target for _, target in pairs])
    network = slots.sessions.network
    logprobs = [network.likeliest(hidden, TOP)[0] for hidden in (first, second)]
    starts = np.split(logprobs[0], len(pairs))
    rests = np.split(logprobs[1], np.cumsum(lengths)[:-1])
    return [np.concatenate(parts).ravel() for parts in zip(starts, rests, strict=True)]
