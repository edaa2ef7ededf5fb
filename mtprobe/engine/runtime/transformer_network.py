"""A runnable transformer: token ids in, log-probabilities or next tokens out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from mtprobe.engine.graphs.definition import Graph, SavedGraph, TransformerDimensions
from mtprobe.engine.runtime.interface import Floats, Tokens
from mtprobe.engine.runtime.lanes import SINGLE_LANE, Lanes
from mtprobe.engine.runtime.network import Network
from mtprobe.engine.runtime.packing import FEWEST_COLUMNS, Integers, Packed, pack
from mtprobe.engine.runtime.prefix_trees import build_forest
from mtprobe.engine.runtime.session import CPU, Session, Value
from mtprobe.engine.runtime.transformer_state import (
    Attended,
    Flags,
    NewTokens,
    TransformerState,
    join_states,
)
from mtprobe.system.cores import cores

MOST_LANES = 4  # each lane reads all weights, so its share must not become too small


@dataclass
class TransformerNetwork(Network):
    """A `StepNetwork`."""

    dimensions: TransformerDimensions

    # Work is divided among lanes, which keep every core busy; the threads of a session wait for each other
    # after every node of the graph.
    @cached_property
    def _read(self) -> Session:
        return self._open(self.graphs["read"])

    @cached_property
    def _judge(self) -> Session:
        return self._open(self.graphs["judge"])

    def _open(self, graph: Graph | SavedGraph) -> Session:
        """Each lane has its own thread; the session gets the remaining ones."""
        threads = self.threads or cores()
        return Session(graph, self.device, threads - min(threads, MOST_LANES) + 1)

    @cached_property
    def lanes(self) -> Lanes:
        on_cpu = self._encode.provider == CPU
        return Lanes(min(self.threads or cores(), MOST_LANES) if on_cpu else 1)

    def open_for_scores(self) -> Lanes:
        _ = self._read, self._judge
        return self.lanes

    def open_for_occlusion(self) -> Lanes:
        _ = self._encode_without
        return self.open_for_scores()

    def open_for_attention(self) -> Lanes:
        _ = self._attend
        return self.lanes

    @cached_property
    def _step(self) -> Session:
        return self._open_for_steps(self.graphs["step"])

    def _open_for_steps(self, graph: Graph | SavedGraph) -> Session:
        return self._open(graph)

    def open_for_search(self) -> Lanes:
        _ = self._encode, self._step, self._project
        return self.lanes

    def score(
        self, sources: Sequence[Tokens], targets: Sequence[Tokens], prefixes: Sequence[Tokens]
    ) -> list[Floats]:
        """The log-probability of each target token, given its source, the prefix and the tokens before it.

        Thread-safe, for lanes.
        """
        distinct, pairs = self._by_source(sources, targets, prefixes)
        return self._scores(pack(distinct), self._cross_to_score(distinct), pairs)

    def score_without(
        self,
        sources: Sequence[Tokens],
        targets: Sequence[Tokens],
        prefixes: Sequence[Tokens],
        without: Sequence[int | None],
    ) -> list[Floats]:
        """As `score`, with the source token at the given place occluded; None: no token."""
        source = pack(sources)
        pairs = list(zip(range(len(sources)), targets, prefixes, strict=True))
        return self._scores(source, self._cross_without(source, without), pairs)

    def attention(
        self, sources: Sequence[Tokens], targets: Sequence[Tokens], prefixes: Sequence[Tokens]
    ) -> list[Floats]:
        """How much each target token, when it is predicted, attends to each source token: [target, source].

        Thread-safe, for lanes.
        """
        source, pairs = self._by_source(sources, targets, prefixes)
        inputs, rows = self._to_read(pack(source), self._cross_to_score(source), pairs)
        (attention,) = self._attend.run(["attention"], inputs)
        by_pair = zip(pack(targets).split(attention[rows]), sources, strict=True)
        return [weights[:, : len(tokens)] for weights, tokens in by_pair]

    def _by_source(
        self, sources: Sequence[Tokens], targets: Sequence[Tokens], prefixes: Sequence[Tokens]
    ) -> tuple[list[tuple[int, ...]], list[tuple[int, Tokens, Tokens]]]:
        """The distinct sources, and triples of the row of a source, a target and its prefix."""
        distinct = list(dict.fromkeys(map(tuple, sources)))
        rows = {source: row for row, source in enumerate(distinct)}
        triples = zip(sources, targets, prefixes, strict=True)
        return distinct, [(rows[tuple(source)], target, prefix) for source, target, prefix in triples]

    def _scores(
        self, source: Packed, cross: Value, pairs: Sequence[tuple[int, Tokens, Tokens]]
    ) -> list[Floats]:
        """Scores triples of the row of a source, a target and its prefix."""
        inputs, asked_rows = self._to_read(source, cross, pairs)
        _, (hidden,) = self._read.run_with_device_outputs((), ["hidden"], inputs)
        target = pack([target for _, target, _ in pairs])
        (logprobs,) = self._judge.run(
            ["logprobs"],
            {"hidden": hidden, "asked_rows": asked_rows, "target": target.tokens},
        )
        return target.split(self.refuse_overflow(logprobs))

    def _to_read(
        self, source: Packed, cross: Value, pairs: Sequence[tuple[int, Tokens, Tokens]]
    ) -> tuple[Mapping[str, Value], Integers]:
        """The decoder's inputs, and the row of each target token among the wanted ones."""
        forest = build_forest([(row, (*prefix, *target[:-1])) for row, target, prefix in pairs])
        _check_length(int(forest.depths.max()) + 1, self.dimensions.longest_target, "target")
        source_rows = [pairs[index][0] for index in forest.sources]
        scored = [path[len(prefix) - 1 :] for path, (_, _, prefix) in zip(forest.paths, pairs, strict=True)]
        wanted, asked_rows = np.unique(np.concatenate(scored), return_inverse=True)
        inputs = {
            "cross": cross,
            "source_unpack": source.unpack[source_rows],
            "source_mask": source.mask[source_rows],
            "target": forest.tokens,
            "target_depths": forest.depths,
            "target_places": forest.slots,
            "target_rows": forest.rows,
            "target_unpack": forest.unpack,
            "target_mask": forest.mask,
            "wanted": wanted,
        }
        return inputs, asked_rows

    def start(self, sources: Sequence[Tokens], prefixes: Sequence[Tokens]) -> TransformerState:
        """One row per source, after all tokens of its prefix except the last."""
        dimensions, count = self.dimensions, len(sources)
        size = (count, dimensions.heads, 0, dimensions.width // dimensions.heads)
        state = TransformerState(
            attended=self._attend_to(sources),
            cache=[np.zeros(size, self.state_dtype) for _ in range(2 * dimensions.decoder_layers)],
            sentences=np.arange(count),
            places=np.zeros(count, np.int64),
            seen=np.zeros((count, 0), bool),
        )
        # Prefixes are right-aligned: the padding before shorter ones is read but never attended to.
        longest = max(map(len, prefixes))
        padded = np.array([(*[0] * (longest - len(prefix)), *prefix) for prefix in prefixes], np.int64)
        begins = np.array([longest - len(prefix) for prefix in prefixes])
        for column in range(longest - 1):
            _, state = self._advance(state, np.arange(count), padded[:, column], column >= begins)
        return state

    def join(self, states: Sequence[TransformerState]) -> TransformerState:
        """The rows of all states in order, whatever the lengths of their sources and hypotheses."""
        return join_states(states)

    def step(
        self, state: TransformerState, rows: Integers, tokens: Integers, top: int
    ) -> tuple[TransformerState, Floats, Integers]:
        """Continues each given row with a token; returns the new state and the likeliest next tokens, best first."""
        hidden, state = self._advance(state, rows, tokens, np.ones(len(rows), bool))
        return state, *self.likeliest(hidden, top)

    def _advance(
        self, state: TransformerState, rows: Integers, tokens: Integers, counts: Flags
    ) -> tuple[Value, TransformerState]:
        """Reads one token per row; a token that does not count takes no position and is never attended to."""
        dimensions = self.dimensions
        state, new = NewTokens.of(state.continued(rows), FEWEST_COLUMNS if dimensions.dtype == "int8" else 1)
        attended, sentences, places = state.attended, state.sentences, state.places
        _check_length(int(places.max()) + 1, dimensions.longest_target, "target")
        attended = replace(
            attended, keys_and_values=[self._step.to_device(values) for values in attended.keys_and_values]
        )
        seen = state.seen
        seen[np.arange(len(rows)), new.slots] = counts
        inputs: dict[str, Value] = {
            "tokens": np.asarray(tokens, np.int64),
            "places": places,
            "slots": new.indices(sentences, dimensions.heads),
            "seen": new.seen_by_sentence(seen),
            "source_mask": attended.mask,
            "row_places": new.places,
            "row_rows": sentences,
            "row_unpack": new.unpack,
            **dict(zip(self._names("cross_{}_{}"), attended.keys_and_values, strict=True)),
        }
        hidden, cache = self._step.run_in_place(
            "hidden", inputs, dict(zip(self._names("{}_{}"), state.cache, strict=True))
        )
        return hidden, TransformerState(attended, cache, sentences, places + counts, seen)

    def _names(self, pattern: str) -> list[str]:
        numbers = range(self.dimensions.decoder_layers)
        return [pattern.format(what, number) for number in numbers for what in ("keys", "values")]

    def _attend_to(self, sources: Sequence[Tokens]) -> Attended:
        source = pack(sources)
        return Attended(source.mask, self.keys_and_values(sources, source, SINGLE_LANE))

    def _to_encode(self, source: Packed) -> Mapping[str, Value]:
        _check_length(int(source.lengths.max()), self.dimensions.longest_source, "source")
        return super()._to_encode(source)


def _check_length(length: int, longest: int, what: str) -> None:
    if length > longest:
        raise ValueError(f"a {what} has {length} tokens; this model has positions for {longest}")
