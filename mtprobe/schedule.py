"""How xdist spreads a run with suites."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from xdist.scheduler import LoadScopeScheduling

from mtprobe.plugin import is_suite


class SuiteScheduling(LoadScopeScheduling):  # type: ignore[misc]
    """Keeps a suite's gates together, since they share its results; other tests are scopes of their own."""

    config: Any

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.split("::", 1)[0]
        return path if is_suite(self.config.rootpath / Path(path), self.config) else nodeid
