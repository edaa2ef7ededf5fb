"""The length and learning rate of a training."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Schedule:
    """Everything that decides about the steps, besides objective and examples."""

    seed: int
    batch: int  # sentences per step
    epochs: int
    steps: int | None  # at most this many in all
    rate: float  # of learning
    warmup: int  # steps until the rate is reached
    patience: int  # validations without improvement until training stops; 0: never
    every: int | None  # steps between validations; None: after each epoch
    replay: float = 0.0  # share of replayed text among the examples of an epoch
    clip: float = 1.0  # largest norm of the gradients

    def rate_at(self, step: int) -> float:
        """The learning rate of a step; steps count from 1."""
        return self.rate * min(1.0, step / self.warmup) if self.warmup else self.rate
