"""Writes the graphs of a network as ONNX files that share their weights: all in one file, without duplicates."""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from errno import ENOSPC
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, TensorProto

from mtprobe.engine.converted.manifest import GRAPH_SUFFIX, MANIFEST, WEIGHTS, Manifest, SavedFile
from mtprobe.engine.graphs.definition import Graph, NetworkDefinition

PAGE = 4096  # alignment of arrays, so that the runtime can map them

Array: TypeAlias = npt.NDArray[Any]
Bytes: TypeAlias = npt.NDArray[np.uint8]
Span: TypeAlias = tuple[int, int]  # of an array: its address and its size in bytes


def write_network(network: NetworkDefinition, folder: Path, room: int | None = None) -> dict[str, SavedFile]:
    """Writes all built graphs of a network and returns the files.

    Raises `OSError`, as on a full disk, if it would need more than `room` bytes.
    """
    graphs = {name: graph for name, graph in network.graphs.items() if isinstance(graph, Graph)}
    layout = lay_out(weight for graph in graphs.values() for weight in graph.weights.values())
    if room is not None and layout.size > room:
        raise OSError(ENOSPC, f"there is no room for {layout.size} bytes")
    files = {WEIGHTS: layout.write(folder / WEIGHTS)}
    for name, graph in graphs.items():
        path = folder / f"{name}{GRAPH_SUFFIX}"
        path.write_bytes(_with_offsets(graph, layout))
        files[path.name] = describe_file(path)
    return files


def write_manifest(manifest: Manifest, folder: Path) -> None:
    (folder / MANIFEST).write_text(manifest.model_dump_json(indent=2) + "\n", encoding="utf-8")


def describe_file(path: Path) -> SavedFile:
    content = path.read_bytes()
    return SavedFile(size=len(content), sha256=sha256(content).hexdigest())


@contextmanager
def written_atomically(target: Path) -> Iterator[Path]:
    """A temporary folder to write into, which becomes the target; an error leaves no trace."""
    target.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent))
    try:
        yield folder
        folder.chmod(0o777 & ~_umask())  # mkdtemp's folders are private
        if os.name == "nt" and target.is_dir():
            target.rmdir()  # elsewhere an empty folder is replaced
        folder.rename(target)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@dataclass(frozen=True, slots=True)
class Layout:
    """The contents of the file, and the offset of each array in it."""

    written: Sequence[tuple[int, Bytes]]  # offset and content
    _offsets: dict[Span, int]

    @property
    def size(self) -> int:
        offset, content = self.written[-1] if self.written else (0, np.zeros(0, np.uint8))
        return offset + content.nbytes

    def offset(self, array: Array) -> int:
        return self._offsets[_span(array)]

    def write(self, path: Path) -> SavedFile:
        digest, position = sha256(), 0
        with path.open("wb") as file:
            for offset, content in self.written:
                for chunk in (b"\0" * (offset - position), content.data):
                    digest.update(chunk)
                    file.write(chunk)
                position = offset + content.nbytes
        return SavedFile(size=position, sha256=digest.hexdigest())


def lay_out(arrays: Iterable[Array]) -> Layout:
    """Views of an array (such as a block of rows) are located within it, and copies at the first one.

    The order is that of the arrays: the same model gives the same file, wherever its arrays are in memory. They must live until
    the layout is written.
    """
    listed = {_span(array): array for array in arrays}
    containers = _containers(listed)
    written: list[tuple[int, Bytes]] = []
    offsets: dict[Span, int] = {}  # of arrays that are not views
    by_start: defaultdict[tuple[int, bytes], list[tuple[int, Bytes]]] = defaultdict(list)
    free = 0
    for container in dict.fromkeys(containers[span] for span in listed):
        content = listed[container].reshape(-1).view(np.uint8)
        candidates = by_start[container[1], content[:64].tobytes()]
        offset = next((offset for offset, other in candidates if np.array_equal(content, other)), -1)
        if offset < 0:
            offset = -(-free // PAGE) * PAGE
            written.append((offset, content))
            candidates.append((offset, content))
            free = offset + container[1]
        offsets[container] = offset
    within = {span: span[0] - container[0] for span, container in containers.items()}
    return Layout(written, {span: offsets[containers[span]] + within[span] for span in listed})


def _containers(spans: Iterable[Span]) -> dict[Span, Span]:
    """The array that each one is a view of, or itself."""
    containers: dict[Span, Span] = {}
    last = (0, 0)
    for span in sorted(spans, key=lambda span: (span[0], -span[1])):
        if sum(span) > sum(last):
            last = span
        containers[span] = last
    return containers


def _span(array: Array) -> Span:
    return array.__array_interface__["data"][0], array.nbytes


def _with_offsets(graph: Graph, layout: Layout) -> bytes:
    """The graph with the offset of each weight in the file."""
    model = ModelProto.FromString(graph.serialized)
    for tensor in model.graph.initializer:
        if tensor.data_location != TensorProto.EXTERNAL:
            continue
        weight = graph.weights[tensor.name]
        del tensor.external_data[:]
        for key, value in (
            ("location", WEIGHTS),
            ("offset", layout.offset(weight)),
            ("length", weight.nbytes),
        ):
            tensor.external_data.add(key=key, value=str(value))
    serialized: bytes = model.SerializeToString()
    return serialized
