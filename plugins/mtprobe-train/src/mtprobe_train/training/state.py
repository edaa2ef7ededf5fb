"""The state of a training."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Validation:
    """The measurements on the development part."""

    step: int
    loss: float  # per target token
    right: float | None  # share of pairs whose right target is more likely, per token, than every wrong one


@dataclass(slots=True)
class State:
    """Position and results so far; everything but the tensors."""

    step: int = 0
    epoch: int = 0
    batch: int = 0  # of the epoch, the next one
    history: list[Validation] = field(default_factory=list)
    losses: list[tuple[int, float]] = field(default_factory=list)  # per target token, of training, by step
    best: Validation | None = None
    bad: int = 0  # validations since the best one
    finished: bool = False

    def record(self) -> dict[str, Any]:
        return {
            "step": self.step,
            "epoch": self.epoch,
            "batch": self.batch,
            "history": [[entry.step, entry.loss, entry.right] for entry in self.history],
            "losses": self.losses,
            "best": None if self.best is None else [self.best.step, self.best.loss, self.best.right],
            "bad": self.bad,
            "finished": self.finished,
        }

    @classmethod
    def read(cls, record: dict[str, Any]) -> State:
        return cls(
            record["step"],
            record["epoch"],
            record["batch"],
            [Validation(*entry) for entry in record["history"]],
            [(step, loss) for step, loss in record["losses"]],
            Validation(*record["best"]) if record["best"] else None,
            record["bad"],
            record["finished"],
        )
