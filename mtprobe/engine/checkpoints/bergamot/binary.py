"""Reads the weight files of Marian, Bergamot and Firefox Translations: `.bin`, or numpy's `.npz`.

The layout of `.bin`, little-endian throughout:

    version u64 (1), number of tensors u64
    one header per tensor: name length with its NUL, type code, number of dimensions, bytes of data; each u64
    the names, the dimensions (i32), a padding length u64, the padding, then the data of each tensor

The file may be whatever a failed download left behind, so every count is checked against the size of the file.
"""

from __future__ import annotations

import math
import mmap
import os
import struct
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO, TypeAlias

import numpy as np
import numpy.typing as npt

from mtprobe.engine.checkpoints.reading import library_errors, open_file, what_it_is_instead
from mtprobe.engine.graphs.weights import Tensor
from mtprobe.errors import ModelError
from mtprobe.system.bounded_yaml import Limits, YamlError, read_yaml

Kind: TypeAlias = np.dtype[Any]

VERSION = 1
CONFIG_NAME = "special:model.yml"
MOST_COMPRESSED = 16  # times; weights hardly compress, so more is an attack or an accident
MOST_DIMENSIONS = 4  # of a tensor
MOST_CONFIG_BYTES = 1_000_000
CONFIG_LIMITS = Limits(depth=16, nodes=20_000, characters=MOST_CONFIG_BYTES)

FLOAT16, FLOAT32 = 0x0402, 0x0404
INTGEMM8, INTGEMM16 = 0x4101, 0x4102  # row-major integers, then one float32 multiplier
PLAIN: Mapping[int, Kind] = {FLOAT16: np.dtype("<f2"), FLOAT32: np.dtype("<f4")}
QUANTISED: Mapping[int, Kind] = {INTGEMM8: np.dtype("<i1"), INTGEMM16: np.dtype("<i2")}


@dataclass(frozen=True, slots=True)
class BergamotFile:
    """The content of a file: every weight as float32, and the training configuration."""

    path: Path
    tensors: Mapping[str, Tensor]
    config: Mapping[str, object]  # empty if the file contains none

    def tensor(self, name: str) -> Tensor:
        if name not in self.tensors:
            raise ModelError(f'{self.path}: the tensor "{name}" is missing')
        return self.tensors[name]


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    kind: int
    shape: tuple[int, ...]
    start: int
    size: int


def read_bergamot(path: Path) -> BergamotFile:
    """All tensors of a file, dequantised. Raises `ModelError` if it is damaged or something else."""
    try:
        with open_file(path) as file:
            if os.fstat(file.fileno()).st_size < 16:
                raise _Damaged("it is too short to contain any weights")
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as blob:
                return _read(path, blob)
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror or error}") from None
    except _Damaged as damage:
        raise ModelError(f"{path}: not a usable Bergamot model: {damage}") from None


class _Damaged(Exception):
    """The problem with the file, without its path."""


def _read(path: Path, blob: mmap.mmap) -> BergamotFile:
    tensors: dict[str, Tensor] = {}
    config: Mapping[str, object] = {}
    for entry in _directory(blob):
        if entry.name == CONFIG_NAME:
            if entry.size > MOST_CONFIG_BYTES:
                raise _Damaged(f"its configuration ({CONFIG_NAME}) has {entry.size} bytes")
            text = blob[entry.start : entry.start + entry.size]
            config = parse_config(text, f"{path}: its configuration ({CONFIG_NAME})")
        elif not entry.name.endswith("QuantMultA"):  # ranges of activations, only for int8 engines
            tensors[entry.name] = _tensor(blob, entry)
    return BergamotFile(path, tensors, config)


class _Cursor:
    """A position in the file, which never moves beyond its end."""

    def __init__(self, blob: mmap.mmap) -> None:
        self.blob, self.position = blob, 0

    def skip(self, size: int, what: str) -> int:
        start, left = self.position, len(self.blob) - self.position
        if size > left:
            raise _Damaged(f"{what} would need {size} bytes but {left} are left; is it truncated?")
        self.position += size
        return start

    def numbers(self, code: str, count: int, what: str) -> tuple[int, ...]:
        start = self.skip(count * struct.calcsize("<" + code), what)
        return struct.unpack_from(f"<{count}{code}", self.blob, start)


def _directory(blob: mmap.mmap) -> list[_Entry]:
    cursor = _Cursor(blob)
    version, count = cursor.numbers("Q", 2, "the header")
    if version != VERSION:
        instead = what_it_is_instead(blob[:64]).removeprefix("; ")
        raise _Damaged(instead or f"its format has version {version}; supported is {VERSION}")
    fields = cursor.numbers("Q", 4 * count, f"a directory of {count} tensors")
    headers = [fields[at : at + 4] for at in range(0, len(fields), 4)]
    names = [_name(cursor, length) for length, _, _, _ in headers]
    shapes = [
        cursor.numbers("i", dimensions, f'the shape of "{name}"')
        for name, (_, _, dimensions, _) in zip(names, headers, strict=True)
    ]
    (padding,) = cursor.numbers("Q", 1, "the padding")
    cursor.skip(padding, "the padding")
    return [
        _Entry(name, kind, shape, cursor.skip(size, f'tensor "{name}"'), size)
        for name, shape, (_, kind, _, size) in zip(names, shapes, headers, strict=True)
    ]


