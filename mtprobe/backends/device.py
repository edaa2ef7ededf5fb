"""Devices and number formats."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from mtprobe.errors import ModelError

Dtype: TypeAlias = Literal["fp32", "fp16", "int8"]
"""The number format of a model."""
DTYPES: tuple[Dtype, ...] = get_args(Dtype)


@dataclass(frozen=True, slots=True)
class Device:
    """A device; `auto` uses CUDA if it works, `cuda` requires it."""

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


def parse_dtype(text: str) -> Dtype:
    """`fp32`, `fp16` or `int8`; anything else is a `ModelError`."""
    for dtype in DTYPES:
        if text == dtype:
            return dtype
    raise ModelError(f'unknown number format "{text}"; choose fp32, fp16 or int8')


def device_for(dtype: Dtype, device: Device) -> Device:
    """Narrows the device to one that supports the format; a contradiction is a `ModelError`."""
    if dtype == "fp16":
        if device.name == "cpu":
            raise ModelError(
                "fp16 runs on CUDA only: on the CPU it would be slower than fp32 and no more exact; "
                "use `dtype=fp32`, or int8 for speed"
            )
        if device.name == "auto":
            return replace(
                device,
                name="cuda",
                because="fp16 runs on CUDA only",
                instead="`dtype=fp32` uses what is available",
            )
    if dtype == "int8":
        if device.name == "cuda":
            raise ModelError("int8 runs on the CPU only; on CUDA use `dtype=fp16` for speed")
        return replace(device, name="cpu")
    return device
