"""Whether int8 products overflow on this processor.

Processors without VNNI add pairs of products in 16 bits, which overflow for the largest values. The runtime has a
workaround that is several times slower on every processor, so it is enabled only where the largest products come
out wrong.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from mtprobe.engine.graphs.definition import Graph, SavedGraph
from mtprobe.errors import ModelError

OPERATOR = b"MatMulIntegerToFloat"
WORKAROUND = ("session.x64quantprecision", "1")
SIZE = 64


def multiplies_int8(graph: Graph | SavedGraph) -> bool:
    try:
        return OPERATOR in (graph.serialized if isinstance(graph, Graph) else graph.path.read_bytes())
    except OSError:
        return False  # the runtime will report what is wrong with the file


@cache
def needs_workaround() -> bool:
    """Whether to enable the workaround; raises `ModelError` if it does not help."""
    for workaround in (False, True):
        if largest_products_are_exact(workaround):
            return workaround
    raise ModelError(
        "int8 would give wrong numbers on this processor: sums of products overflow, even with ONNX Runtime's "
        "workaround; use the dtype fp32"
    )


def largest_products_are_exact(workaround: bool) -> bool:
    from mtprobe.engine.graphs.linear import LARGEST, Quantised

    matrix = Quantised(np.full((SIZE, SIZE), LARGEST, np.int8), np.ones(SIZE, np.float32))
    for rows in (1, 2, SIZE):  # small batches may use another kernel
        actual = products(np.full((rows, SIZE), LARGEST, np.float32), matrix, workaround)
        if not (actual == LARGEST * LARGEST * SIZE).all():
            return False
    return True


def products(x: Any, matrix: Any, workaround: bool) -> Any:
    """x by a `Quantised` matrix, with or without the workaround."""
    import onnxruntime

    from mtprobe.engine.graphs.builder import FLOAT, GraphBuilder
    from mtprobe.engine.graphs.linear import multiply

    graph = GraphBuilder("products")
    y = multiply(graph, graph.input("x", FLOAT, ["rows", matrix.integers.shape[1]]), matrix)
    graph.output(y, "y", FLOAT, ["rows", len(matrix.integers)])
    built, options = graph.build(), onnxruntime.SessionOptions()
    if workaround:
        options.add_session_config_entry(*WORKAROUND)
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(weight) for weight in built.weights.values()]
    options.add_external_initializers(list(built.weights), values)
    session = onnxruntime.InferenceSession(built.serialized, options, providers=["CPUExecutionProvider"])
    return session.run(["y"], {"x": x})[0]