def _name(cursor: _Cursor, length: int) -> str:
    start = cursor.skip(length, "the names of the tensors")
    try:
        return cursor.blob[start : start + length].rstrip(b"\0").decode()
    except UnicodeDecodeError:
        raise _Damaged("the name of a tensor is not text") from None


def _tensor(blob: mmap.mmap, entry: _Entry) -> Tensor:
    if len(entry.shape) > MOST_DIMENSIONS:
        raise _Damaged(f'tensor "{entry.name}" has {len(entry.shape)} dimensions')
    if any(dimension < 0 for dimension in entry.shape):
        raise _Damaged(f'tensor "{entry.name}" has the impossible shape {entry.shape}')
    if entry.kind in PLAIN:
        values = _values(blob, entry, PLAIN[entry.kind]).astype(np.float32).reshape(entry.shape)
    elif entry.kind in QUANTISED:
        values = _dequantised(blob, entry, QUANTISED[entry.kind])
    else:
        raise _Damaged(f'tensor "{entry.name}" has the type {entry.kind:#06x}, which is not supported')
    if not np.isfinite(values).all():
        raise _Damaged(f'tensor "{entry.name}" contains values that are not finite')
    return values


def _values(blob: mmap.mmap, entry: _Entry, kind: Kind, trailing: int = 0) -> npt.NDArray[Any]:
    """A copy of the numbers of a tensor, which must be followed by `trailing` bytes."""
    count = math.prod(entry.shape)
    if count * kind.itemsize + trailing > entry.size:
        raise _Damaged(f'tensor "{entry.name}" of shape {entry.shape} does not fit its {entry.size} bytes')
    return np.frombuffer(blob[entry.start : entry.start + count * kind.itemsize], kind)


def _dequantised(blob: mmap.mmap, entry: _Entry, kind: Kind) -> Tensor:
    integers = _values(blob, entry, kind, trailing=4)
    (multiplier,) = struct.unpack_from("<f", blob, entry.start + integers.nbytes)
    if not (math.isfinite(multiplier) and multiplier > 0):
        raise _Damaged(f'tensor "{entry.name}" has the impossible multiplier {multiplier}')
    values = integers.astype(np.float32) / np.float32(multiplier)
    if "Wemb" in entry.name:
        return values.reshape(entry.shape)
    if len(entry.shape) != 2:
        raise _Damaged(f'tensor "{entry.name}" is quantised but not a matrix: {entry.shape}')
    # The file contains the transpose, by which engines multiply; the shape is that of the original.
    return np.ascontiguousarray(values.reshape(entry.shape[::-1]).T)


def read_npz(path: Path) -> BergamotFile:
    """All tensors of a zip file of arrays as float32, never pickled objects. Raises `ModelError` if it is damaged or something else."""
    with open_file(path) as file, library_errors(f"{path}: not a usable Marian model"):
        _check_sizes(file)
        with np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    config: Mapping[str, object] = {}
    if CONFIG_NAME in arrays:
        text = arrays.pop(CONFIG_NAME)
        if text.dtype.itemsize != 1:
            raise ModelError(f"{path}: its configuration ({CONFIG_NAME}) is not text")
        config = parse_config(text.tobytes(), f"{path}: its configuration ({CONFIG_NAME})")
    return BergamotFile(
        path, {name: _checked_array(path, name, array) for name, array in arrays.items()}, config
    )


def _check_sizes(file: BinaryIO) -> None:
    """Raises `ValueError` if the archive, or an array that its header announces, is larger than its data."""
    packed = os.fstat(file.fileno()).st_size
    with zipfile.ZipFile(file) as archive:
        entries = archive.infolist()
        unpacked = sum(entry.file_size for entry in entries)
        if unpacked > MOST_COMPRESSED * packed:
            raise ValueError(f"it would unpack to {unpacked} bytes")
        for entry in entries:
            with archive.open(entry) as stream:
                _check_array(entry, stream)
    file.seek(0)


def _check_array(entry: zipfile.ZipInfo, stream: IO[bytes]) -> None:
    version = np.lib.format.read_magic(stream)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, kind = read(stream)
    if len(shape) > MOST_DIMENSIONS or any(dimension < 0 for dimension in shape):
        raise ValueError(f'tensor "{entry.filename}" has an impossible shape of {len(shape)} dimensions')
    if math.prod(shape) * kind.itemsize > entry.file_size:
        raise ValueError(
            f'tensor "{entry.filename}" of shape {shape} does not fit its {entry.file_size} bytes'
        )


def _checked_array(path: Path, name: str, array: np.ndarray) -> Tensor:
    if array.dtype not in (np.float16, np.float32):
        raise ModelError(f'{path}: tensor "{name}" contains {array.dtype}, which is not supported')
    values = np.ascontiguousarray(array, np.float32)
    if not np.isfinite(values).all():
        raise ModelError(f'{path}: tensor "{name}" contains values that are not finite')
    return values


def parse_config(text: bytes, what: str) -> Mapping[str, object]:
    """The options that a model was trained with; `what` names the text in errors."""
    content = text.rstrip(b"\0")
    if len(content) > MOST_CONFIG_BYTES:
        raise ModelError(f"{what} is too large")
    try:
        loaded = read_yaml(content.decode("utf-8-sig"), CONFIG_LIMITS)
    except UnicodeDecodeError:
        raise ModelError(f"{what} is not YAML: not UTF-8 text") from None
    except YamlError as error:
        raise ModelError(f"{what} is not YAML: line {error.line}: {error.reason}") from None
    if not isinstance(loaded, dict):
        raise ModelError(f"{what} is not a mapping")
    return loaded
