"""Whether this machine multiplies bytes without losing any of it."""

from __future__ import annotations

from functools import cache

import numpy as np

from mtprobe.errors import ModelError
from mtprobe.nets.builder import FLOAT, GraphBuilder
from mtprobe.nets.device import Device
from mtprobe.nets.linear import LARGEST, Quantised, multiply
from mtprobe.nets.session import Session

SIZE = 64


@cache
def check_products() -> None:
    """A `ModelError` where int8 would give wrong numbers.

    Processors without VNNI add up pairs of products in 16 bits, which the largest do not fit. The runtime is told
    to do it otherwise there; whether it does is asked here, with the largest there are.
    """
    graph = GraphBuilder("largest")
    x = graph.input("x", FLOAT, ["rows", SIZE])
    matrix = Quantised(np.full((SIZE, SIZE), LARGEST, np.int8), np.ones(SIZE, np.float32))
    graph.output(multiply(graph, x, matrix), "y", FLOAT, ["rows", SIZE])
    session = Session(graph.build(), Device("cpu"), threads=1)
    for rows in (1, 2, SIZE):
        (found,) = session.run(["y"], {"x": np.full((rows, SIZE), LARGEST, np.float32)})
        if not (found == LARGEST * LARGEST * SIZE).all():
            raise ModelError(
                "int8 would give wrong numbers on this processor: sums of products overflow, which ONNX Runtime "
                "avoids elsewhere; take --mt-dtype=fp32"
            )
