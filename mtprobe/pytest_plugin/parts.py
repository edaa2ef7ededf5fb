"""What xdist's workers leave for their controller: each suite's part of the record, and who they are."""

from __future__ import annotations

import hashlib
import os
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mtprobe.records import FailedSuite, SuiteRun, read_part, write_failed, write_suite

_WAIT = 1.0  # seconds for workers to write what they have


@dataclass(frozen=True, slots=True)
class Parts:
    """A folder; every file in it is there whole or not at all, whenever a worker dies."""

    folder: Path

    def keep(self, key: tuple[str, str], done: Sequence[SuiteRun | FailedSuite]) -> None:
        """A suite on a model, in the place of what was kept of it before."""
        name = hashlib.sha256("\0".join(key).encode()).hexdigest()[:16]
        path = self.folder / f"{name}.jsonl"
        unfinished = path.with_suffix(f".{os.getpid()}")
        try:
            with unfinished.open("w", encoding="utf-8") as stream:
                for one in done:
                    if isinstance(one, SuiteRun):
                        write_suite(stream, one)
                    else:
                        write_failed(stream, one)
            unfinished.replace(path)
        except OSError:
            path.unlink(missing_ok=True)  # what it says is not true any more
            raise

    def read(self) -> tuple[list[SuiteRun], list[FailedSuite]]:
        suites: list[SuiteRun] = []
        failed: list[FailedSuite] = []
        for path in self.folder.glob("*.jsonl"):
            some, others = read_part(path)
            suites += some
            failed += others
        return suites, failed

    def first_to_say(self, text: str) -> bool:
        """Whether no other worker has said the same before."""
        name = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        try:
            (self.folder / f"{name}.said").touch(exist_ok=False)
        except FileExistsError:
            return False
        except OSError:  # better twice than never
            return True
        return True

    # -- the workers --

    def sign_in(self, worker: str) -> None:
        with suppress(OSError):
            unfinished = self.folder / f"{worker}.{os.getpid()}"
            unfinished.write_text(str(os.getpid()))
            unfinished.replace(self.folder / f"{worker}.worker")

    def sign_out(self, worker: str) -> None:
        """A worker has kept all that it had, or is dead."""
        with suppress(OSError):
            (self.folder / f"{worker}.worker").unlink(missing_ok=True)

    def stop_workers(self) -> list[int]:
        """Tells those that are left to stop, and waits for what they keep; gives their processes."""
        told = self._left()
        for worker in told:
            _send(worker, signal.SIGTERM)
        until = time.monotonic() + _WAIT
        while self._left() and time.monotonic() < until:
            time.sleep(0.02)
        return told

    def _left(self) -> list[int]:
        found = []
        for path in self.folder.glob("*.worker"):
            with suppress(OSError):  # it has signed out meanwhile
                found.append(int(path.read_text()))
        return found


def end_workers(workers: Sequence[int]) -> None:
    """Those that have not ended by themselves: xdist would wait for them."""
    if os.name == "posix":
        for worker in workers:
            _send(worker, signal.SIGKILL)


def _send(worker: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(worker, number)
