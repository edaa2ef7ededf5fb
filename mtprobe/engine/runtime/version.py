"""Which ONNX Runtime is installed."""

from __future__ import annotations

PACKAGE = "onnxruntime"


def runtime_package() -> str:
    """`onnxruntime`, or the package of another build, such as `onnxruntime-gpu`."""
    import onnxruntime

    return str(getattr(onnxruntime, "package_name", "") or PACKAGE)


def runtime_name() -> str:
    """Package and version: `onnxruntime-gpu 1.31.1`."""
    import onnxruntime

    return f"{runtime_package()} {onnxruntime.__version__}"
