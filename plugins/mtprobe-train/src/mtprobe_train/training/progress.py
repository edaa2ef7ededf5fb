"""Shows the progress of a training, its loss and the remaining time: a bar on a terminal, an occasional line elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from mtprobe.verbs import warn

from .state import State, Validation

if TYPE_CHECKING:
    from rich.progress import Progress

_SECONDS_PER_LINE = 10.0
_MEAN_OF = 0.95  # weight of the past in the shown loss, which would jump otherwise


class TrainingProgress:
    """For the command line: on standard error."""

    def __init__(self, total: int) -> None:
        self._total, self._loss = total, None if total else 0.0
        self._bar: Progress | None = None
        self._started, self._first, self._next = time.monotonic(), 0, 0.0

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self._bar = Progress(
                TextColumn("mtprobe: training"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("loss {task.fields[loss]}"),
                TimeRemainingColumn(),
                console=Console(file=sys.stderr, markup=False, emoji=False),
                transient=True,
            )
            self._bar.start()
            self._bar.add_task("training", total=self._total, loss="–")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def start(self, state: State) -> None:
        """Time is estimated from the steps of this process."""
        self._started, self._first = time.monotonic(), state.step
        self._next = self._started + _SECONDS_PER_LINE

    def step(self, state: State, loss: float) -> None:
        self._loss = loss if self._loss is None else _MEAN_OF * self._loss + (1 - _MEAN_OF) * loss
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=state.step, loss=f"{self._loss:.3f}")
        elif time.monotonic() >= self._next:
            self._next = time.monotonic() + _SECONDS_PER_LINE
            self.note(
                f"step {state.step:,} of {self._total:,}, loss {self._loss:.3f}, {self._left(state)} left"
            )

    def validated(self, validation: Validation, is_best: bool) -> None:
        right = "" if validation.right is None else f", {validation.right:.1%} of pairs right"
        best = ", the best so far" if is_best else ""
        self.note(f"step {validation.step:,}: development loss {validation.loss:.4f}{right}{best}")

    def note(self, text: str) -> None:
        if self._bar is not None:
            self._bar.console.print(f"mtprobe: {text}", highlight=False, soft_wrap=True)
        else:
            warn(f"mtprobe: {text}")

    def _left(self, state: State) -> str:
        seconds = (time.monotonic() - self._started) / max(1, state.step - self._first)
        minutes, rest = divmod(round(seconds * (self._total - state.step)), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
