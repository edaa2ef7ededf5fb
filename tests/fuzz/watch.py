"""Watches cases that run one after another in a process of their own: an error that is not ours, more than 3 s of
processor time, more than 1 GB, a crash or a hang is a failure, and the files of that case are kept.

    python -m tests.fuzz.watch suites 0 100000        # cases 0 to 99999
    python -m tests.fuzz.watch models 4711            # one of them again
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import select
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from tests.conftest import ROOT

SECONDS = 3.0  # of processor time
MEGABYTES = 1_000
WALL_SECONDS = 120.0  # nothing is heard of a case that hangs; busy machines need some patience
KEPT = ROOT / ".mtprobe" / "fuzz"

# Each module has `prepare(folder)`, which makes what the cases share, and `run_case(number, folder, shared)`, which
# returns the outcome of a case in a word and raises an exception for one that it does not allow.
KINDS = {
    "suites": "tests.fuzz.walk",
    "records": "tests.fuzz.damaged_records",
    "models": "tests.fuzz.model_folders",
}


@dataclass
class Watched:
    """What came of the cases."""

    outcomes: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, int] = (0.0, -1)  # seconds, case
    largest: tuple[float, int] = (0.0, -1)  # megabytes, case
    failures: dict[int, str] = field(default_factory=dict)

    def add(self, said: dict[str, Any]) -> None:
        number, problem = said["case"], said.get("problem")
        self.slowest = max(self.slowest, (said["seconds"], number))
        self.largest = max(self.largest, (said["megabytes"], number))
        if problem is None and said["seconds"] > SECONDS:
            problem = f"{said['seconds']:.1f} s of processor time"
        if problem is None and said["megabytes"] > MEGABYTES:
            problem = f"{said['megabytes']:.0f} MB"
        if problem is not None:
            self.failures[number] = problem
        self.outcomes[said["outcome"] if problem is None else "failure"] += 1

    def __str__(self) -> str:
        outcomes = ", ".join(f"{count:,} {name}" for name, count in sorted(self.outcomes.items()))
        return (
            f"{self.outcomes.total():,} cases: {outcomes}; the slowest took {self.slowest[0]:.2f} s (case "
            f"{self.slowest[1]}), the largest {self.largest[0]:.0f} MB (case {self.largest[1]})"
        )

    def report(self) -> str:
        told = [f"case {number}: {problem}" for number, problem in sorted(self.failures.items())[:10]]
        return "\n\n".join([str(self), *told])


def watch(kind: str, cases: Sequence[int], folder: Path, shared: Path | None = None) -> Watched:
    """Runs the cases. A process that dies or hangs is replaced, and the case that it was at is a failure."""
    watched = Watched()
    if shared is None:
        shared = folder / "shared"
        shared.mkdir(parents=True)
        _run_here(kind, "prepare", shared)
    waiting = list(cases)
    while waiting:
        waiting = _watch_process(kind, waiting, folder, shared, watched)
    return watched


def _run_here(kind: str, what: str, folder: Path) -> None:
    """In a process of its own, so that the libraries that it needs are not loaded into this one."""
    code = f"import importlib, pathlib, sys; importlib.import_module({KINDS[kind]!r}).{what}(pathlib.Path(sys.argv[1]))"
    subprocess.run([sys.executable, "-c", code, str(folder)], cwd=ROOT, check=True)


def _watch_process(kind: str, cases: list[int], folder: Path, shared: Path, watched: Watched) -> list[int]:
    """Runs cases until the process ends; returns those that are left."""
    log = folder / "worker.log"
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.watch", "--work", kind, str(folder), str(shared)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            process_group=0,
        )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        started = _answer(process.stdout)
        if started is None or "problem" in started:
            raise RuntimeError(f"no case can be run: {started}\n{log.read_text(errors='replace')[-3000:]}")
        for at, number in enumerate(cases):
            process.stdin.write(f"{number}\n".encode())
            process.stdin.flush()
            said = _answer(process.stdout)
            if said is None:
                silent = process.poll() is None
                process.kill()
                ended = f"silent for {WALL_SECONDS:.0f} s" if silent else f"ended with {process.wait()}"
                problem = f"{ended}\n{log.read_text(errors='replace')[-3000:]}"
                _keep(kind, number, folder)
                watched.add({"case": number, "problem": problem, "seconds": 0.0, "megabytes": 0.0})
                return cases[at + 1 :]
            watched.add(said)
    finally:
        process.stdin.close()
        process.wait()
    return []


def _answer(stream: IO[bytes]) -> dict[str, Any] | None:
    """What a process says next; None if it has ended, or says nothing."""
    ready, _, _ = select.select([stream], [], [], WALL_SECONDS)
    line = stream.readline() if ready else b""
    return json.loads(line) if line.endswith(b"\n") else None


def _keep(kind: str, number: int, folder: Path) -> Path:
    kept = KEPT / f"{kind}-{number}"
    shutil.rmtree(kept, ignore_errors=True)
    kept.parent.mkdir(parents=True, exist_ok=True)
    (folder / str(number)).rename(kept) if (folder / str(number)).is_dir() else kept.mkdir()
    return kept


def _work(kind: str, folder: Path, shared: Path) -> None:
    """The other process: reads the numbers of cases, and writes a line about each."""
    module = importlib.import_module(KINDS[kind])
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # whatever libraries print
    warmed = _measured(module.run_case, -1, folder, shared)  # loads the libraries
    shutil.rmtree(folder / "-1")
    out.write(json.dumps(warmed) + "\n")
    limit = int(_status("VmData")) * 1024 + 2 * MEGABYTES * 1_000_000
    resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.RLIM_INFINITY))
    for line in sys.stdin:
        said = _measured(module.run_case, int(line), folder, shared)
        if "problem" in said or said["seconds"] > SECONDS or said["megabytes"] > MEGABYTES:
            _keep(kind, int(line), folder)
        else:
            shutil.rmtree(folder / line.strip(), ignore_errors=True)
        out.write(json.dumps(said) + "\n")


def _measured(
    run_case: Callable[[int, Path, Path], str], number: int, folder: Path, shared: Path
) -> dict[str, Any]:
    own = folder / str(number)
    own.mkdir(parents=True)
    before, started = _reset_peak(), time.process_time()
    said: dict[str, Any] = {"case": number}
    try:
        said["outcome"] = run_case(number, own, shared)
    except BaseException:
        said["problem"] = traceback.format_exc()[-3000:]
    said["seconds"] = time.process_time() - started
    said["megabytes"] = (_status("VmHWM") - before) / 1_000
    return said


def _reset_peak() -> float:
    """The memory in use, from which the peak starts again."""
    Path("/proc/self/clear_refs").write_text("5")
    return _status("VmRSS")


def _status(name: str) -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return float(line.split()[1])
    raise KeyError(name)


def main(arguments: Sequence[str]) -> int:
    if arguments[0] == "--work":
        _work(arguments[1], Path(arguments[2]), Path(arguments[3]))
        return 0
    kind, first = arguments[0], int(arguments[1])
    cases = range(first, int(arguments[2]) if len(arguments) > 2 else first + 1)
    shared = Path(arguments[3]) if len(arguments) > 3 else None
    with tempfile.TemporaryDirectory() as folder:
        watched = watch(kind, cases, Path(folder), shared)
    print(watched.report())  # noqa: T201
    return 1 if watched.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
