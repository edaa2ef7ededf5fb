"""Half precision at runtime: the type of states, and overflow."""

from __future__ import annotations

import numpy as np

from mtprobe.backends.device import Dtype
from mtprobe.engine.runtime.interface import Floats
from mtprobe.errors import ModelError


def state_dtype(dtype: Dtype) -> type[np.floating]:
    """The type of arrays that are passed from run to run."""
    return np.float16 if dtype == "fp16" else np.float32


def refuse_overflow(logprobs: Floats, dtype: Dtype) -> Floats:
    """Raises `ModelError` if sums have overflowed, which makes log-probabilities NaN."""
    if dtype == "fp16" and np.isnan(logprobs).any():
        raise ModelError("the range of fp16 is too small for this model: sums overflow; use the dtype fp32")
    return logprobs
