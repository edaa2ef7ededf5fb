"""Runs external programs for `cmd:` and eflomal; none survives if a run stops, times out, or if it writes without end."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_RUNNING: set[subprocess.Popen[bytes]] = set()

_BLOCK = 65_536
_KEPT_ERRORS = 65_536  # the last bytes of standard error
_POLL_SECONDS = 0.2
_AFTER_KILL_SECONDS = 2.0  # for pipes that a process outside of its group still holds


class TooSlow(Exception):
    """The program was killed because it took longer than it may."""


class TooMuchOutput(Exception):
    """The program was killed because it wrote more than it may."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a program; None: no limit."""

    seconds: float | None = None
    output: int | None = None  # bytes of standard output


def run_program(
    words: Sequence[str | Path],
    given: bytes = b"",
    limits: Limits = Limits(),
) -> subprocess.CompletedProcess[bytes]:
    """Runs a program to its end, without a shell; `given` is its standard input.

    It gets a process group of its own, so that its own child processes end with it. Of standard error the end is kept.
    """
    group = 0 if os.name == "posix" else None
    process = subprocess.Popen(  # noqa: S603 - no shell
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        process_group=group,
    )
    _RUNNING.add(process)
    pipes = _Pipes(process, given, limits.output)
    try:
        pipes.wait(limits.seconds)
    except BaseException:
        _kill(process)
        process.wait()
        raise
    finally:
        pipes.close()
        _RUNNING.discard(process)
    return subprocess.CompletedProcess(words, process.returncode, bytes(pipes.output), bytes(pipes.errors))


def stop_programs() -> None:
    """Kills all running programs with their child processes; may be called from any thread."""
    for process in tuple(_RUNNING):
        _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


class _Pipes:
    """Writes and reads a program's pipes, each on a thread of its own, as one that is full would block the others."""

    def __init__(self, process: subprocess.Popen[bytes], given: bytes, limit: int | None) -> None:
        if process.stdin is None or process.stdout is None or process.stderr is None:
            raise ValueError("a program needs its three pipes")
        self.output, self.errors = bytearray(), bytearray()
        self._process, self._limit = process, limit
        self._full = threading.Event()
        self._threads = [
            threading.Thread(target=work, args=arguments, name="mtprobe-program", daemon=True)
            for work, arguments in (
                (_write, (process.stdin, given)),
                (self._read_output, (process.stdout,)),
                (self._read_errors, (process.stderr,)),
            )
        ]
        for thread in self._threads:
            thread.start()

    def wait(self, seconds: float | None) -> None:
        """Until the program has ended and closed its output; raises `TooSlow` or `TooMuchOutput`."""
        deadline = None if seconds is None else time.monotonic() + seconds
        while any(thread.is_alive() for thread in self._threads) or self._process.poll() is None:
            if self._full.is_set():
                raise TooMuchOutput
            if deadline is not None and time.monotonic() > deadline:
                raise TooSlow
            self._wait_a_moment(deadline)
        if self._full.is_set():
            raise TooMuchOutput

    def _wait_a_moment(self, deadline: float | None) -> None:
        """Until a thread ends, at most for a moment, so that an interruption is seen."""
        moment = (
            _POLL_SECONDS if deadline is None else min(_POLL_SECONDS, max(0.0, deadline - time.monotonic()))
        )
        alive = next((thread for thread in self._threads if thread.is_alive()), None)
        if alive is not None:
            alive.join(moment)
        else:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(moment)

    def close(self) -> None:
        deadline = time.monotonic() + _AFTER_KILL_SECONDS
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        if not any(thread.is_alive() for thread in self._threads):
            for pipe in (self._process.stdout, self._process.stderr):
                if pipe is not None:
                    pipe.close()

    def _read_output(self, stream: IO[bytes]) -> None:
        while block := os.read(stream.fileno(), _BLOCK):
            self.output += block
            if self._limit is not None and len(self.output) > self._limit:
                self._full.set()
                return

    def _read_errors(self, stream: IO[bytes]) -> None:
        while block := os.read(stream.fileno(), _BLOCK):
            self.errors += block
            del self.errors[:-_KEPT_ERRORS]


def _write(stream: IO[bytes], given: bytes) -> None:
    """A program may end without reading everything."""
    with suppress(OSError, ValueError):
        stream.write(given)
    with suppress(OSError, ValueError):
        stream.close()
