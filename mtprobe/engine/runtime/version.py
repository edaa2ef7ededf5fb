"""The installed version of ONNX Runtime."""

from __future__ import annotations

from mtprobe.engine.runtime.installed import load_runtime

PACKAGE = "onnxruntime"


def runtime_package() -> str:
    """`onnxruntime`, or the package of another build, such as `onnxruntime-gpu`."""
    return str(getattr(load_runtime(), "package_name", "") or PACKAGE)


def runtime_name() -> str:
    """Package and version: `onnxruntime-gpu 1.31.1`."""
    return f"{runtime_package()} {load_runtime().__version__}"
