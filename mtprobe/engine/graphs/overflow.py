"""How bytes are multiplied on this machine without losing anything.

Processors without VNNI add up pairs of products in 16 bits, which the largest do not fit. The runtime has a way around
that; it is several times slower, and the runtime would take it on any processor, so it is asked for only where the
largest products there are come out wrong.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from mtprobe.engine.graphs.graph import Graph, SavedGraph
from mtprobe.errors import ModelError

OPERATOR = b"MatMulIntegerToFloat"
CAREFULLY = ("session.x64quantprecision", "1")
SIZE = 64


def multiplies_bytes(graph: Graph | SavedGraph) -> bool:
    try:
        return OPERATOR in (graph.serialized if isinstance(graph, Graph) else graph.path.read_bytes())
    except OSError:
        return False  # the runtime will say what is wrong with the file


@cache
def needs_care() -> bool:
    """Whether the way around must be taken; a `ModelError` where that does not help either."""
    for careful in (False, True):
        if largest_products_are_exact(careful):
            return careful
    raise ModelError(
        "int8 would give wrong numbers on this processor: sums of products overflow, which ONNX Runtime "
        "avoids elsewhere; take --mt-dtype=fp32"
    )


def largest_products_are_exact(careful: bool) -> bool:
    from mtprobe.engine.graphs.linear import LARGEST, Quantised

    matrix = Quantised(np.full((SIZE, SIZE), LARGEST, np.int8), np.ones(SIZE, np.float32))
    for rows in (1, 2, SIZE):  # few rows may take another way
        found = products(np.full((rows, SIZE), LARGEST, np.float32), matrix, careful)
        if not (found == LARGEST * LARGEST * SIZE).all():
            return False
    return True


def products(x: Any, matrix: Any, careful: bool) -> Any:
    """x by a `Quantised` matrix, in one way or the other."""
    import onnxruntime

    from mtprobe.engine.graphs.builder import FLOAT, GraphBuilder
    from mtprobe.engine.graphs.linear import multiply

    graph = GraphBuilder("products")
    made = multiply(graph, graph.input("x", FLOAT, ["rows", matrix.integers.shape[1]]), matrix)
    graph.output(made, "y", FLOAT, ["rows", len(matrix.integers)])
    built, options = graph.build(), onnxruntime.SessionOptions()
    if careful:
        options.add_session_config_entry(*CAREFULLY)
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(weight) for weight in built.weights.values()]
    options.add_external_initializers(list(built.weights), values)
    session = onnxruntime.InferenceSession(built.serialized, options, providers=["CPUExecutionProvider"])
    return session.run(["y"], {"x": x})[0]
