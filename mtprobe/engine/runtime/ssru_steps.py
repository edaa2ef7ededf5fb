"""Token-by-token translation with an SSRU decoder, for any number of hypotheses per source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mtprobe.engine.runtime.interface import Floats, Tokens
from mtprobe.engine.runtime.lanes import SINGLE_LANE
from mtprobe.engine.runtime.packing import FEWEST_COLUMNS, Integers, group, pack
from mtprobe.engine.runtime.session import Session, Value, on_host
from mtprobe.engine.runtime.ssru_network import SsruNetwork
from mtprobe.engine.runtime.transformer_state import pad_end


@dataclass(frozen=True, slots=True)
class SsruState:
    """One row per hypothesis; what they attend to has one row per sentence."""

    mask: npt.NDArray[np.int32]  # [sentences, longest]
    cross: list[Value]  # keys and values of each decoder layer in turn, [sentences, heads, longest, …]
    sentences: Integers  # [rows]
    places: Integers  # [rows]
    cells: list[Value]  # one per decoder layer, [rows, width]


@dataclass
class SsruSteps:
    """A `StepNetwork`. These decoders have no start token, so a prefix is one token, which is ignored."""

    network: SsruNetwork

    @cached_property
    def _step(self) -> Session:
        network = self.network
        return Session(network.graphs["step"], network.device, network.threads)

    def start(self, sources: Sequence[Tokens], prefixes: Sequence[Tokens]) -> SsruState:
        if any(len(prefix) != 1 for prefix in prefixes):
            raise ValueError("the prefix of this model must be one token")
        source, dimensions, count = pack(sources), self.network.dimensions, len(sources)
        return SsruState(
            mask=source.mask,
            cross=self.network.keys_and_values(sources, source, SINGLE_LANE),
            sentences=np.arange(count),
            places=np.zeros(count, np.int64),
            cells=[np.zeros((count, dimensions.width), self.network.state_dtype)] * dimensions.decoder_layers,
        )

    def join(self, states: Sequence[SsruState]) -> SsruState:
        """The rows of all states in order; shorter sources are padded with positions that are never attended to."""
        offsets = np.cumsum([0, *(len(state.mask) for state in states[:-1])])
        longest = max(state.mask.shape[1] for state in states)
        return SsruState(
            mask=np.concatenate([pad_end(state.mask, longest, axis=1) for state in states]),
            cross=[
                np.concatenate([pad_end(on_host(values), longest, axis=2) for values in layer])
                for layer in zip(*(state.cross for state in states), strict=True)
            ],
            sentences=np.concatenate(
                [state.sentences + offset for state, offset in zip(states, offsets, strict=True)]
            ),
            places=np.concatenate([state.places for state in states]),
            cells=[
                np.concatenate([on_host(cells) for cells in layer])
                for layer in zip(*(state.cells for state in states), strict=True)
            ],
        )

    def step(
        self, state: SsruState, rows: Integers, tokens: Integers, top: int
    ) -> tuple[SsruState, Floats, Integers]:
        sentences, places = state.sentences[rows], state.places[rows]
        dimensions, cross = self.network.dimensions, [self._step.to_device(values) for values in state.cross]
        rows_by_sentence = group(
            sentences, len(state.mask), FEWEST_COLUMNS if dimensions.dtype == "int8" else 1
        )
        numbers = range(1, dimensions.decoder_layers + 1)
        inputs: dict[str, Value] = {
            "parents": np.asarray(rows, np.int64),
            "previous": np.asarray(tokens, np.int64),
            "places": places,
            "source_mask": state.mask,
            "row_places": rows_by_sentence.places,
            "row_rows": sentences,
            "row_unpack": rows_by_sentence.unpack,
        }
        for number in numbers:
            inputs[f"cells_{number}"] = state.cells[number - 1]
            inputs[f"keys_{number}"], inputs[f"values_{number}"] = cross[2 * number - 2 : 2 * number]
        names = ["hidden", *(f"next_cells_{number}" for number in numbers)]
        _, (hidden, *cells) = self._step.run_with_device_outputs((), names, inputs)
        after = SsruState(state.mask, cross, sentences, places + 1, cells)
        return after, *self.network.likeliest(hidden, top)
