"""The runtime that computed a row, if recorded, and runtimes that are known to compute wrongly.

A row names its runtime with version and device (`onnxruntime-gpu 1.31.1 CPUExecutionProvider`). It is not part of the
key: another version gives the same numbers, up to rounding, so an upgrade keeps every row.
"""

from __future__ import annotations

import re
from functools import lru_cache

UNRECORDED = ""  # rows of earlier versions of mtprobe, and of models that do not name a runtime

# ONNX Runtime 1.20 misreads the padding mask of cross-attention: most scores of shorter sentences in a batch are wrong.
_WRONG = re.compile(r"\bonnxruntime(?:-[a-z]+)* 1\.20(?![0-9])")


@lru_cache(maxsize=64)
def computes_wrongly(runtime: str) -> bool:
    """Rows of such a runtime are computed again."""
    return _WRONG.search(runtime) is not None
