"""A runnable SSRU model: token ids in, log-probabilities or next tokens out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mtprobe.engine.graphs.definition import SsruDimensions
from mtprobe.engine.runtime.interface import Floats, Tokens
from mtprobe.engine.runtime.lanes import SINGLE_LANE
from mtprobe.engine.runtime.network import Network
from mtprobe.engine.runtime.packing import Integers, Packed, pack
from mtprobe.engine.runtime.session import Session, Value, on_host


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
class SsruNetwork(Network):
    """Every sentence ends with EOS."""

    dimensions: SsruDimensions

    @cached_property
    def _score(self) -> Session:
        return self._open(self.graphs["score"])

    @cached_property
    def _step(self) -> Session:
        return self._open(self.graphs["greedy_step"])

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
        return self._scores(source, self._cross_without(source, without), targets)

    def attention(
        self, sources: Sequence[Tokens], targets: Sequence[Tokens], prefixes: Sequence[Tokens] = ()
    ) -> list[Floats]:
        """How much each target token, when it is predicted, attends to each source token: [target, source]."""
        if any(len(prefix) > 1 for prefix in prefixes):
            raise ValueError("the prefix of this model must be one token")
        source, target = pack(sources), pack(targets)
        (attention,) = self._attend.run(
            ["attention"],
            {
                "cross": self._cross_to_score(sources),
                "source_unpack": source.unpack,
                "source_mask": source.mask,
                "previous": target.previous(),
                "target_places": target.places,
                "target_rows": target.rows,
                "target_unpack": target.unpack,
                "wanted": np.arange(len(target.tokens)),
            },
        )
        by_pair = zip(target.split(attention), source.lengths, strict=True)
        return [rows[:, :length] for rows, length in by_pair]

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
        return target.split(self.refuse_overflow(logprobs))

    def start(self, sources: Sequence[Tokens]) -> DecoderState:
        """The state before the first token of each translation."""
        source, dimensions, count = pack(sources), self.dimensions, len(sources)
        return DecoderState(
            previous=np.zeros(count, np.int64),
            places=np.zeros(count, np.int64),
            mask=source.mask,
            cells=[np.zeros((count, dimensions.width), self.state_dtype)] * dimensions.decoder_layers,
            cross=self.keys_and_values(sources, source, SINGLE_LANE),
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
        self.refuse_overflow(logprob)
        after = replace(state, previous=token, places=state.places + 1, cells=cells, cross=cross)
        return token, logprob, after
