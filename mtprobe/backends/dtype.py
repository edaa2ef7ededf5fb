"""The number formats that a network may compute in, and the devices that support them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from mtprobe.errors import ModelError

if TYPE_CHECKING:
    from mtprobe.backends.device import Device

Dtype: TypeAlias = Literal["fp32", "fp16", "int8"]
DTYPES: tuple[Dtype, ...] = get_args(Dtype)


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
