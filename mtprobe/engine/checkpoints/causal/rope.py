"""Rotary positions: the rotation per position for each pair of numbers of a head."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mtprobe.engine.checkpoints.huggingface.config import Fields
from mtprobe.engine.graphs.weights import Tensor

_DEFAULT_BASE = 10_000.0
_LLAMA3 = ("factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings")


@dataclass(frozen=True, slots=True)
class Llama3Scaling:
    """Slow rotations are slowed down further, so that texts may be longer than in training."""

    factor: float
    low: float
    high: float
    original_longest: int


@dataclass(frozen=True, slots=True)
class Rope:
    base: float
    divisor: float = 1.0  # linear scaling
    llama3: Llama3Scaling | None = None

    def rates(self, head_width: int) -> Tensor:
        """[head width / 2], in radians; in single precision, as transformers computes them."""
        exponents = np.arange(0, head_width, 2).astype(np.float32) / np.float32(head_width)
        rates: Tensor = np.float32(1) / np.power(np.float32(self.base), exponents, dtype=np.float32)
        if self.llama3 is not None:
            rates = _slowed(rates, self.llama3)
        return np.asarray(rates / np.float32(self.divisor), np.float32)


def _slowed(rates: Tensor, scaling: Llama3Scaling) -> Tensor:
    wavelengths = np.float32(2 * math.pi) / rates
    slow = wavelengths > scaling.original_longest / scaling.low
    fast = wavelengths < scaling.original_longest / scaling.high
    smooth = (scaling.original_longest / wavelengths - scaling.low) / (scaling.high - scaling.low)
    between = (1 - smooth) * rates / scaling.factor + smooth * rates
    slowed: Tensor = np.where(fast, rates, np.where(slow, rates / scaling.factor, between)).astype(np.float32)
    return slowed


def read_rope(fields: Fields, content: Mapping[str, Any], longest: int) -> Rope | str:
    """The rotation that a config.json describes, or why there are no graphs for it."""
    scaling = content.get("rope_scaling") or content.get("rope_parameters") or {}
    if not isinstance(scaling, dict):
        fields.refuse("rope_scaling", "is not an object with fields")
    if any(isinstance(value, dict) for value in scaling.values()):
        return "there are no graphs for positions that are scaled by kind of layer"
    settings = {**content, **scaling}
    if original := content.get(_LLAMA3[-1]):  # as in transformers, it takes precedence here
        settings[_LLAMA3[-1]] = original

    def number(name: str, default: float | None = None) -> float:
        value = settings.get(name, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 1e12:
            fields.refuse(name, f"{value!r} is not a positive number")
        return float(value)

    kind = scaling.get("rope_type", scaling.get("type", "default"))
    if number("partial_rotary_factor", 1.0) != 1:
        return "there are no graphs for heads that are rotated in part"
    base = number("rope_theta", _DEFAULT_BASE)
    if kind == "default":
        return Rope(base)
    if kind == "linear":
        return Rope(base, divisor=number("factor"))
    if kind == "llama3":
        factor, low, high, original = (number(name, longest if "max" in name else None) for name in _LLAMA3)
        if high <= low:
            fields.refuse("high_freq_factor", f"{high:g} is not larger than low_freq_factor ({low:g})")
        return Rope(base, llama3=Llama3Scaling(factor, low, high, int(original)))
    return f'there are no graphs for the scaling of positions "{str(kind)[:40]}"'
