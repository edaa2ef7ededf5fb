"""Word-level distillation: in addition to the target, the student learns the teacher's distribution at every token.

L(S) = (1 − α) CE(S) + α Σ KL(teacher ‖ student)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ..networks.batch import IGNORED
from .cross_entropy import smoothed_cross_entropy

if TYPE_CHECKING:
    from torch import Tensor

    from ..networks.batch import Batch
    from ..networks.network import Network


def divergence(logits: Tensor, teacher: Tensor, labels: Tensor) -> Tensor:
    """The sum over target tokens of KL(teacher ‖ student)."""
    known = labels != IGNORED
    student, wanted = logits[known].log_softmax(-1), teacher[known].log_softmax(-1)
    return (wanted.exp() * (wanted - student)).sum()


@dataclass(frozen=True, slots=True)
class WordLevel:
    name: ClassVar[str] = "word-level"
    about: ClassVar[str] = "cross-entropy and the divergence from the teacher's distribution"
    needs_pairs: ClassVar[bool] = False

    share: float  # α
    smoothing: float
    teacher: Network

    def loss(self, network: Network, batch: Batch) -> Tensor:
        import torch

        logits = network.logits(batch)
        loss = smoothed_cross_entropy(logits, batch.labels, self.smoothing)
        with torch.no_grad():
            teacher = self.teacher.logits(batch).detach()
        return (1 - self.share) * loss + self.share * divergence(logits, teacher, batch.labels)
