"""Answers sampled at random: each token by its probability.

What is drawn depends on the seed and the prompt alone, not on other prompts or their order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mtprobe.engine.runtime.interface import Floats, State, StepNetwork

ALL = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class Sampling:
    """How tokens are drawn, in the terms of transformers' `generate`."""

    temperature: float = 1.0
    top_p: float = 1.0  # the likeliest tokens that together have this probability

    def __str__(self) -> str:
        nucleus = f", top p {self.top_p:g}" if self.top_p < 1 else ""
        return f"sampling at temperature {self.temperature:g}{nucleus}"


def sample(
    network: StepNetwork[State],
    sources: Sequence[Sequence[int]],
    prefixes: Sequence[Sequence[int]],
    seeds: Sequence[int],
    settings: Sampling,
    *,
    ends: Sequence[int],
    limit: int,
) -> list[tuple[int, ...]]:
    """The tokens of an answer per source, without the end; at most `limit`."""
    generators = [
        _generator(seed, (*source, *prefix))
        for seed, source, prefix in zip(seeds, sources, prefixes, strict=True)
    ]
    answers: list[list[int]] = [[] for _ in sources]
    state = network.start(sources, prefixes)
    places = np.arange(len(sources))  # which source each row belongs to
    rows, tokens = np.arange(len(sources)), np.array([prefix[-1] for prefix in prefixes])
    for _ in range(limit):
        state, logprobs, words = network.step(state, rows, tokens, ALL)
        drawn = np.array(
            [
                words[row, _draw(logprobs[row], generators[place], settings)]
                for row, place in enumerate(places)
            ]
        )
        alive = ~np.isin(drawn, ends)
        for row in np.flatnonzero(alive):
            answers[places[row]].append(int(drawn[row]))
        rows, tokens, places = np.flatnonzero(alive), drawn[alive], places[alive]
        if not len(rows):
            break
    return [tuple(answer) for answer in answers]


def _generator(seed: int, tokens: Sequence[int]) -> np.random.Generator:
    digest = hashlib.sha256(np.asarray(tokens, np.int64).tobytes()).digest()
    return np.random.default_rng([seed, *np.frombuffer(digest, np.uint32).tolist()])


def _draw(logprobs: Floats, generator: np.random.Generator, settings: Sampling) -> int:
    """The place of a token; they are given likeliest first."""
    scaled: npt.NDArray[np.float64] = logprobs.astype(np.float64) / settings.temperature
    probabilities = np.exp(scaled - scaled[0])
    totals = np.cumsum(probabilities / probabilities.sum())
    kept = int(np.searchsorted(totals, settings.top_p * (1 - 1e-12))) + 1  # at least one
    kept = min(kept, len(totals))
    return min(int(np.searchsorted(totals[:kept], generator.random() * totals[kept - 1], "right")), kept - 1)
