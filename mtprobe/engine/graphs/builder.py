"""A thin layer for writing ONNX graphs: calling the builder adds a node and returns its name."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from onnx import TensorProto, helper, numpy_helper

from mtprobe.backends.device import Dtype
from mtprobe.engine.graphs.definition import Graph
from mtprobe.errors import ModelError

OPSET = 18
IR_VERSION = 10  # readable by runtimes of the last two years
CONTRIB = "com.microsoft"
FLOAT, FLOAT16, INT32, INT64 = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.INT32, TensorProto.INT64
Values = TypeVar("Values")

INLINE_BYTES = 1024  # shapes, axes and scalars: the optimizer needs their values


class GraphBuilder:
    """Collects nodes and weights and writes them as one model. Values are referred to by name.

    `floating` is the type passed between layers: half precision in fp16, otherwise single precision.
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
        self._shared: dict[Hashable, Any] = {}

    def input(self, name: str, kind: int, shape: Sequence[int | str]) -> str:
        self._inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def output(self, value: str, name: str, kind: int, shape: Sequence[int | str]) -> None:
        self._nodes.append(helper.make_node("Identity", [value], [name]))
        self._outputs.append(helper.make_tensor_value_info(name, kind, shape))

    def computed_output(
        self, name: str, kind: int, shape: Sequence[int | str], operator: str, *inputs: str
    ) -> str:
        """Adds a node whose result is an output by itself: the runtime can compute it in the memory of an input."""
        self._nodes.append(helper.make_node(operator, inputs, [name]))
        self._outputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def weight(self, values: npt.ArrayLike, kind: type[np.generic] | None = None) -> str:
        """A constant, by default in the type that layers compute in."""
        name, array = self._new_name("weight"), self.array(values, kind)
        if array.nbytes <= INLINE_BYTES:
            self._initializers.append(numpy_helper.from_array(array.reshape(np.shape(values)), name))
            return name
        external = TensorProto(
            name=name,
            dims=array.shape,
            data_type=helper.np_dtype_to_tensor_dtype(array.dtype),
            data_location=TensorProto.EXTERNAL,
        )
        external.external_data.add(key="location", value="memory")
        self._initializers.append(external)
        self._weights[name] = array
        return name

    def array(self, values: npt.ArrayLike, kind: type[np.generic] | None = None) -> npt.NDArray[Any]:
        """The values as `weight` stores them, copied only if necessary."""
        if kind is not None or self.floating == FLOAT:
            return np.ascontiguousarray(values, kind or np.float32)
        with np.errstate(over="ignore"):
            halves = np.ascontiguousarray(values, np.float16)
        if not np.isfinite(halves).all():
            raise ModelError("a weight is too large for fp16; use fp32")
        return halves

    def single(self, value: str) -> str:
        """The value in single precision, whatever type the layers use."""
        return value if self.floating == FLOAT else self("Cast", value, to=FLOAT)

    def once(self, key: Hashable, add: Callable[[], Values]) -> Values:
        """The values that `add` adds to the graph, added only on the first call with this key."""
        if key not in self._shared:
            self._shared[key] = add()
        values: Values = self._shared[key]
        return values

    def numbers(self, *values: int) -> str:
        """A list of integers, such as a shape or axes."""
        return self.weight(values, np.int64)

    def split(self, value: str, parts: int, axis: int) -> list[str]:
        return self.several("Split", parts, value, axis=axis, num_outputs=parts)

    def scan(self, body: Any, states: Sequence[str], sequences: Sequence[str]) -> str:
        """Runs `body` along the first axis of `sequences`; returns its output at each step."""
        last = [self._new_name("Scan") for _ in states]
        steps = self._new_name("Scan")
        self._nodes.append(
            helper.make_node(
                "Scan", [*states, *sequences], [*last, steps], body=body, num_scan_inputs=len(sequences)
            )
        )
        return steps

    def __call__(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Adds a node with one output and returns the name of the output."""
        name = self._new_name(operator)
        self._nodes.append(helper.make_node(operator, inputs, [name], domain=domain, **attributes))
        return name

    def several(
        self, operator: str, outputs: int, *inputs: str, domain: str = "", **attributes: Any
    ) -> list[str]:
        """Adds a node with several outputs and returns their names."""
        names = [self._new_name(operator) for _ in range(outputs)]
        self._nodes.append(helper.make_node(operator, inputs, names, domain=domain, **attributes))
        return names

    def build(self) -> Graph:
        graph = helper.make_graph(self._nodes, self.name, self._inputs, self._outputs, self._initializers)
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIB, 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)
        return Graph(model.SerializeToString(), self._weights)

    def _new_name(self, stem: str) -> str:
        self._count += 1
        return f"{stem}_{self._count}"


@dataclass(frozen=True, slots=True)
class PackedSide:
    """The indices by which one side of a packed batch becomes a padded one, as names of graph values."""

    places: str  # [tokens] the position of each token in its sentence
    rows: str  # [tokens] the sentence of each token
    unpack: str  # [sentences, longest] the token at each position; any token where the sentence has ended

    @classmethod
    def inputs(cls, graph: GraphBuilder, side: str) -> PackedSide:
        return cls(
            places=graph.input(f"{side}_places", INT64, [f"{side}_tokens"]),
            rows=graph.input(f"{side}_rows", INT64, [f"{side}_tokens"]),
            unpack=graph.input(f"{side}_unpack", INT64, ["sentences", f"{side}_longest"]),
        )
