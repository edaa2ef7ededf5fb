"""Real servers of a language model on loopback, in processes of their own.

`MTPROBE_SERVERS` names a Python that has llama-cpp-python and xllamacpp (extra `servers`); without it, tests skip.
"""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import pytest

NAME = "smollm2"
_CONTEXT = 1024  # tokens; llama-cpp-python keeps the scores of as many, for the whole vocabulary
_PATIENCE = 120.0  # seconds
_XLLAMACPP = """
import sys, threading
import xllamacpp
given = xllamacpp.CommonParams()
given.model.path, given.n_ctx, given.n_parallel = sys.argv[1], int(sys.argv[3]), 1
given.cpuparams.n_threads = given.cpuparams_batch.n_threads = 1
given.hostnames, given.port = ["127.0.0.1"], int(sys.argv[2])
server = xllamacpp.Server(given)
threading.Event().wait()
"""


def python() -> str:
    named = os.environ.get("MTPROBE_SERVERS")
    if not named:
        pytest.skip("MTPROBE_SERVERS does not name a Python that has llama-cpp-python and xllamacpp")
    return named


@contextmanager
def llama_cpp_python(weights: Path) -> Iterator[str]:
    """Its address. It gives log-probabilities of a prompt."""
    port = _free_port()
    module = [python(), "-m", "llama_cpp.server", "--model", str(weights), "--model_alias", NAME]
    options = ["--host", "127.0.0.1", "--port", str(port), "--n_ctx", str(_CONTEXT), "--verbose", "False"]
    options += [
        "--n_threads",
        "1",
        "--n_threads_batch",
        "1",
    ]  # several would wait for each other on a busy machine
    with _running([*module, *options], port) as address:
        yield address


@contextmanager
def xllamacpp(weights: Path) -> Iterator[str]:
    """Its address. It is llama.cpp's own server, which gives no log-probabilities of a prompt."""
    port = _free_port()
    with _running([python(), "-c", _XLLAMACPP, str(weights), str(port), str(_CONTEXT)], port) as address:
        yield address


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@contextmanager
def _running(command: list[str], port: int) -> Iterator[str]:
    address = f"http://127.0.0.1:{port}/v1"
    with TemporaryFile() as output:  # a pipe that nobody reads would fill up, and stop the server
        server = subprocess.Popen(command, stdout=output, stderr=output)
        try:
            _wait_for(server, f"{address}/models", output)
            yield address
        finally:
            server.terminate()
            server.wait(timeout=_PATIENCE)


def _wait_for(server: subprocess.Popen[bytes], url: str, output: IO[bytes]) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        if server.poll() is not None:
            output.seek(0)
            said = output.read().decode(errors="replace")
            pytest.fail(f"the server ended with {server.returncode}:\n{said[-2000:]}", pytrace=False)
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"no server at {url} after {_PATIENCE:.0f} s", pytrace=False)
