"""Where models run."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mtprobe.errors import ModelError


@dataclass(frozen=True, slots=True)
class Device:
    """`auto` uses CUDA where it works, `cuda` requires it."""

    name: str  # auto, cpu or cuda
    index: int = 0
    because: str = "CUDA was asked for"  # how an error about missing CUDA begins,
    instead: str = "`device=auto` uses what is available"  # and how it ends
    bind: bool = False  # on the CPU: bind states as on CUDA; no faster there, but it tests the code path


def parse_device(text: str) -> Device:
    """`auto`, `cpu`, `cuda` or `cuda:N`; anything else is a `ModelError`."""
    match = re.fullmatch(r"(auto|cpu|cuda)|cuda:(\d+)", text)
    if not match:
        raise ModelError(f'unknown device "{text}"; choose auto, cpu, cuda or cuda:N')
    return Device(match[1] or "cuda", int(match[2] or 0))
