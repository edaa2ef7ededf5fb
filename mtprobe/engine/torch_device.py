"""Where torch runs a model."""

from __future__ import annotations

from mtprobe.backends.device import Device


def torch_place(asked: Device) -> str:
    """As torch names it; CUDA that was asked for by name and is not there is torch's own error."""
    import torch

    if asked.name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    return f"cuda:{asked.index}" if asked.name == "cuda" else "cpu"
