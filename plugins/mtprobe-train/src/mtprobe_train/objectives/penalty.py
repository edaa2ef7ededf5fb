"""The Pronoun Penalty of Emelin and Sennrich (2021), for any tokens in which right and wrong targets differ.

    L(S) = CE(S) + λ Σ PP(r),  PP(r) = 1 − P(r)/N + max P(a)/N,  N = P(r) + Σ P(a)

r is a token of the right target, a are the tokens that wrong targets have in its place, all given the right target before it. CE is
the sum over the tokens of a sentence, with smoothed labels. P(r)/N is the softmax over r and a alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from .cross_entropy import smoothed_cross_entropy
from .objective import Weights

if TYPE_CHECKING:
    from torch import Tensor

    from ..networks.batch import Batch, Foci
    from ..networks.network import Network


def penalties(logits: Tensor, foci: Foci) -> Tensor:
    """PP of each focus token: 0 where the right token has all the probability, 2 where one wrong token has it."""
    chosen = logits[foci.rows, foci.columns].gather(1, foci.candidates)
    shares = chosen.masked_fill(~foci.known, float("-inf")).softmax(dim=1)
    return 1 - shares[:, 0] + shares[:, 1:].amax(dim=1)


@dataclass(frozen=True, slots=True)
class Penalty:
    name: ClassVar[str] = "penalty"
    about: ClassVar[str] = "cross-entropy and the Pronoun Penalty, for any tokens in which targets differ"
    needs_pairs: ClassVar[bool] = True

    weights: Weights

    def loss(self, network: Network, batch: Batch) -> Tensor:
        logits = network.logits(batch)
        loss = smoothed_cross_entropy(logits, batch.labels, self.weights.smoothing)
        if batch.foci is None:
            return loss
        return loss + self.weights.penalty * penalties(logits, batch.foci).sum()
