"""The connection to a cluster: one that we start and shut down, or an existing one that keeps running.

Usage statistics are off, there is no dashboard, and nothing is written to the terminal.
"""

from __future__ import annotations

import socket
import threading
from typing import Any, NamedTuple

from mtprobe.backends import MtprobeError
from mtprobe_ray.surroundings import quiet_nodes

_CONNECT_TIMEOUT = 10.0  # seconds
_MOMENT = 0.2
_MEMORY = 128 << 20  # for objects in transit, which are sentences and numbers


class Needs(NamedTuple):
    """The resources that a worker needs."""

    cpus: int
    gpus: int

    def __str__(self) -> str:
        cpus = f"{self.cpus} CPU{'s' if self.cpus > 1 else ''}"
        return f"{cpus} and {self.gpus} GPU" if self.gpus else cpus


class Cluster:
    """Connects on a thread of its own, which lives as long as the connection.

    Linux kills the nodes that we start when the thread that started them ends, and connecting cannot be
    interrupted half-way.
    """

    def __init__(self, address: str | None) -> None:
        self.is_ours = False  # whether we started it, so that it will not grow
        self._address = address
        self._keeper: threading.Thread | None = None
        self._connected, self._over = threading.Event(), threading.Event()
        self._connected_here = False
        self._error: Exception | None = None

    def connect(self) -> None:
        """Connects once; an error is raised again on every call."""
        if self._keeper is None:
            self._keeper = threading.Thread(target=self._keep, name="mtprobe-ray", daemon=True)
            self._keeper.start()
        while not self._connected.wait(_MOMENT):
            pass  # wakes up for Ctrl-C
        if self._error is not None:
            raise self._error

    def _keep(self) -> None:
        try:
            self._connect()
        except Exception as error:  # for the thread that waits
            self._error = error
        self._connected.set()
        self._over.wait()

    def _connect(self) -> None:
        with quiet_nodes():
            import ray
        if ray.is_initialized():
            return
        address = self._address
        own: dict[str, Any] = {"include_dashboard": False, "object_store_memory": _MEMORY}
        try:
            _check_listening(address)
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
                raise MtprobeError(f"ray: cannot start a cluster on this machine: {reason}") from None
            raise MtprobeError(f"ray: cannot connect to a cluster at {address}: {reason}") from None
        self._connected_here, self.is_ours = True, address is None

    def room(self, needs: Needs) -> int:
        """How many workers fit on all nodes together, if nothing else ran there."""
        import ray

        nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
        return sum(_fit(node, needs) for node in nodes)

    def close(self) -> None:
        """Shuts down a cluster that we started, and disconnects from any other."""
        if self._keeper is None:
            return
        self._connected.wait()
        if self._connected_here:
            import ray

            ray.shutdown()
        self._over.set()
        self._keeper.join()


def _check_listening(address: str | None) -> None:
    """Fails at once if nothing listens there: Ray itself would try for minutes."""
    host, _, port = (address or "").removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_TIMEOUT).close()


def _fit(node: dict[str, float], needs: Needs) -> int:
    cpus = int(node.get("CPU", 0) // needs.cpus)
    return min(cpus, int(node.get("GPU", 0) // needs.gpus)) if needs.gpus else cpus
