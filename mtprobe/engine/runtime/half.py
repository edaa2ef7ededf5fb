"""What half precision asks of those who run a network."""

from __future__ import annotations

import numpy as np

from mtprobe.backends.dtype import Dtype
from mtprobe.engine.runtime.interface import Floats
from mtprobe.errors import ModelError


def state_kind(dtype: Dtype) -> type[np.floating]:
    """The kind of numbers that go from run to run."""
    return np.float16 if dtype == "fp16" else np.float32


def refuse_overflow(logprobs: Floats, dtype: Dtype) -> Floats:
    """Sums that were too large for half precision have become infinite, and what came of them is no number."""
    if dtype == "fp16" and np.isnan(logprobs).any():
        raise ModelError("fp16 does not reach far enough for this model: sums overflow; take --mt-dtype=fp32")
    return logprobs
