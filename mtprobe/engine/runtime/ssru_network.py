"""An SSRU model that runs: token ids in, log-probabilities or next tokens out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mtprobe.backends.device import Device
from mtprobe.engine.graphs.definition import SsruDimensions
from mtprobe.engine.graphs.graph import Graphs
from mtprobe.engine.runtime.device_arrays import Value, on_host
from mtprobe.engine.runtime.encoding import encode_in_batches
from mtprobe.engine.runtime.half_precision import refuse_overflow, state_dtype
from mtprobe.engine.runtime.interface import Floats, Tokens
from mtprobe.engine.runtime.occlusion import kept_mask, occlusion_graph
from mtprobe.engine.runtime.packing import Integers, Packed, pack
from mtprobe.engine.runtime.session import Session


@dataclass(frozen=True, slots=True)
class DecoderState:
    """The state of greedy translation: one row per sentence."""

    previous: Integers
    places: Integers
    mask: npt.NDArray[np.int32]
    cells: list[Value]  # one per decoder layer
    cross: list[Value]  # keys and values of each decoder layer in turn

    def keep(self, rows: Integers) -> DecoderState:
        """Only the given rows, without source positions that are padding in all of them."""
        mask = self.mask[rows]
        longest = int(mask.sum(axis=1).max())
        return DecoderState(
            previous=self.previous[rows],
            places=self.places[rows],
            mask=np.ascontiguousarray(mask[:, :longest]),
            cells=[on_host(cell)[rows] for cell in self.cells],
            cross=[np.ascontiguousarray(on_host(values)[rows, :, :longest]) for values in self.cross],
        )


@dataclass
class SsruNetwork:
    """A network that opens its graphs when they are first used; every sentence ends with EOS."""

    dimensions: SsruDimensions
    graphs: Graphs
    device: Device
    threads: int | None

    def open(self, name: str) -> Session:
        """A session for the graph of that name."""
        return Session(self.graphs[name], self.device, self.threads)

    @cached_property
    def _encode(self) -> Session:
        return self.open("encode")

    @cached_property
    def _encode_without(self) -> Session:
        return Session(occlusion_graph(self.graphs), self.device, self.threads)

    @cached_property
    def _score(self) -> Session:
        return self.open("score")

    @cached_property
    def _step(self) -> Session:
        return self.open("greedy_step")

    @property
    def provider(self) -> str | None:
        """The execution provider; known once something has run."""
        for name in ("_encode", "_encode_without"):
            if name in self.__dict__:
                return str(self.__dict__[name].provider)
        return None

    def score(
        self, sources: Sequence[Tokens], targets: Sequence[Tokens], prefixes: Sequence[Tokens] = ()
    ) -> list[Floats]:
        """The log-probability of each target token given its source.

        The decoder has no start token: a prefix is at most one token, which is ignored.
        """
        if any(len(prefix) > 1 for prefix in prefixes):
            raise ValueError("the prefix of this model must be one token")
        return self._scores(pack(sources), self._cross_to_score(sources), targets)

    def score_without(
        self,
        sources: Sequence[Tokens],
        targets: Sequence[Tokens],
        prefixes: Sequence[Tokens],  # noqa: ARG002 - the decoder has no start token
        without: Sequence[int | None],
    ) -> list[Floats]:
        """As `score`, with the source token at the given place occluded; None: no token."""
        source = pack(sources)
        kept = kept_mask(source, without).astype(state_dtype(self.dimensions.dtype))
        inputs = {**_to_encode(source), "source_kept": kept}
        _, (cross,) = self._encode_without.run_with_device_outputs((), ["cross"], inputs)
        return self._scores(source, cross, targets)

    def _scores(self, source: Packed, cross: Value, targets: Sequence[Tokens]) -> list[Floats]:
        target = pack(targets)
        (logprobs,) = self._score.run(
            ["logprobs"],
            {
                "cross": cross,
                "source_unpack": source.unpack,
                "source_mask": source.mask,
                "previous": target.previous(),
                "target": target.tokens,
                "target_places": target.places,
                "target_rows": target.rows,
                "target_unpack": target.unpack,
            },
        )
        return target.split(refuse_overflow(logprobs, self.dimensions.dtype))

    def start(self, sources: Sequence[Tokens]) -> DecoderState:
        """The state before the first token of each translation."""
        source, dimensions = pack(sources), self.dimensions
        count = len(sources)
        # [tokens, layers × 2 × width] → layers × 2 times [sentences, heads, longest, head width]
        padded = self.cross(sources)[source.unpack]
        heads = padded.reshape(*source.unpack.shape, 2 * dimensions.decoder_layers, dimensions.heads, -1)
        return DecoderState(
            previous=np.zeros(count, np.int64),
            places=np.zeros(count, np.int64),
            mask=source.mask,
            cells=[np.zeros((count, dimensions.width), state_dtype(dimensions.dtype))]
            * dimensions.decoder_layers,
            cross=list(np.ascontiguousarray(heads.transpose(2, 0, 3, 1, 4))),
        )

    def step(self, state: DecoderState) -> tuple[Integers, Floats, DecoderState]:
        """The likeliest next token of each row, its log-probability, and the state after it."""
        numbers = range(1, self.dimensions.decoder_layers + 1)
        cross = [self._step.to_device(values) for values in state.cross]
        inputs: dict[str, Value] = {
            "previous": state.previous,
            "places": state.places,
            "source_mask": state.mask,
        }
        for number in numbers:
            inputs[f"cells_{number}"] = state.cells[number - 1]
            inputs[f"keys_{number}"], inputs[f"values_{number}"] = cross[2 * number - 2 : 2 * number]
        (token, logprob), cells = self._step.run_with_device_outputs(
            ["token", "logprob"], [f"next_cells_{number}" for number in numbers], inputs
        )
        refuse_overflow(logprob, self.dimensions.dtype)
        after = replace(state, previous=token, places=state.places + 1, cells=cells, cross=cross)
        return token, logprob, after

    def cross(self, sources: Sequence[Tokens]) -> Floats:
        """What the decoder attends to, token by token in the order of the sources."""
        return encode_in_batches(sources, self._encode_batch)

    def _cross_to_score(self, sources: Sequence[Tokens]) -> Value:
        """The same, on the device of the decoder, where it is encoded in one batch."""
        if not self._encode.bound:
            return self.cross(sources)
        return self._encode.run_with_device_outputs((), ["cross"], _to_encode(pack(sources)))[1][0]

    def _encode_batch(self, source: Packed) -> Floats:
        return self._encode.run(["cross"], _to_encode(source))[0]


def _to_encode(source: Packed) -> Mapping[str, Value]:
    return {
        "source": source.tokens,
        "source_places": source.places,
        "source_rows": source.rows,
        "source_unpack": source.unpack,
        "source_mask": source.mask,
    }
