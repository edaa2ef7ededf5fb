"""The models of a session, opened with the first suite, and where they run."""

from __future__ import annotations

from functools import cached_property

import pytest

from mtprobe.backends.executor import LOCAL, Executor, open_executor
from mtprobe.backends.model import Model, open_models
from mtprobe.errors import ModelError, MtprobeError
from mtprobe.settings import Settings


class OpenedModels:
    """Empty when there are none, or when they cannot be opened: `check` says why."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @cached_property
    def _opened(self) -> tuple[tuple[Model, ...], Model | None] | ModelError:
        try:
            models, evaluator = open_models(self._settings)
            place = self.executor.place
            return tuple(map(place, models)), place(evaluator) if evaluator else None
        except ModelError as error:
            return error

    @cached_property
    def executor(self) -> Executor:
        try:
            return open_executor(self._settings.executor)
        except MtprobeError as error:
            raise ModelError(f"--mt-executor: {error}") from None

    @property
    def models(self) -> tuple[Model, ...]:
        return () if isinstance(self._opened, ModelError) else self._opened[0]

    @property
    def evaluator(self) -> Model | None:
        return None if isinstance(self._opened, ModelError) else self._opened[1]

    def check(self, *, several_processes: bool) -> None:
        """Models that cannot be had are the user's mistake, told before anything runs."""
        if isinstance(self._opened, ModelError):
            raise pytest.UsageError(str(self._opened))
        if self.executor.name != LOCAL and several_processes:
            raise pytest.UsageError(
                f"--mt-executor={self.executor.name} spreads the work of one pytest process: leave -n away"
            )

    def close(self) -> None:
        """Ends what models ran on, whatever became of the run."""
        if "executor" in self.__dict__:
            self.executor.close()

    def headline(self) -> str:
        """`mtprobe: model demo (en→pt), judged by itself`."""
        models = ", ".join(f"{model.name} ({model.languages})" for model in self.models) or "none"
        itself = "the model itself" if len(self.models) == 1 else "each model itself"
        judge = self.evaluator.name if self.evaluator else itself if self.models else "none"
        return f"mtprobe: model {models}; evaluator: {judge}{self._where()}"

    def _where(self) -> str:
        """Where models run, if not here; some stay here all the same."""
        if not self.models or self.executor.name == LOCAL:
            return ""
        opened = [*self.models, *([self.evaluator] if self.evaluator else [])]
        here = [model.name for model in opened if model.elsewhere is None]
        but = f" (not for {', '.join(here)})" if here else ""
        return f"; executor: {self.executor.name}{but}"
