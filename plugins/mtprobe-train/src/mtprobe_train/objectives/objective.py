"""The base class of objectives, which compute the loss of a batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from torch import Tensor

    from ..networks.batch import Batch
    from ..networks.network import Network


@dataclass(frozen=True, slots=True)
class Weights:
    """The user's choices; each objective takes those that it knows."""

    smoothing: float = 0.1  # of labels
    penalty: float = 100.0  # λ of the Pronoun Penalty
    margin: float = 2.0  # nats by which a right target has to be more likely than a wrong one
    contrast: float = 1.0  # weight of the margin beside the cross-entropy


class Objective(Protocol):
    """A training objective."""

    name: ClassVar[str]
    about: ClassVar[str]
    needs_pairs: ClassVar[bool]  # nothing would be different without rejected targets

    def loss(self, network: Network, batch: Batch) -> Tensor:
        """The sum over the batch; training divides it by the number of target tokens."""
