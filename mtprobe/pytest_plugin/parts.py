"""What xdist's workers leave on disk for their controller: each suite's part of the record, what they collected, and
their process ids."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from pathlib import Path

from mtprobe.pytest_plugin.collected import Ids, SuiteOnModel
from mtprobe.pytest_plugin.interrupts import stop_processes
from mtprobe.records import FailedSuite, SuiteRun, Unselected, read_part, write_failed, write_suite
from mtprobe.system.atomic import replacing

_IDS = "ids.json"
_MISTAKE = "mistake.txt"
_WAIT_SECONDS = 1.0  # for workers to write what they have


@dataclass(frozen=True, slots=True)
class Parts:
    """A folder. Every file in it is complete or not there, whenever a worker dies."""

    folder: Path

    def keep(self, key: tuple[str, ...], done: Sequence[SuiteRun | FailedSuite]) -> None:
        """Writes the results of a suite on a model, and replaces earlier ones."""
        path = self.folder / f"{_digest(chr(0).join(key))}.jsonl"
        try:
            with replacing(path) as unfinished, unfinished.open("w", encoding="utf-8") as stream:
                for suite in done:
                    if isinstance(suite, SuiteRun):
                        write_suite(stream, suite)
                    else:
                        write_failed(stream, suite)
        except OSError:
            path.unlink(missing_ok=True)  # it is out of date
            raise

    def read(self) -> tuple[list[SuiteRun], list[FailedSuite]]:
        suites: list[SuiteRun] = []
        failures: list[FailedSuite] = []
        for path in self.folder.glob("*.jsonl"):
            finished, failed = read_part(path)
            suites += finished
            failures += failed
        return suites, failures

    def keep_ids(self, ids: Ids) -> None:
        """Every worker collects the same."""
        with suppress(OSError), replacing(self.folder / _IDS) as unfinished:
            unselected = [astuple(suite) for suite in ids.unselected]
            kept = {"suites": ids.suites, "skipped": sorted(ids.skipped), "unselected": unselected}
            unfinished.write_text(json.dumps(kept))

    def read_ids(self) -> Ids:
        """The ids that a worker left, or nothing."""
        try:
            kept = json.loads((self.folder / _IDS).read_text())
        except (OSError, ValueError):
            return Ids()
        suites = {parent: SuiteOnModel(*suite) for parent, suite in kept["suites"].items()}
        unselected = tuple(Unselected(*suite) for suite in kept["unselected"])
        return Ids(suites, frozenset(kept["skipped"]), unselected)

    def keep_mistake(self, text: str) -> None:
        """Why a worker runs nothing; every worker finds the same."""
        with suppress(OSError), replacing(self.folder / _MISTAKE) as unfinished:
            unfinished.write_text(text, encoding="utf-8")

    def read_mistake(self) -> str:
        try:
            return (self.folder / _MISTAKE).read_text(encoding="utf-8")
        except OSError:
            return ""

    def first_to_say(self, text: str) -> bool:
        """Whether no other worker has said the same before."""
        try:
            (self.folder / f"{_digest(text)}.said").touch(exist_ok=False)
        except FileExistsError:
            return False
        except OSError:  # better twice than never
            return True
        return True

    # -- the workers --

    def sign_in(self, worker: str) -> None:
        with suppress(OSError), replacing(self.folder / f"{worker}.worker") as unfinished:
            unfinished.write_text(str(os.getpid()))

    def sign_out(self, worker: str) -> None:
        """A worker has written all that it had, or is dead."""
        with suppress(OSError):
            (self.folder / f"{worker}.worker").unlink(missing_ok=True)

    def stop_workers(self) -> list[int]:
        """Asks those that are left to stop, and waits for what they write; returns their process ids."""
        workers = self._signed_in()
        stop_processes(workers)
        deadline = time.monotonic() + _WAIT_SECONDS
        while self._signed_in() and time.monotonic() < deadline:
            time.sleep(0.02)
        return workers

    def _signed_in(self) -> list[int]:
        workers = []
        for path in self.folder.glob("*.worker"):
            with suppress(OSError):  # it has signed out meanwhile
                workers.append(int(path.read_text()))
        return workers


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
