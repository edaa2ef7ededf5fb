"""External programs, as `cmd:` and eflomal run them: none is left running when a run is stopped."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

_RUNNING: set[subprocess.Popen[bytes]] = set()


def run_program(words: Sequence[str | Path], given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Runs a program to its end, without a shell; `given` is its standard input.

    It gets a process group of its own, so that its own child processes end with it.
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
    try:
        output, errors = process.communicate(given)
    except BaseException:
        _kill(process)
        process.wait()
        raise
    finally:
        _RUNNING.discard(process)
    return subprocess.CompletedProcess(words, process.returncode, output, errors)


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
