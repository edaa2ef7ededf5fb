"""The connection to a cluster: one that we start and end, or one that was there before and stays.

Nothing is told to anybody about its use, there is no dashboard, and nothing is written to the terminal.
"""

from __future__ import annotations

import socket
import threading
from typing import Any, NamedTuple

from mtprobe.errors import MtprobeError
from mtprobe_ray.surroundings import quiet_nodes

_KNOCK = 10.0  # seconds
_MOMENT = 0.2
_MEMORY = 128 << 20  # for objects in passing, which are sentences and numbers


class Needs(NamedTuple):
    """What a worker takes of its node."""

    cpus: int
    gpus: int

    def __str__(self) -> str:
        cpus = f"{self.cpus} CPU{'s' if self.cpus > 1 else ''}"
        return f"{cpus} and {self.gpus} GPU" if self.gpus else cpus


class Cluster:
    """Connected to on a thread of its own, which lives as long as the connection.

    Linux kills the nodes that we start when the thread that started them ends; and a connection that is being made
    cannot be broken off in the middle.
    """

    def __init__(self, address: str | None) -> None:
        self.is_ours = False  # whether nobody else uses it, so that it will not grow
        self._address = address
        self._keeper: threading.Thread | None = None
        self._settled, self._over = threading.Event(), threading.Event()
        self._connected_here = False
        self._error: Exception | None = None

    def connect(self) -> None:
        """Done once; what went wrong is raised each time."""
        if self._keeper is None:
            self._keeper = threading.Thread(target=self._keep, name="mtprobe-ray", daemon=True)
            self._keeper.start()
        while not self._settled.wait(_MOMENT):
            pass  # an interruption is seen here
        if self._error is not None:
            raise self._error

    def _keep(self) -> None:
        try:
            self._connect()
        except Exception as error:  # belongs to the thread that waits
            self._error = error
        self._settled.set()
        self._over.wait()

    def _connect(self) -> None:
        with quiet_nodes():
            import ray
        if ray.is_initialized():
            return
        address = self._address
        own: dict[str, Any] = {"include_dashboard": False, "object_store_memory": _MEMORY}
        try:
            _knock(address)
            with quiet_nodes():
                ray.init(
                    address=address or "local",
                    log_to_driver=False,
                    logging_level="CRITICAL",
                    **(own if address is None else {}),
                )
        except (OSError, RuntimeError, ValueError, ImportError, TimeoutError) as error:
            reason = str(error).strip().partition("\n")[0]
            if address is None:
                raise MtprobeError(f"ray: no cluster could be started on this machine: {reason}") from None
            raise MtprobeError(f"ray: there is no cluster to be had at {address}: {reason}") from None
        self._connected_here, self.is_ours = True, address is None

    def room(self, needs: Needs) -> int:
        """How many workers all nodes together could hold, if nobody else used them."""
        import ray

        nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
        return sum(_holds(node, needs) for node in nodes)

    def close(self) -> None:
        """Ends a cluster that we started, and lets go of one that was there before."""
        if self._keeper is None:
            return
        self._settled.wait()
        if self._connected_here:
            import ray

            ray.shutdown()
        self._over.set()
        self._keeper.join()


def _knock(address: str | None) -> None:
    """An error at once where nobody listens: Ray itself would try for minutes."""
    host, _, port = (address or "").removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), timeout=_KNOCK).close()


def _holds(node: dict[str, float], needs: Needs) -> int:
    cpus = int(node.get("CPU", 0) // needs.cpus)
    return min(cpus, int(node.get("GPU", 0) // needs.gpus)) if needs.gpus else cpus
