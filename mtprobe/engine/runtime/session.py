"""ONNX Runtime sessions, and arrays that stay on their device for the next session."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mtprobe.backends.device import Device
from mtprobe.engine.graphs.definition import Graph, SavedGraph
from mtprobe.engine.runtime import cuda, int8_overflow
from mtprobe.engine.runtime.cuda import CUDA
from mtprobe.engine.runtime.installed import load_runtime
from mtprobe.errors import ModelError
from mtprobe.system.cores import cores

# On the CPU, the fused addition and normalization takes five times as long as the separate ones.
SLOWER_FUSIONS = ["SkipLayerNormFusion"]
CPU = "CPUExecutionProvider"


@dataclass(frozen=True, slots=True)
class DeviceArray:
    """An array in the memory of a device."""

    value: Any  # an OrtValue

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.value.shape())


Value: TypeAlias = npt.NDArray[Any] | DeviceArray


def on_host(value: Value) -> npt.NDArray[Any]:
    """The values as a numpy array; a copy of its own, if they are on a device."""
    return np.array(value.value.numpy()) if isinstance(value, DeviceArray) else value


class Session:
    """A loaded graph. `provider` is the actual execution provider, whatever was requested.

    On CUDA, arrays that are only passed to the next run stay on the device.
    """

    def __init__(self, graph: Graph | SavedGraph, device: Device, threads: int | None) -> None:
        self._graph = graph  # the runtime reads the weights where they are
        self._session = _open(graph, device, threads)
        self.provider: str = self._session.get_providers()[0]
        self.bound = device.bind or self.provider == CUDA
        self._place = ("cuda", device.index) if self.provider == CUDA else ("cpu", 0)

    def run(self, outputs: Sequence[str], inputs: Mapping[str, Value]) -> list[npt.NDArray[Any]]:
        return self.run_with_device_outputs(outputs, (), inputs)[0]

    def run_with_device_outputs(
        self, outputs: Sequence[str], device_outputs: Sequence[str], inputs: Mapping[str, Value]
    ) -> tuple[list[npt.NDArray[Any]], list[Value]]:
        """Runs the graph; `device_outputs` stay on the device, as inputs of another run."""
        if not self.bound:
            with self._saved_errors():
                results = self._session.run([*outputs, *device_outputs], inputs)
            return results[: len(outputs)], results[len(outputs) :]
        with self._device_errors(), self._saved_errors():
            results = self._run_bound(outputs, device_outputs, inputs)
        return [on_host(array) for array in results[: len(outputs)]], list(results[len(outputs) :])

    def run_in_place(
        self, output: str, inputs: Mapping[str, Value], updated: Mapping[str, Value]
    ) -> tuple[Value, list[Value]]:
        """Runs a graph that writes some of its inputs, the `updated` ones, into outputs named `next_…`.

        Both have the same memory, so that only what changes is written. Returns one more output, on the device, and
        the updated values.
        """
        with self._device_errors(), self._saved_errors():
            kept = {name: self._on_device(values) for name, values in updated.items()}
            binding = self._bind([output], {**inputs, **kept})
            for name, array in kept.items():
                binding.bind_ortvalue_output(f"next_{name}", array.value)
            self._session.run_with_iobinding(binding)
            result = DeviceArray(binding.get_outputs()[0])
        if self.bound:
            return result, list(kept.values())
        return on_host(result), list(updated.values())  # in the same memory

    def to_device(self, values: Value) -> Value:
        """The values on the session's device, for inputs of several runs."""
        if not self.bound or isinstance(values, DeviceArray) or not values.size:
            return values
        with self._device_errors():
            return self._on_device(values)

    def _on_device(self, values: Value) -> DeviceArray:
        """On the CPU, in the memory of the array."""
        if isinstance(values, DeviceArray):
            return values
        import onnxruntime

        return DeviceArray(
            onnxruntime.OrtValue.ortvalue_from_numpy(np.ascontiguousarray(values), *self._place)
        )

    def _run_bound(
        self, outputs: Sequence[str], device_outputs: Sequence[str], inputs: Mapping[str, Value]
    ) -> list[DeviceArray]:
        binding = self._bind(outputs, inputs, ("cpu", 0))
        for name in device_outputs:
            binding.bind_output(name, *self._place)
        self._session.run_with_iobinding(binding)
        return [DeviceArray(value) for value in binding.get_outputs()]

    def _bind(
        self, outputs: Sequence[str], inputs: Mapping[str, Value], place: tuple[str, int] | None = None
    ) -> Any:
        """A binding with its inputs and its first outputs, which are allocated at the place."""
        binding = self._session.io_binding()
        for name, values in inputs.items():
            if isinstance(values, DeviceArray):
                binding.bind_ortvalue_input(name, values.value)
            else:
                binding.bind_cpu_input(name, np.ascontiguousarray(values))
        for name in outputs:
            binding.bind_output(name, *(place or self._place))
        return binding

    @contextlib.contextmanager
    def _saved_errors(self) -> Iterator[None]:
        """Turns the failure of a graph from a file, which others may have changed, into a `ModelError`."""
        try:
            yield
        except cuda.errors() as error:
            if not isinstance(self._graph, SavedGraph):
                raise
            reason = str(error).strip().partition("\n")[0][:300]
            raise ModelError(f"{self._graph.path}: ONNX Runtime cannot run it: {reason}") from None

    @contextlib.contextmanager
    def _device_errors(self) -> Iterator[None]:
        """Turns a failure on CUDA, such as a lack of memory, into a `ModelError`."""
        try:
            yield
        except cuda.errors() as error:
            if self.provider != CUDA:
                raise
            raise ModelError(f"CUDA failed: {error}; the device cpu works without it") from None


def _open(graph: Graph | SavedGraph, device: Device, threads: int | None) -> Any:
    onnxruntime = load_runtime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or cores()
    options.inter_op_num_threads = 1
    # A model has several sessions that take turns: threads that spin while waiting slow down the next one.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    if int8_overflow.multiplies_int8(graph) and int8_overflow.needs_workaround():
        options.add_session_config_entry(*int8_overflow.WORKAROUND)
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
            enable_fallback=0,  # it would continue without CUDA, and only print a warning
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
    """Starts a session on CUDA if allowed and available, otherwise on the CPU; an error if CUDA is required."""
    if device.name == "cpu":
        return start([CPU])
    problem, session = cuda.missing(onnxruntime, device.index), None
    if not problem:
        cuda.prepare(onnxruntime)
        try:
            # TF32 would round the weights to 10 bits: faster, but no longer fp32.
            session = start([(CUDA, {"device_id": device.index, "use_tf32": "0"}), CPU])
        except cuda.errors() as error:
            problem = f"ONNX Runtime could not start it: {error}"
        else:
            if session.get_providers()[0] != CUDA:  # available providers may still fail to load
                problem = cuda.failed_to_load(onnxruntime)
    if problem and device.name == "cuda":
        raise ModelError(f"{device.because}, but {problem}; {device.instead}")
    return session or start([CPU])
