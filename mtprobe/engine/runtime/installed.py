"""Whether the packages that run neural models are installed: the core of mtprobe does not need them.

`onnxruntime` and `onnxruntime-gpu` contain the same files, so an environment may have one of them only.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from typing import Any

from mtprobe.errors import ModelError
from mtprobe.progress import LOGGER

CPU, GPU = "onnxruntime", "onnxruntime-gpu"
_KEEP_ONE = f'pip uninstall -y {CPU} {GPU}, then pip install "mtprobe[onnx]" (GPU) or "mtprobe[onnx-cpu]"'
_MODULES = ("onnxruntime", "onnx", "sentencepiece")
_CONVERTED = ("onnxruntime", "sentencepiece")  # an exported model has its graphs already


def pip_install(extra: str) -> str:
    """The command for an extra, `onnx`, `hf` or `demo`, that fits the ONNX Runtime that is installed."""
    if _has(GPU):
        return f'pip install "mtprobe[{extra}]"'
    command = f'pip install "mtprobe[{extra}-cpu]"'
    return command if _has(CPU) else f'{command}, or "mtprobe[{extra}]" for a GPU'


def require_runtime(what: str, *, extra: str = "onnx", converted: bool = False) -> None:
    """Raises `ModelError` if a package that neural models need is missing; loads none of them.

    `extra` is what brings everything that such models need.
    """
    missing = [name for name in (_CONVERTED if converted else _MODULES) if find_spec(name) is None]
    if missing:
        raise ModelError(f"{what} needs {', '.join(missing)}: {pip_install(extra)}")
    if _has(CPU) and _has(GPU):
        _warn_of_two()


@cache
def _warn_of_two() -> None:
    """Once per process: it may work, until one of them is updated or removed."""
    LOGGER.warning(
        f"{CPU} and {GPU} are both installed. They overwrite each other's files, so CUDA may be missing and an "
        f"update may break both. Keep one: {_KEEP_ONE}"
    )


def load_runtime() -> Any:
    """The module `onnxruntime`; raises `ModelError` if it cannot be imported or has lost its contents."""
    try:
        import onnxruntime

        onnxruntime.InferenceSession  # noqa: B018
    except (ImportError, AttributeError) as error:
        raise ModelError(
            f"ONNX Runtime is installed but does not work ({error}). That happens when {CPU} and {GPU} were both "
            f"installed and one was removed: {_KEEP_ONE}"
        ) from None
    return onnxruntime


def _has(package: str) -> bool:
    try:
        distribution(package)
    except PackageNotFoundError:
        return False
    return True
