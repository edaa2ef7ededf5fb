"""Why CUDA cannot be used, and what to do about it."""

from __future__ import annotations

import contextlib
import ctypes
import io
import os
import shutil
from pathlib import Path
from typing import Any

CUDA = "CUDAExecutionProvider"
UNKNOWN_COUNT = -1


def missing(onnxruntime: Any, index: int) -> str | None:
    """The missing part, or None, as far as can be determined without starting CUDA, which would only fill the log."""
    if CUDA not in onnxruntime.get_available_providers():
        return (
            "this ONNX Runtime was built without it (to replace it: pip uninstall -y onnxruntime, "
            'then pip install "mtprobe[onnx]")'
        )
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible in ("", "-1"):
        return "CUDA_VISIBLE_DEVICES hides every device"
    count = _devices()
    if count == 0:
        return "no NVIDIA device is present (neither /dev/nvidia0 nor nvidia-smi was found)"
    if visible is not None:
        shown = visible.split(",")
        if index >= len(shown):
            return f"there is no cuda:{index}: CUDA_VISIBLE_DEVICES={visible} shows {_up_to(len(shown))}"
    elif count != UNKNOWN_COUNT and index >= count:
        return f"there is no cuda:{index}: this machine has {_up_to(count)}"
    return None


def _devices() -> int:
    """The number of devices that the kernel shows; `UNKNOWN_COUNT` in WSL and on Windows."""
    count = len([path for path in Path("/dev").glob("nvidia*") if path.name[6:].isdigit()])
    if count:
        return count
    return UNKNOWN_COUNT if Path("/dev/dxg").exists() or shutil.which("nvidia-smi") else 0


def _up_to(count: int) -> str:
    return "cuda:0" if count == 1 else f"cuda:0 to cuda:{count - 1}"


def prepare(onnxruntime: Any) -> None:
    """Loads the CUDA libraries that pip installed. Failures are reported by us, not printed by the runtime."""
    onnxruntime.set_default_logger_severity(4)
    if hasattr(onnxruntime, "preload_dlls"):
        with contextlib.redirect_stdout(io.StringIO()):
            onnxruntime.preload_dlls()


def errors() -> tuple[type[Exception], ...]:
    """The exceptions of the runtime, a dozen types without a common base."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    own = [kind for kind in vars(state).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    return RuntimeError, ValueError, *own


def failed_to_load(onnxruntime: Any) -> str:
    """Why the runtime continued without CUDA. Call it only after the runtime has tried, which sets up the library."""
    library = Path(onnxruntime.__file__).parent / "capi" / "libonnxruntime_providers_cuda.so"
    reason = "the CUDA runtime or cuDNN is missing or does not fit the driver"
    if library.exists():
        try:
            ctypes.CDLL(str(library))
        except OSError as error:
            reason = f"{error}; is CUDA with cuDNN installed (pip install 'onnxruntime-gpu[cuda,cudnn]')?"
    return f"ONNX Runtime {onnxruntime.__version__} could not start it: {reason}"
