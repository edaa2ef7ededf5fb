"""Passed self-tests, remembered as small files in the cache, one per test.

Without a cache, or where it cannot be read or written, tests are repeated.
"""

from __future__ import annotations

import hashlib
import platform
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mtprobe.engine.converted.cache import UNUSED_SECONDS, cache_folder, code_digest
from mtprobe.engine.runtime.cuda import CUDA
from mtprobe.system.atomic import write_text

FOLDER = "selftests"  # beside the converted models
_PROCESSOR = re.compile(r"^(?:model name|cpu model|CPU part)\s*:\s*(.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Passed:
    """A test: all that its outcome depends on."""

    model: str  # fingerprint, which includes the number format
    runtime: str  # with version and execution provider
    device: int  # the index of the GPU
    work: str  # what was tested

    def is_remembered(self) -> bool:
        path = self._path()
        try:
            return path is not None and path.read_text(encoding="utf-8") == self._text()
        except (OSError, UnicodeError):
            return False

    def remember(self) -> None:
        path = self._path()
        if path is None:
            return
        with suppress(OSError):
            write_text(path, self._text())
            _forget_old(path.parent)

    def _text(self) -> str:
        device = f"{self.device} {gpus()}" if CUDA in self.runtime else processor()
        return "\n".join([self.model, self.runtime, device, self.work, code_digest(), ""])

    def _path(self) -> Path | None:
        folder = cache_folder()
        if folder is None:
            return None
        return folder.with_name(FOLDER) / hashlib.sha256(self._text().encode()).hexdigest()[:32]


def _forget_old(folder: Path) -> None:
    """Tests of models or runtimes that are gone; others are simply repeated."""
    for path in folder.iterdir():
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > UNUSED_SECONDS:
                path.unlink()


@cache
def processor() -> str:
    """Which processor it is: machines may share a cache, and a runtime has kernels for each kind."""
    with suppress(OSError), Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as stream:
        match = _PROCESSOR.search(stream.read(4096))
        return match[1] if match else platform.machine()
    return f"{platform.machine()} {platform.processor()}"


@cache
def gpus() -> str:
    """The models of the GPUs, as far as the driver names them."""
    names = []
    with suppress(OSError):
        for path in sorted(Path("/proc/driver/nvidia/gpus").glob("*/information")):
            names.append(path.read_text(encoding="utf-8", errors="replace").partition("\n")[0])
    return "; ".join(names)
