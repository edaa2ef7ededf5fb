"""A cluster of nodes that are processes of this machine, and toys that write down what they are asked."""

from __future__ import annotations

import os
import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import ray
from mtprobe_ray import RayExecutor, open_ray
from mtprobe_ray.surroundings import quiet_nodes
from ray.cluster_utils import Cluster

from mtprobe.backends.model import Model
from mtprobe.backends.registry import ModelSpec
from mtprobe.plan import open_models
from mtprobe.progress import Silent
from mtprobe.settings import Settings

# A node that is gone is missed after a second, not after half a minute.
_HEALTH = {
    "health_check_initial_delay_ms": 500,
    "health_check_period_ms": 300,
    "health_check_timeout_ms": 1000,
    "health_check_failure_threshold": 3,
}

TOYS = """
import os, time
from pathlib import Path
from mtprobe.errors import Failure, ModelError

HERE = Path(__file__).parent


def note(kind, text):
    with (HERE / "calls.txt").open("a", encoding="utf-8") as stream:
        stream.write(f"{kind} {text}\\n")


class Toy:
    chunk = 4

    def __init__(self, name, seconds=0.0):
        self.fingerprint, self.seconds = name, seconds

    def __call__(self, sources):
        made = []
        for source in sources:
            time.sleep(self.seconds)
            note("translate", source)
            made.append(self.one(source))
        return made

    def one(self, source):
        if "deadly" in source:
            os._exit(1)
        if "refused" in source:
            raise ModelError("the toy does not like this sentence")
        if "broken" in source:
            raise ZeroDivisionError("the toy is broken")
        return Failure("too hard") if "hard" in source else source.upper()

    def score(self, pairs):
        for source, target in pairs:
            time.sleep(self.seconds)
            note("score", f"{source} => {target}")
        return [(-1.0 / (1 + len(source)), -1.0 / (2 + len(target))) for source, target in pairs]


quick, slow, other = Toy("quick"), Toy("slow", 0.01), Toy("other")
here_only = Toy(f"process-{os.getpid()}")


def in_context(requests):
    return [f"{one.text} after {', '.join(one.context)}, {one.repeat}" for one in requests]


in_context.takes_requests = True
"""


class Nodes:
    """A cluster with a head that runs one worker, and nodes that come and go."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.address: str = cluster.address

    def add(self, **resources: float) -> Any:
        with quiet_nodes():
            node = self.cluster.add_node(**{"num_cpus": 1, **resources})
        self.cluster.wait_for_nodes()
        return node

    def kill(self, node: Any) -> None:
        """As when a machine loses its power: the raylet and all workers, at once."""
        raylets = [process.process.pid for process in node.all_processes["raylet"]]
        for pid in [child for raylet in raylets for child in children(raylet)] + raylets:
            kill(pid)
        self.cluster.remove_node(node, allow_graceful=False)


def children(parent: int) -> list[int]:
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True, check=False
    )
    return [int(pid) for pid in listed.stdout.split()]


def kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


@pytest.fixture(scope="package")
def nodes() -> Iterator[Nodes]:
    with quiet_nodes():
        head = {"num_cpus": 1, "include_dashboard": False, "_system_config": _HEALTH}
        cluster = Cluster(initialize_head=True, head_node_args=head)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="CRITICAL")
    yield Nodes(cluster)
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture
def second(nodes: Nodes) -> Iterator[Any]:
    """A node beside the head."""
    node = nodes.add()
    yield node
    if node in nodes.cluster.worker_nodes:
        nodes.cluster.remove_node(node)


@pytest.fixture(scope="package")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("toys")
    (folder / "ray_toys.py").write_text(TOYS, encoding="utf-8")
    return folder


@pytest.fixture
def toys(_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Toys:
    monkeypatch.chdir(_folder)
    monkeypatch.syspath_prepend(_folder)
    (_folder / "calls.txt").unlink(missing_ok=True)
    return Toys(_folder)


class Toys:
    """A folder with a module of toys, in which pytest is started."""

    module = "ray_toys"

    def __init__(self, path: Path) -> None:
        self.path = path

    def open(self, name: str, executor: RayExecutor | None = None, **settings: Any) -> Model:
        spec = ModelSpec.parse(f"{name}=python:{self.module}:{name}")
        (model,) = open_models(Settings(models=(spec,), source="en", targets=("pt",), **settings)).tested
        return executor.place(model) if executor else model

    def calls(self, kind: str) -> Counter[str]:
        path = self.path / "calls.txt"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return Counter(line.removeprefix(f"{kind} ") for line in lines if line.startswith(kind))


@pytest.fixture
def executor(nodes: Nodes) -> Iterator[RayExecutor]:
    """Workers of its own, by the connection that there is."""
    with closing(open_ray(nodes.address)) as opened:
        yield opened


class Telling(Silent):
    """Does something once, when so many steps are done."""

    def __init__(self, steps: int, act: Callable[[], object]) -> None:
        self.steps, self.act = steps, act

    def advance(self, steps: int) -> None:
        before, self.steps = self.steps, self.steps - steps
        if before > 0 >= self.steps:
            self.act()


def sentences(count: int) -> list[str]:
    """All different, and of very different lengths."""
    return [f"{number} " + "the doctor finished the shift " * (1 + number % 7) for number in range(count)]
