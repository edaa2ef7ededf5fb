"""The base of networks with an encoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mtprobe.engine.graphs.definition import Graph, Graphs, SavedGraph, SsruDimensions, TransformerDimensions
from mtprobe.engine.runtime.batches import Size, in_batches
from mtprobe.engine.runtime.interface import Floats, Tokens
from mtprobe.engine.runtime.lanes import SINGLE_LANE, Lanes
from mtprobe.engine.runtime.packing import Packed, pack
from mtprobe.engine.runtime.projecting_network import ProjectingNetwork
from mtprobe.engine.runtime.session import Session, Value
from mtprobe.errors import ModelError

ENCODE_BUDGET = Size(source=512, target=0)
OCCLUSION_GRAPH = "encode_without"
ATTENTION_GRAPH = "attend"


@dataclass
class Network(ProjectingNetwork):
    """A network with an encoder."""

    dimensions: SsruDimensions | TransformerDimensions

    @cached_property
    def _encode(self) -> Session:
        return self._open(self.graphs["encode"])

    @cached_property
    def _encode_without(self) -> Session:
        return self._open(optional_graph(self.graphs, OCCLUSION_GRAPH, "salience"))

    @cached_property
    def _attend(self) -> Session:
        return self._open(optional_graph(self.graphs, ATTENTION_GRAPH, "focus scoring"))

    def _open(self, graph: Graph | SavedGraph) -> Session:
        """A session for scoring."""
        return Session(graph, self.device, self.threads)

    @property
    def provider(self) -> str | None:
        """The execution provider; known once something has run."""
        for name in ("_encode", "_encode_without"):
            if name in self.__dict__:
                return str(self.__dict__[name].provider)
        return None

    def open_encoder(self, *, occluding: bool = False) -> str:
        """Opens the encoder, or the one with occluded tokens; returns the execution provider."""
        return (self._encode_without if occluding else self._encode).provider

    def open_for_scores(self) -> Lanes:
        """The lanes for scoring; the sessions that they share are opened before they start."""
        return SINGLE_LANE

    def open_for_search(self) -> Lanes:
        """The same for searches, which each translate their own sentences."""
        return SINGLE_LANE

    def open_for_occlusion(self) -> Lanes:
        """The same for `score_without`."""
        return SINGLE_LANE

    def open_for_attention(self) -> Lanes:
        """The same for `attention`."""
        return SINGLE_LANE

    def keys_and_values(self, sources: Sequence[Tokens], source: Packed, lanes: Lanes) -> list[Value]:
        """The keys and values that each decoder layer attends to, [sentences, heads, longest, head width]."""
        # [tokens, layers × 2 × width] → layers × 2 times [sentences, heads, longest, head width]
        padded = self._cross(sources, lanes)[source.unpack]
        layers, heads = self.dimensions.decoder_layers, self.dimensions.heads
        by_head = padded.reshape(*source.unpack.shape, 2 * layers, heads, -1)
        return list(np.ascontiguousarray(by_head.transpose(2, 0, 3, 1, 4)))

    def _cross_to_score(self, sources: Sequence[Tokens]) -> Value:
        """The keys and values that the decoder attends to, on its device if encoded in one batch."""
        if not self._encode.bound:
            return self._cross(sources)
        return self._encode.run_with_device_outputs((), ["cross"], self._to_encode(pack(sources)))[1][0]

    def _cross_without(self, source: Packed, without: Sequence[int | None]) -> Value:
        """The same, with the source token at the given place occluded."""
        kept = kept_mask(source, without).astype(self.state_dtype)
        inputs = {**self._to_encode(source), "source_kept": kept}
        return self._encode_without.run_with_device_outputs((), ["cross"], inputs)[1][0]

    def encoded(self, sources: Sequence[Tokens], session: Session) -> Floats:
        """The keys and values for the decoder, [tokens, layers × (keys, values) × width], from an encoder session."""
        return self._cross(sources, session=session)

    def _cross(
        self, sources: Sequence[Tokens], lanes: Lanes = SINGLE_LANE, session: Session | None = None
    ) -> Floats:
        """The same, token by token in the order of the sources.

        Sources are encoded in small batches of similar length, independently of the decoder's batches. These save
        attention over padding, and concatenating the results is free because they are packed.
        """

        def run(batch: Sequence[tuple[int, ...]]) -> list[Floats]:
            packed = pack(batch)
            return packed.split((session or self._encode).run(["cross"], self._to_encode(packed))[0])

        return np.concatenate(
            in_batches(
                [tuple(source) for source in sources],
                size=lambda source: Size(len(source), 0),
                run=run,
                budget=ENCODE_BUDGET,
                lanes=lanes,
            )
        )

    def _to_encode(self, source: Packed) -> Mapping[str, Value]:
        return {
            "source": source.tokens,
            "source_places": source.places,
            "source_rows": source.rows,
            "source_unpack": source.unpack,
            "source_mask": source.mask,
        }


def optional_graph(graphs: Graphs, name: str, purpose: str) -> Graph | SavedGraph:
    """A graph that models exported by earlier versions lack."""
    if name not in list(graphs):  # `in` on the mapping itself would build the graph
        raise ModelError(f"this model was exported without the graph for {purpose}: export it again")
    return graphs[name]


def kept_mask(source: Packed, without: Sequence[int | None]) -> npt.NDArray[np.float32]:
    """[tokens] 0 at the given place of each sentence (None: nowhere), 1 elsewhere.

    An occluded token keeps its position but has zeros for its embedding, as in the published code of Wino-X.
    """
    kept = np.ones(len(source.tokens), np.float32)
    starts = np.cumsum(source.lengths) - source.lengths
    for start, length, place in zip(starts, source.lengths, without, strict=True):
        if place is not None:
            if not 0 <= place < length:
                raise ValueError(f"a source of {length} tokens has no place {place}")
            kept[start + place] = 0
    return kept
