"""Trains a network: steps, validation, early stopping, checkpoints. The same seed gives the same weights, interrupted or not."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mtprobe.backends import MtprobeError

from ..networks.batch import batch_of
from ..networks.encode import Encoded
from ..networks.network import Network
from ..objectives.objective import Objective
from .checkpoint import (
    Checkpoint,
    optimizer_tensors,
    random_tensors,
    read_checkpoint,
    restore_optimizer,
    restore_random,
    write_checkpoint,
)
from .order import batches_of
from .progress import TrainingProgress
from .schedule import Schedule
from .state import State
from .validate import validate


@dataclass(frozen=True, slots=True)
class Training:
    """The network, the material and the objective of a training."""

    network: Network
    objective: Objective
    schedule: Schedule
    train: Sequence[Encoded]
    dev: Sequence[Encoded]
    folder: Path  # for checkpoints

    @property
    def total(self) -> int:
        """The number of steps, if nothing stops it early."""
        wanted = len(batches_of(self.train, self.schedule, 0)) * self.schedule.epochs
        return wanted if self.schedule.steps is None else min(wanted, self.schedule.steps)


def train(training: Training) -> State:
    """Trains until the end, from the last checkpoint if there is one. Then the network has the best weights."""
    run = _Run(training)
    with TrainingProgress(training.total) as progress:
        run.resume(progress)
        while not run.state.finished:
            run.advance(progress)
    run.use_best()
    return run.state


class _Run:
    """A training under way."""

    def __init__(self, training: Training) -> None:
        import torch

        self.training, self.state = training, State()
        self._module = training.network.module
        self._best: dict[str, Any] | None = None
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
        torch.use_deterministic_algorithms(True, warn_only=True)
        torch.manual_seed(training.schedule.seed)
        self._optimizer = torch.optim.AdamW(
            training.network.parameters(), lr=training.schedule.rate, weight_decay=0.0
        )
        self._epoch: tuple[int, list[list[Encoded]]] | None = None

    def resume(self, progress: TrainingProgress) -> None:
        checkpoint = read_checkpoint(self.training.folder, self.training.network.device)
        self._module.train()
        if checkpoint is not None:
            self.state = checkpoint.state
            self._module.load_state_dict(dict(checkpoint.weights), strict=False)
            if self.state.best is not None:
                self._best = dict(checkpoint.best or checkpoint.weights)
            restore_optimizer(self._optimizer, checkpoint.optimizer)
            restore_random(checkpoint.optimizer)
            progress.note(f"continues after step {self.state.step:,}")
        elif self.training.dev:
            self._validate(progress)  # before the first step, to compare with
        progress.start(self.state)

    def advance(self, progress: TrainingProgress) -> None:
        """One step, and whatever is due after it."""
        state, schedule = self.state, self.training.schedule
        batches = self._batches()
        loss = self._step(batches[state.batch])
        state.step, state.batch = state.step + 1, state.batch + 1
        progress.step(state, loss)
        state.losses.append((state.step, round(loss, 6)))
        ends_epoch = state.batch == len(batches)
        if ends_epoch:
            state.epoch, state.batch = state.epoch + 1, 0
        state.finished = state.epoch == schedule.epochs or state.step == schedule.steps
        due = ends_epoch if schedule.every is None else state.step % schedule.every == 0
        if due or state.finished:
            if self.training.dev:
                self._validate(progress)
                state.finished |= bool(schedule.patience) and state.bad >= schedule.patience
            self._write()

    def use_best(self) -> None:
        if self._best is not None:
            self._module.load_state_dict(self._best, strict=False)

    def _batches(self) -> list[list[Encoded]]:
        if self._epoch is None or self._epoch[0] != self.state.epoch:
            training = self.training
            self._epoch = (
                self.state.epoch,
                batches_of(training.train, training.schedule, self.state.epoch),
            )
        return self._epoch[1]

    def _step(self, examples: Sequence[Encoded]) -> float:
        import torch

        training = self.training
        batch = batch_of(examples, training.network.pad, training.network.device)
        loss = training.objective.loss(training.network, batch) / batch.tokens
        value = float(loss.detach())
        if value != value or value in (float("inf"), float("-inf")):
            raise MtprobeError(
                f"the loss of step {self.state.step + 1:,} is {value}: try a smaller --learning-rate"
            )
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(training.network.parameters(), training.schedule.clip)
        for group in self._optimizer.param_groups:
            group["lr"] = training.schedule.rate_at(self.state.step + 1)
        self._optimizer.step()
        return value

    def _validate(self, progress: TrainingProgress) -> None:
        state, training = self.state, self.training
        validation = validate(
            training.network, training.objective, training.dev, state.step, training.schedule.batch
        )
        is_best = state.best is None or validation.loss < state.best.loss
        state.history.append(validation)
        if is_best:
            state.best, state.bad = validation, 0
            self._best = {name: values.clone() for name, values in _weights(self._module).items()}
        else:
            state.bad += 1
        progress.validated(validation, is_best)

    def _write(self) -> None:
        at_best = self.state.best is not None and self.state.best.step == self.state.step
        write_checkpoint(
            self.training.folder,
            Checkpoint(
                self.state,
                _weights(self._module),
                None if at_best else self._best,
                {**optimizer_tensors(self._optimizer), **random_tensors()},
            ),
        )


def _weights(module: Any) -> dict[str, Any]:
    """Trained weights by name, tied ones once."""
    return {name: values.detach() for name, values in module.named_parameters() if values.requires_grad}
