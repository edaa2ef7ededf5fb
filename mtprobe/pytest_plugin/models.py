"""The models of a session, opened when the first suite is collected."""

from __future__ import annotations

from functools import cached_property

import pytest

from mtprobe.backends.model import LOCAL
from mtprobe.errors import MtprobeError
from mtprobe.plan import Models, open_models
from mtprobe.progress import notices_to
from mtprobe.pytest_plugin.options import usage_error
from mtprobe.settings import Settings


class OpenedModels:
    """No models if there are none, or if they cannot be opened: `check` says why."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._notices: list[str] = []  # what was logged while models were opened: pytest captures logging

    @cached_property
    def _opened(self) -> Models | MtprobeError:
        try:
            with notices_to(self._notices.append):
                return open_models(self._settings)
        except MtprobeError as error:
            return error

    @property
    def models(self) -> Models:
        return self._opened if isinstance(self._opened, Models) else Models()

    def headlines(self) -> list[str]:
        """None if they cannot be opened: an error follows that says why."""
        if not isinstance(self._opened, Models):
            return []
        return [self._opened.headline(), *(f"mtprobe: {notice}" for notice in self._notices)]

    def check(self, *, several_processes: bool) -> None:
        """Models that cannot be opened are a usage error, raised before anything runs."""
        if isinstance(self._opened, MtprobeError):
            raise usage_error(self._opened)
        executor = self._opened.executor.name
        if executor != LOCAL and several_processes:
            raise pytest.UsageError(
                f"--mt-executor={executor} distributes the work of one pytest process: omit -n"
            )

    def close(self) -> None:
        """Ends what models ran on, whatever became of the run."""
        if "_opened" in self.__dict__:
            self.models.executor.close()
