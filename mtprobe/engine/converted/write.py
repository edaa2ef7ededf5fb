"""Writes the graphs of a network as ONNX files that share their weights."""

from __future__ import annotations

from errno import ENOSPC
from pathlib import Path

from onnx import ModelProto, TensorProto

from mtprobe.engine.converted.files import describe_file
from mtprobe.engine.converted.manifest import GRAPH_SUFFIX, MANIFEST, WEIGHTS, Manifest, SavedFile
from mtprobe.engine.converted.weights import Layout, lay_out
from mtprobe.engine.graphs.definition import NetworkDefinition
from mtprobe.engine.graphs.graph import Graph


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
