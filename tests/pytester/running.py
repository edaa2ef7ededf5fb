"""A run of pytest as a process of its own, which a test can interrupt and kill, and whose children it can count."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

OTHERS_OFF = (
    "-p",
    "no:hypothesispytest",
    "-p",
    "no:anyio",
)  # plugins that half of the start would be spent on
PATIENCE = 60.0  # seconds: what is waited for comes much sooner, but on a machine that is busy


class Running:
    def __init__(self, folder: Path, args: Sequence[str], before: Callable[[], object] | None = None) -> None:
        self.folder = folder
        # A session of its own: everything that it starts can be found by it.
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pytest", *OTHERS_OFF, *args],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            preexec_fn=before,
        )

    def until(self, happened: Callable[[], object]) -> None:
        wait_for(lambda: happened() or self.process.poll() is not None)
        if self.process.poll() is not None:
            raise AssertionError(f"it ended too early:\n{self.process.communicate()[0]}")

    def ctrl_c(self) -> None:
        """As a terminal does it: everybody in the foreground is told."""
        os.killpg(self.process.pid, signal.SIGINT)

    def end(self) -> tuple[str, float]:
        """What it has said, and the seconds from now to its end."""
        began = time.monotonic()
        said, _ = self.process.communicate(timeout=PATIENCE)
        return said, time.monotonic() - began

    @property
    def members(self) -> list[int]:
        """The processes that live, in its session."""
        return [process for process, session in _sessions() if session == self.process.pid]


@contextmanager
def running(folder: Path, *args: str, before: Callable[[], object] | None = None) -> Iterator[Running]:
    run = Running(folder, args, before)
    try:
        yield run
    finally:
        for process in run.members:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        run.process.wait()
        if run.process.stdout is not None:
            run.process.stdout.close()


def wait_for(happened: Callable[[], object], patience: float = PATIENCE) -> None:
    deadline = time.monotonic() + patience
    while not happened():
        if time.monotonic() > deadline:
            raise AssertionError("it never happened")
        time.sleep(0.01)


def _sessions() -> Iterator[tuple[int, int]]:
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            # pid (name) state parent group session …; a name may hold anything
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if fields[0] not in "ZX":
                yield int(folder.name), int(fields[3])
