"""The device on which torch runs a model."""

from __future__ import annotations

from mtprobe.backends.device import Device


def torch_device(requested: Device) -> str:
    """The device in torch's notation; torch itself raises an error if CUDA was requested but is missing."""
    import torch

    if requested.name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    return f"cuda:{requested.index}" if requested.name == "cuda" else "cpu"
