"""Opens ONNX Runtime sessions, and says what they really run on."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mtprobe.errors import ModelError
from mtprobe.nets.graph import Graph, SavedGraph

if TYPE_CHECKING:
    import numpy.typing as npt

# Measured on the CPU: the fused addition and normalization takes five times as long as the two.
SLOWER_FUSIONS = ["SkipLayerNormFusion"]
CPU, CUDA = "CPUExecutionProvider", "CUDAExecutionProvider"


@dataclass(frozen=True, slots=True)
class Device:
    """Where to run: `auto` takes CUDA where it works, `cuda` insists on it."""

    name: str  # auto, cpu or cuda
    index: int = 0


def parse_device(text: str) -> Device:
    """`auto`, `cpu`, `cuda` or `cuda:N`; anything else is a `ModelError`."""
    match = re.fullmatch(r"(auto|cpu|cuda)|cuda:(\d+)", text)
    if not match:
        raise ModelError(f'unknown device "{text}"; there is auto, cpu, cuda and cuda:N')
    return Device(match[1] or "cuda", int(match[2] or 0))


class Session:
    """A loaded graph. `provider` is what the runtime really gave, whatever was asked for."""

    def __init__(self, graph: Graph | SavedGraph, device: Device, threads: int | None) -> None:
        self._graph = graph  # the runtime reads the weights where they are
        self._session = _open(graph, device, threads)
        self.provider: str = self._session.get_providers()[0]
        if device.name == "cuda" and self.provider != CUDA:
            raise ModelError(
                "CUDA was asked for, and ONNX Runtime could not start it: the CUDA runtime or cuDNN is missing, "
                f"or there is no device {device.index}; its own message stands above"
            )

    def run(self, outputs: Sequence[str], inputs: Mapping[str, npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
        results: list[npt.NDArray[Any]] = self._session.run(outputs, inputs)
        return results


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
    options.log_severity_level = 3  # errors only
    settings = {"providers": _providers(onnxruntime, device), "disabled_optimizers": SLOWER_FUSIONS}
    if isinstance(graph, SavedGraph):
        try:
            return onnxruntime.InferenceSession(str(graph.path), options, **settings)
        except Exception as error:  # the runtime has a dozen kinds without a common one
            raise ModelError(
                f"{graph.path}: ONNX Runtime {onnxruntime.__version__} cannot load it: {error}"
            ) from None
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(weight) for weight in graph.weights.values()]
    options.add_external_initializers(list(graph.weights), values)
    return onnxruntime.InferenceSession(graph.serialized, options, **settings)


def cores() -> int:
    """The cores that this process may use, which in a container are not all there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _providers(onnxruntime: Any, device: Device) -> list[Any]:
    missing = None if device.name == "cpu" else _missing_for_cuda(onnxruntime)
    if device.name == "cuda" and missing:
        raise ModelError(f"CUDA was asked for, but {missing}; --mt-device=auto runs on what there is")
    if device.name == "cpu" or missing:
        return [CPU]
    if hasattr(onnxruntime, "preload_dlls"):  # finds the CUDA libraries that pip installed
        with contextlib.redirect_stdout(io.StringIO()):
            onnxruntime.preload_dlls()
    # TF32 would round the weights to 10 bits: faster, but no longer fp32.
    return [(CUDA, {"device_id": device.index, "use_tf32": "0"}), CPU]


def _missing_for_cuda(onnxruntime: Any) -> str | None:
    """What stands in the way of CUDA. Asking the runtime without a device only fills the log."""
    if CUDA not in onnxruntime.get_available_providers():
        return "this ONNX Runtime was built without it (install onnxruntime-gpu instead of onnxruntime)"
    if os.environ.get("CUDA_VISIBLE_DEVICES") in ("", "-1"):
        return "CUDA_VISIBLE_DEVICES hides every device"
    devices = [*Path("/dev").glob("nvidia[0-9]*"), *Path("/dev").glob("dxg")]  # dxg: the same within WSL
    if not devices and shutil.which("nvidia-smi") is None:
        return "no NVIDIA device is present (neither /dev/nvidia0 nor nvidia-smi was found)"
    return None
