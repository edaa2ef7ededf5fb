"""Measures a network on the development set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..networks.batch import IGNORED, Batch, batch_of
from ..networks.encode import Encoded
from ..networks.network import Network
from ..objectives.margin import log_probabilities
from ..objectives.objective import Objective
from .state import Validation

if TYPE_CHECKING:
    from torch import Tensor


def validate(
    network: Network, objective: Objective, examples: Sequence[Encoded], step: int, size: int
) -> Validation:
    """The loss of the objective without dropout, and the share of pairs that are right."""
    import torch

    ordered = sorted(examples, key=lambda example: len(example.target))
    total, tokens, right, pairs = 0.0, 0, 0, 0
    network.module.eval()
    with torch.no_grad():
        for start in range(0, len(ordered), size):
            batch = batch_of(ordered[start : start + size], network.pad, network.device)
            total += float(objective.loss(network, batch))
            tokens += batch.tokens
            decisions = _decisions(network, batch)
            right, pairs = right + sum(decisions), pairs + len(decisions)
    network.module.train()
    return Validation(step, total / max(1, tokens), right / pairs if pairs else None)


def _decisions(network: Network, batch: Batch) -> list[bool]:
    """For each example with wrong targets: whether the right one is more probable, per token, than all of them."""
    if batch.rejected is None or batch.opposed is None:
        return []
    right, wrong = (_means(network, part) for part in (batch, batch.rejected))
    rows = batch.opposed.tolist()
    beaten: dict[int, bool] = {}
    for row, score in zip(rows, wrong.tolist(), strict=True):
        beaten[row] = beaten.get(row, True) and float(right[row]) > score
    return list(beaten.values())


def _means(network: Network, batch: Batch) -> Tensor:
    return log_probabilities(network.logits(batch), batch.labels) / (batch.labels != IGNORED).sum(dim=1)
