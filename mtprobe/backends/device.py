"""Where models run."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mtprobe.errors import ModelError


@dataclass(frozen=True, slots=True)
class Device:
    """`auto` takes CUDA where it works, `cuda` insists on it."""

    name: str  # auto, cpu or cuda
    index: int = 0
    because: str = "CUDA was asked for"  # an error for want of CUDA begins with it,
    instead: str = "--mt-device=auto runs on what there is"  # and ends with it
    bind: bool = False  # on the CPU: keep states as on CUDA. It gains nothing there, but shows that it works


def parse_device(text: str) -> Device:
    """`auto`, `cpu`, `cuda` or `cuda:N`; anything else is a `ModelError`."""
    match = re.fullmatch(r"(auto|cpu|cuda)|cuda:(\d+)", text)
    if not match:
        raise ModelError(f'unknown device "{text}"; there is auto, cpu, cuda and cuda:N')
    return Device(match[1] or "cuda", int(match[2] or 0))
