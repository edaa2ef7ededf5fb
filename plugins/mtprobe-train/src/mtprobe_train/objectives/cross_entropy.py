"""Cross-entropy on right targets, with smoothed labels: plain fine-tuning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ..networks.batch import IGNORED
from .objective import Weights

if TYPE_CHECKING:
    from torch import Tensor

    from ..networks.batch import Batch
    from ..networks.network import Network


def smoothed_cross_entropy(logits: Tensor, labels: Tensor, smoothing: float) -> Tensor:
    """The sum over target tokens; padding does not count."""
    from torch.nn.functional import cross_entropy

    return cross_entropy(
        logits.transpose(1, 2), labels, ignore_index=IGNORED, label_smoothing=smoothing, reduction="sum"
    )


@dataclass(frozen=True, slots=True)
class CrossEntropy:
    name: ClassVar[str] = "cross-entropy"
    about: ClassVar[str] = "plain fine-tuning on right targets"
    needs_pairs: ClassVar[bool] = False

    weights: Weights

    def loss(self, network: Network, batch: Batch) -> Tensor:
        return smoothed_cross_entropy(network.logits(batch), batch.labels, self.weights.smoothing)
