"""A model that runs: token ids in, log-probabilities or next tokens out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from mtprobe.backends.device import Device
from mtprobe.engine.graphs.facts import SsruFacts
from mtprobe.engine.graphs.graph import Graphs
from mtprobe.engine.runtime.device_arrays import Value, on_host
from mtprobe.engine.runtime.encoding import encoded
from mtprobe.engine.runtime.half import refuse_overflow, state_kind
from mtprobe.engine.runtime.occlusion import graph_without, kept_tokens
from mtprobe.engine.runtime.packing import Integers, Packed, pack
from mtprobe.engine.runtime.session import Session

Floats: TypeAlias = npt.NDArray[np.float32]
Tokens: TypeAlias = Sequence[int]


@dataclass(frozen=True, slots=True)
class DecoderState:
    """Where the translations of a batch stand: one row a sentence."""

    previous: Integers
    places: Integers
    mask: npt.NDArray[np.int32]
    cells: list[Value]  # one a decoder layer
    cross: list[Value]  # keys and values of each decoder layer in turn

    def keep(self, rows: Integers) -> DecoderState:
        """Only the given rows, and no more source positions than they need."""
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
    """A model with the graphs that have been asked of it so far; every sentence ends with its EOS."""

    facts: SsruFacts
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
        return Session(graph_without(self.graphs), self.device, self.threads)

    @cached_property
    def _score(self) -> Session:
        return self.open("score")

    @cached_property
    def _step(self) -> Session:
        return self.open("greedy_step")

    @property
    def provider(self) -> str | None:
        """What it runs on; known once something has run."""
        for name in ("_encode", "_encode_without"):
            if name in self.__dict__:
                return str(self.__dict__[name].provider)
        return None

    def score(
        self, sources: Sequence[Tokens], targets: Sequence[Tokens], prefixes: Sequence[Tokens] = ()
    ) -> list[Floats]:
        """The log-probability of each target token given its source.

        This decoder starts from nothing: a prefix is at most the one token that stands for it.
        """
        if any(len(prefix) > 1 for prefix in prefixes):
            raise ValueError("a prefix of this model is one token")
        return self._scores(pack(sources), self._cross_to_score(sources), targets)

    def score_without(
        self,
        sources: Sequence[Tokens],
        targets: Sequence[Tokens],
        prefixes: Sequence[Tokens],  # noqa: ARG002 - it starts from nothing
        without: Sequence[int | None],
    ) -> list[Floats]:
        """As `score`, with zeros for the embedding of the source token at the given place; None: of no token."""
        source = pack(sources)
        kept = kept_tokens(source, without).astype(state_kind(self.facts.dtype))
        inputs = {**_to_encode(source), "source_kept": kept}
        _, (cross,) = self._encode_without.run_staying((), ["cross"], inputs)
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
        return target.split(refuse_overflow(logprobs, self.facts.dtype))

    def start(self, sources: Sequence[Tokens]) -> DecoderState:
        """The state before the first token of each translation."""
        source, facts = pack(sources), self.facts
        count = len(sources)
        # [tokens, layers × 2 × width] → layers × 2 times [sentences, heads, longest, width of a head]
        side_by_side = self.cross(sources)[source.unpack]
        heads = side_by_side.reshape(*source.unpack.shape, 2 * facts.decoder_layers, facts.heads, -1)
        return DecoderState(
            previous=np.zeros(count, np.int64),
            places=np.zeros(count, np.int64),
            mask=source.mask,
            cells=[np.zeros((count, facts.width), state_kind(facts.dtype))] * facts.decoder_layers,
            cross=list(np.ascontiguousarray(heads.transpose(2, 0, 3, 1, 4))),
        )

    def step(self, state: DecoderState) -> tuple[Integers, Floats, DecoderState]:
        """The likeliest next token of each row, its log-probability, and the state behind it."""
        numbers = range(1, self.facts.decoder_layers + 1)
        cross = [self._step.hold(values) for values in state.cross]
        inputs: dict[str, Value] = {
            "previous": state.previous,
            "places": state.places,
            "source_mask": state.mask,
        }
        for number in numbers:
            inputs[f"cells_{number}"] = state.cells[number - 1]
            inputs[f"keys_{number}"], inputs[f"values_{number}"] = cross[2 * number - 2 : 2 * number]
        (token, logprob), cells = self._step.run_staying(
            ["token", "logprob"], [f"next_cells_{number}" for number in numbers], inputs
        )
        refuse_overflow(logprob, self.facts.dtype)
        after = replace(state, previous=token, places=state.places + 1, cells=cells, cross=cross)
        return token, logprob, after

    def cross(self, sources: Sequence[Tokens]) -> Floats:
        """What the decoder attends to, token by token in the order of the sources."""
        return encoded(sources, self._encode_batch)

    def _cross_to_score(self, sources: Sequence[Tokens]) -> Value:
        """The same, where the decoder finds it: what stays on a device is encoded in one batch."""
        if not self._encode.bound:
            return self.cross(sources)
        return self._encode.run_staying((), ["cross"], _to_encode(pack(sources)))[1][0]

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
