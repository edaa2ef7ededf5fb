"""The batches of an epoch, in an order that depends only on seed and epoch, so that it need not be stored."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ..material.example import rank
from ..networks.encode import Encoded
from .schedule import Schedule

_WINDOW = 32  # batches whose sentences are sorted by length together, so that there is less padding


def batches_of(examples: Sequence[Encoded], schedule: Schedule, epoch: int) -> list[list[Encoded]]:
    """All examples once, and of the replayed ones as many as make up their share, other ones in each epoch."""
    key = partial(_place, schedule.seed, epoch)
    fresh = [example for example in examples if not example.replay]
    replayed = sorted((example for example in examples if example.replay), key=key)
    ordered = sorted([*fresh, *replayed[: replay_count(len(fresh), len(replayed), schedule.replay)]], key=key)
    batches: list[list[Encoded]] = []
    for start in range(0, len(ordered), _WINDOW * schedule.batch):
        window = sorted(ordered[start : start + _WINDOW * schedule.batch], key=lambda one: len(one.target))
        batches.extend(window[at : at + schedule.batch] for at in range(0, len(window), schedule.batch))
    return sorted(batches, key=lambda batch: key(batch[0]))


def replay_count(fresh: int, replayed: int, share: float) -> int:
    """How many of the replayed examples an epoch has."""
    return replayed if not fresh else min(replayed, round(fresh * share / (1 - share)))


def _place(seed: int, epoch: int, example: Encoded) -> float:
    return rank("epoch", seed, epoch, example.id)
