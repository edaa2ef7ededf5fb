"""How pytest-xdist distributes a run with suites; the only module that depends on its code.

`LoadScopeScheduling` is extended through its public methods and attributes, and through `_split_scope`, which xdist's own
schedulers override in the same way.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from xdist.scheduler import LoadScopeScheduling

from mtprobe.pytest_plugin import is_suite


class SuiteScheduling(LoadScopeScheduling):  # type: ignore[misc]
    """Keeps the gates of a suite together, since they share its results; other tests are scopes of their own."""

    config: Any

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.split("::", 1)[0]
        return path if is_suite(self.config.rootpath / Path(path), self.config) else nodeid

    def schedule(self) -> None:
        """A worker runs its last item only once it has another one, or knows that there is none.

        xdist gives a worker that joins later a single scope, which may be a single item.
        """
        joins_later = self.collection is not None
        super().schedule()
        if joins_later:
            super().schedule()

    def remove_node(self, node: Any) -> str | None:
        """Scopes that a dead worker has finished are not handed to another, which would wait for an item forever."""
        scopes = self.assigned_work[node]
        for scope in [scope for scope, items in scopes.items() if all(items.values())]:
            del scopes[scope]
        crashed: str | None = super().remove_node(node)
        if crashed is not None:  # each of the others got one scope
            super().schedule()
        return crashed
