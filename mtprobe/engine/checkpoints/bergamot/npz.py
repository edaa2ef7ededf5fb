"""Reads Marian's `.npz` files: numpy arrays in a zip file, never pickled objects."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from mtprobe.engine.checkpoints.bergamot.binary import CONFIG_NAME, BergamotFile, parse_config
from mtprobe.engine.graphs.weights import Tensor
from mtprobe.errors import ModelError

MOST_COMPRESSED = 16  # times; weights hardly compress, so more is an attack or an accident


def read_npz(path: Path) -> BergamotFile:
    """All tensors of a file as float32. Raises `ModelError` if it is damaged or something else."""
    try:
        _check_sizes(path)
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, EOFError, zipfile.BadZipFile, NotImplementedError, MemoryError) as error:
        raise ModelError(f"{path}: not a usable Marian model: {error}") from None
    config: Mapping[str, object] = {}
    if CONFIG_NAME in arrays:
        text = arrays.pop(CONFIG_NAME)
        if text.dtype.itemsize != 1:
            raise ModelError(f"{path}: its configuration ({CONFIG_NAME}) is not text")
        config = parse_config(text.tobytes(), f"{path}: its configuration ({CONFIG_NAME})")
    return BergamotFile(path, {name: _tensor(path, name, array) for name, array in arrays.items()}, config)


def _check_sizes(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        unpacked = sum(entry.file_size for entry in archive.infolist())
    if unpacked > MOST_COMPRESSED * path.stat().st_size:
        raise ValueError(f"it would unpack to {unpacked} bytes")


def _tensor(path: Path, name: str, array: np.ndarray) -> Tensor:
    if array.dtype not in (np.float16, np.float32):
        raise ModelError(f'{path}: tensor "{name}" contains {array.dtype}, which is not supported')
    values = np.ascontiguousarray(array, np.float32)
    if not np.isfinite(values).all():
        raise ModelError(f'{path}: tensor "{name}" contains values that are not finite')
    return values
