"""Opens the sessions that verify drafts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mtprobe.engine.graphs.definition import Graph, SavedGraph
from mtprobe.engine.runtime import int8_overflow
from mtprobe.engine.runtime.blocks.slots import Sessions, Slots
from mtprobe.engine.runtime.blocks.ssru import SsruSlots
from mtprobe.engine.runtime.blocks.transformer import TransformerSlots
from mtprobe.engine.runtime.lanes import Lanes
from mtprobe.engine.runtime.network import Network
from mtprobe.engine.runtime.session import CPU, Session
from mtprobe.engine.runtime.ssru_network import SsruNetwork
from mtprobe.system.cores import cores

MOST_LANES = 4  # each lane reads all weights, so its share must not become too small


@dataclass(frozen=True, slots=True)
class BlockReader:
    """Makes slots; each lane has its own, and all share their sessions."""

    lanes: Lanes
    slots: Callable[[int], Slots]
    column: int  # bytes that a slot takes per token
    fewest: int  # sentences of a call

    def fitting(self, longest: int, size: int, most: int) -> int:
        """How many slots for sources of the given length fit into a number of bytes; at most `most`."""
        return max(1, min(most, size // (self.column * 2 * longest)))


def can_read_blocks(network: Network) -> bool:
    """Whether drafts are verified exactly, and as measured: in single precision, on the CPU.

    Models that were exported by earlier versions lack the graph.
    """
    device = network.device
    return (
        network.dimensions.dtype == "fp32"
        and "block" in list(network.graphs)  # `in` on the mapping itself would build the graph
        and not device.bind
        and network.open_encoder() == CPU
    )


def open_blocks(network: Network) -> BlockReader:
    threads = network.threads or cores()
    lanes = Lanes(min(threads, MOST_LANES))

    def session(name: str) -> Session:
        graph: Graph | SavedGraph = network.graphs[name]
        return Session(graph, network.device, threads - lanes.count + 1)

    screened = "screen" in list(network.graphs) and _int8_is_fast()
    sessions = Sessions(
        network,
        encode=session("encode"),
        block=session("block"),
        project=session("project"),
        screen=session("screen") if screened else None,
    )
    kind: type[SsruSlots | TransformerSlots] = (
        SsruSlots if isinstance(network, SsruNetwork) else TransformerSlots
    )
    column = 4 * 2 * network.dimensions.decoder_layers * network.dimensions.width
    return BlockReader(lanes, lambda count: kind(sessions, count), column, kind.fewest)


def _int8_is_fast() -> bool:
    """False also if it cannot be tested: exported models run without the package onnx."""
    try:
        return not int8_overflow.needs_workaround()
    except ModuleNotFoundError:
        return False
