"""Contrastive max-margin: a right target must be more probable than each wrong one, by a margin.

    L(S) = CE(S) + c Σ max(0, m − (log P(right) − log P(wrong)))

Log-probabilities are sums over all tokens of a target, in nats.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ..networks.batch import IGNORED
from .cross_entropy import smoothed_cross_entropy
from .objective import Weights

if TYPE_CHECKING:
    from torch import Tensor

    from ..networks.batch import Batch
    from ..networks.network import Network


def log_probabilities(logits: Tensor, labels: Tensor) -> Tensor:
    """[sentences]: sums over the tokens of each target."""
    known = labels != IGNORED
    tokens = logits.log_softmax(-1).gather(-1, labels.where(known, 0).unsqueeze(-1)).squeeze(-1)
    return tokens.masked_fill(~known, 0.0).sum(dim=1)


@dataclass(frozen=True, slots=True)
class Margin:
    name: ClassVar[str] = "margin"
    about: ClassVar[str] = "cross-entropy and a margin between right and wrong targets"
    needs_pairs: ClassVar[bool] = True

    weights: Weights

    def loss(self, network: Network, batch: Batch) -> Tensor:
        logits = network.logits(batch)
        loss = smoothed_cross_entropy(logits, batch.labels, self.weights.smoothing)
        if batch.rejected is None or batch.opposed is None:
            return loss
        right = log_probabilities(logits, batch.labels)[batch.opposed]
        wrong = log_probabilities(network.logits(batch.rejected), batch.rejected.labels)
        return loss + self.weights.contrast * (self.weights.margin - right + wrong).clamp(min=0).sum()
