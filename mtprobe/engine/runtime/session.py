"""Opens ONNX Runtime sessions, and says what they really run on."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from mtprobe.backends.device import Device
from mtprobe.engine.graphs import overflow
from mtprobe.engine.graphs.graph import Graph, SavedGraph
from mtprobe.engine.runtime import cuda
from mtprobe.engine.runtime.cuda import CUDA
from mtprobe.engine.runtime.device_arrays import Held, Value, on_host
from mtprobe.errors import ModelError
from mtprobe.system.cores import cores

if TYPE_CHECKING:
    import numpy.typing as npt

# Measured on the CPU: the fused addition and normalization takes five times as long as the two.
SLOWER_FUSIONS = ["SkipLayerNormFusion"]
CPU = "CPUExecutionProvider"


class Session:
    """A loaded graph. `provider` is what the runtime really gave, whatever was asked for.

    On CUDA, values that are to stay there do: each run is told where its inputs lie and where its outputs go.
    """

    def __init__(self, graph: Graph | SavedGraph, device: Device, threads: int | None) -> None:
        self._graph = graph  # the runtime reads the weights where they are
        self._session = _open(graph, device, threads)
        self.provider: str = self._session.get_providers()[0]
        self.bound = device.bind or self.provider == CUDA
        self._place = ("cuda", device.index) if self.provider == CUDA else ("cpu", 0)

    def run(self, outputs: Sequence[str], inputs: Mapping[str, Value]) -> list[npt.NDArray[Any]]:
        return self.run_staying(outputs, (), inputs)[0]

    def run_staying(
        self, outputs: Sequence[str], staying: Sequence[str], inputs: Mapping[str, Value]
    ) -> tuple[list[npt.NDArray[Any]], list[Value]]:
        """Two kinds of outputs: those that are looked at, and those that only another run is given."""
        if not self.bound:
            results = self._session.run([*outputs, *staying], inputs)
            return results[: len(outputs)], results[len(outputs) :]
        with self._told():
            results = self._run_bound(outputs, staying, inputs)
        return [on_host(held) for held in results[: len(outputs)]], list(results[len(outputs) :])

    def hold(self, values: Value) -> Value:
        """The values where the session runs, for those that several runs are given."""
        if not self.bound or isinstance(values, Held) or not values.size:
            return values
        import onnxruntime

        with self._told():
            return Held(onnxruntime.OrtValue.ortvalue_from_numpy(np.ascontiguousarray(values), *self._place))

    def _run_bound(
        self, outputs: Sequence[str], staying: Sequence[str], inputs: Mapping[str, Value]
    ) -> list[Held]:
        binding = self._session.io_binding()
        for name, values in inputs.items():
            if isinstance(values, Held):
                binding.bind_ortvalue_input(name, values.value)
            else:
                binding.bind_cpu_input(name, np.ascontiguousarray(values))
        for name in outputs:
            binding.bind_output(name, "cpu")
        for name in staying:
            binding.bind_output(name, *self._place)
        self._session.run_with_iobinding(binding)
        return [Held(value) for value in binding.get_outputs()]

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """What fails on CUDA, as for want of memory, is no bug of ours."""
        try:
            yield
        except cuda.errors() as error:
            if self.provider != CUDA:
                raise
            raise ModelError(f"CUDA failed: {error}; --mt-device=cpu does without it") from None


def _open(graph: Graph | SavedGraph, device: Device, threads: int | None) -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise ModelError(f"this model needs ONNX Runtime: pip install onnxruntime ({error})") from None

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or cores()
    options.inter_op_num_threads = 1
    # A model has several sessions that take turns: threads that wait by spinning keep the next one waiting.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    if overflow.multiplies_bytes(graph) and overflow.needs_care():
        options.add_session_config_entry(*overflow.CAREFULLY)
    options.log_severity_level = 3  # errors only
    if isinstance(graph, Graph):
        values = [onnxruntime.OrtValue.ortvalue_from_numpy(weight) for weight in graph.weights.values()]
        options.add_external_initializers(list(graph.weights), values)

    def start(providers: list[Any]) -> Any:
        return onnxruntime.InferenceSession(
            graph.serialized if isinstance(graph, Graph) else str(graph.path),
            options,
            providers=providers,
            disabled_optimizers=SLOWER_FUSIONS,
            enable_fallback=0,  # it would go on without CUDA, and only print that it does
        )

    try:
        return _start(start, onnxruntime, device)
    except cuda.errors() as error:
        if isinstance(graph, Graph):
            raise
        raise ModelError(
            f"{graph.path}: ONNX Runtime {onnxruntime.__version__} cannot load it: {error}"
        ) from None


def _start(start: Callable[[list[Any]], Any], onnxruntime: Any, device: Device) -> Any:
    """On CUDA where it can and may be, else on the CPU; an error where CUDA must be."""
    if device.name == "cpu":
        return start([CPU])
    lacking, opened = cuda.missing(onnxruntime, device.index), None
    if not lacking:
        cuda.prepare(onnxruntime)
        try:
            # TF32 would round the weights to 10 bits: faster, but no longer fp32.
            opened = start([(CUDA, {"device_id": device.index, "use_tf32": "0"}), CPU])
        except cuda.errors() as error:
            lacking = f"ONNX Runtime could not start it: {error}"
        else:
            if opened.get_providers()[0] != CUDA:  # it lists what it cannot load
                lacking = cuda.failed_to_load(onnxruntime)
    if lacking and device.name == "cuda":
        raise ModelError(f"{device.because}, but {lacking}; {device.instead}")
    return opened or start([CPU])
