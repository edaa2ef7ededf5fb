"""A thin hand for writing ONNX graphs: nodes by calling, weights by value, names by themselves."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from onnx import TensorProto, helper, numpy_helper

from mtprobe.backends.dtype import Dtype
from mtprobe.engine.graphs.graph import Graph
from mtprobe.errors import ModelError

OPSET = 18
IR_VERSION = 10  # what runtimes of the last two years read
CONTRIB = "com.microsoft"
FLOAT, FLOAT16, INT32, INT64 = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.INT32, TensorProto.INT64
Made = TypeVar("Made")

INLINE_BYTES = 1024  # shapes, axes and single numbers: the optimizer wants to see them


class GraphBuilder:
    """Collects nodes and weights, and writes them as one model. Values are known by their names.

    `floating` is the type of what goes from layer to layer: half precision in fp16, single precision else.
    """

    def __init__(self, name: str, dtype: Dtype = "fp32") -> None:
        self.name, self.dtype = name, dtype
        self.floating = FLOAT16 if dtype == "fp16" else FLOAT
        self._nodes: list[Any] = []
        self._initializers: list[Any] = []
        self._weights: dict[str, npt.NDArray[Any]] = {}
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []
        self._count = 0
        self._made: dict[Hashable, Any] = {}

    def input(self, name: str, kind: int, shape: Sequence[int | str]) -> str:
        self._inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def output(self, value: str, name: str, kind: int, shape: Sequence[int | str]) -> None:
        self._nodes.append(helper.make_node("Identity", [value], [name]))
        self._outputs.append(helper.make_tensor_value_info(name, kind, shape))

    def weight(self, values: npt.ArrayLike, kind: type[np.generic] | None = None) -> str:
        """A constant, of the kind that layers compute in where none is given."""
        name, array = self._fresh("weight"), self.array(values, kind)
        if array.nbytes <= INLINE_BYTES:
            self._initializers.append(numpy_helper.from_array(array.reshape(np.shape(values)), name))
            return name
        outside = TensorProto(
            name=name,
            dims=array.shape,
            data_type=helper.np_dtype_to_tensor_dtype(array.dtype),
            data_location=TensorProto.EXTERNAL,
        )
        outside.external_data.add(key="location", value="memory")
        self._initializers.append(outside)
        self._weights[name] = array
        return name

    def array(self, values: npt.ArrayLike, kind: type[np.generic] | None = None) -> npt.NDArray[Any]:
        """The values as a weight has them, copied only where they have to be."""
        if kind is not None or self.floating == FLOAT:
            return np.ascontiguousarray(values, kind or np.float32)
        with np.errstate(over="ignore"):
            halves = np.ascontiguousarray(values, np.float16)
        if not np.isfinite(halves).all():
            raise ModelError("a weight is too large for fp16; take fp32")
        return halves

    def single(self, value: str) -> str:
        """The value in single precision, whatever layers compute in."""
        return value if self.floating == FLOAT else self("Cast", value, to=FLOAT)

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What `make` adds to the graph; asked for again, the same."""
        if key not in self._made:
            self._made[key] = make()
        made: Made = self._made[key]
        return made

    def numbers(self, *values: int) -> str:
        """A list of integers: a shape, axes, the parts of a split."""
        return self.weight(values, np.int64)

    def split(self, value: str, parts: int, axis: int) -> list[str]:
        return self.several("Split", parts, value, axis=axis, num_outputs=parts)

    def scan(self, body: Any, states: Sequence[str], sequences: Sequence[str]) -> str:
        """Runs `body` along the first axis of `sequences`; gives what it puts out at each step."""
        last = [self._fresh("Scan") for _ in states]
        steps = self._fresh("Scan")
        self._nodes.append(
            helper.make_node(
                "Scan", [*states, *sequences], [*last, steps], body=body, num_scan_inputs=len(sequences)
            )
        )
        return steps

    def __call__(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Adds a node with one output and gives its name."""
        name = self._fresh(operator)
        self._nodes.append(helper.make_node(operator, inputs, [name], domain=domain, **attributes))
        return name

    def several(
        self, operator: str, outputs: int, *inputs: str, domain: str = "", **attributes: Any
    ) -> list[str]:
        """Adds a node with some outputs and gives their names."""
        names = [self._fresh(operator) for _ in range(outputs)]
        self._nodes.append(helper.make_node(operator, inputs, names, domain=domain, **attributes))
        return names

    def build(self) -> Graph:
        graph = helper.make_graph(self._nodes, self.name, self._inputs, self._outputs, self._initializers)
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIB, 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)
        return Graph(model.SerializeToString(), self._weights)

    def _fresh(self, stem: str) -> str:
        self._count += 1
        return f"{stem}_{self._count}"
