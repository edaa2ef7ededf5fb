"""How xdist spreads a run with suites."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from xdist.scheduler import LoadScopeScheduling

from mtprobe.pytest_plugin import is_suite


class SuiteScheduling(LoadScopeScheduling):  # type: ignore[misc]
    """Keeps a suite's gates together, since they share its results; other tests are scopes of their own."""

    config: Any

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.split("::", 1)[0]
        return path if is_suite(self.config.rootpath / Path(path), self.config) else nodeid

    def remove_node(self, node: Any) -> str | None:
        """What a dead worker has finished is not handed to another: it would wait for ever for something to do."""
        work = self.assigned_work[node]
        for scope in [scope for scope, done in work.items() if all(done.values())]:
            del work[scope]
        crashed: str | None = super().remove_node(node)
        return crashed

    def _reschedule(self, node: Any) -> None:
        """A worker begins its last item when it knows of another one, or that there is none."""
        super()._reschedule(node)
        while self.workqueue and not node.shutting_down and self._pending_of(self.assigned_work[node]) < 2:
            self._assign_work_unit(node)
