"""A transformer that runs: token ids in, log-probabilities or next tokens out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mtprobe.backends.device import Device
from mtprobe.engine.graphs.facts import TransformerFacts
from mtprobe.engine.graphs.graph import Graph, Graphs, SavedGraph
from mtprobe.engine.runtime.device_arrays import Value
from mtprobe.engine.runtime.encoding import encoded
from mtprobe.engine.runtime.half import refuse_overflow, state_kind
from mtprobe.engine.runtime.interface import Floats, Tokens
from mtprobe.engine.runtime.lanes import ALONE, Lanes
from mtprobe.engine.runtime.occlusion import graph_without, kept_tokens
from mtprobe.engine.runtime.packing import FEWEST_COLUMNS, Integers, Packed, group, pack
from mtprobe.engine.runtime.prefix_trees import plant
from mtprobe.engine.runtime.session import CPU, Session
from mtprobe.engine.runtime.transformer_join import joined
from mtprobe.engine.runtime.transformer_state import Attended, TransformerState
from mtprobe.system.cores import cores

MOST_LANES = 4  # each reads all weights, so its share must not become too small
KEEP_WHILE_USED = 0.75  # of the sentences; moving the rest together costs about as much as a step


@dataclass
class TransformerNetwork:
    """A model with the graphs that have been asked of it so far. A `ScoreNetwork` and a `StepNetwork`."""

    facts: TransformerFacts
    graphs: Graphs
    device: Device
    threads: int | None

    # What is scored is divided among lanes, which keep every core at work all the time; the threads of a
    # session wait for each other behind every node of the graph.
    @cached_property
    def _encode(self) -> Session:
        return self._in_lanes(self.graphs["encode"])

    @cached_property
    def _encode_without(self) -> Session:
        return self._in_lanes(graph_without(self.graphs))

    @cached_property
    def _read(self) -> Session:
        return self._in_lanes(self.graphs["read"])

    @cached_property
    def _judge(self) -> Session:
        return self._in_lanes(self.graphs["judge"])

    def _in_lanes(self, graph: Graph | SavedGraph) -> Session:
        """Lanes bring their own thread; a session helps them with those that are left."""
        threads = self.threads or cores()
        return Session(graph, self.device, threads - min(threads, MOST_LANES) + 1)

    @cached_property
    def lanes(self) -> Lanes:
        on_cpu = self._encode.provider == CPU
        return Lanes(min(self.threads or cores(), MOST_LANES) if on_cpu else 1)

    def open_for_scores(self) -> Lanes:
        """The lanes in which pairs may be scored; what they share is opened once, before they need it."""
        _ = self._read, self._judge
        return self.lanes

    def open_for_occlusion(self) -> Lanes:
        """The same for `score_without`."""
        _ = self._encode_without
        return self.open_for_scores()

    # A step has few tokens: here threads read a part of the weights each rather than all of them.
    @cached_property
    def _step(self) -> Session:
        return Session(self.graphs["step"], self.device, self.threads)

    @cached_property
    def _project(self) -> Session:
        return Session(self.graphs["project"], self.device, self.threads)

    @property
    def provider(self) -> str | None:
        """What it runs on; known once something has run."""
        return self._encode.provider if "_encode" in self.__dict__ else None

    def score(
        self, sources: Sequence[Tokens], targets: Sequence[Tokens], prefixes: Sequence[Tokens]
    ) -> list[Floats]:
        """The log-probability of each target token, given its source, the prefix and the tokens before.

        Lanes may ask at the same time.
        """
        pairs = list(zip(map(tuple, sources), map(tuple, targets), map(tuple, prefixes), strict=True))
        distinct = list(dict.fromkeys(source for source, _, _ in pairs))
        rows = {source: row for row, source in enumerate(distinct)}
        asked = [(rows[source], target, prefix) for source, target, prefix in pairs]
        return self._scores(pack(distinct), self._cross_to_read(distinct), asked)

    def score_without(
        self,
        sources: Sequence[Tokens],
        targets: Sequence[Tokens],
        prefixes: Sequence[Tokens],
        without: Sequence[int | None],
    ) -> list[Floats]:
        """As `score`, with zeros for the embedding of the source token at the given place; None: of no token."""
        source = pack(sources)
        kept = kept_tokens(source, without).astype(state_kind(self.facts.dtype))
        inputs = {**self._to_encode(source), "source_kept": kept}
        _, (cross,) = self._encode_without.run_staying((), ["cross"], inputs)
        rows = range(len(sources))
        return self._scores(source, cross, list(zip(rows, targets, prefixes, strict=True)))

    def _scores(
        self, source: Packed, cross: Value, pairs: Sequence[tuple[int, Tokens, Tokens]]
    ) -> list[Floats]:
        """Of targets behind their prefixes, each with the row of its source."""
        read = plant([(row, (*prefix, *target[:-1])) for row, target, prefix in pairs])
        _check_length(int(read.depths.max()) + 1, self.facts.longest_target, "target")
        chosen = [pairs[index][0] for index in read.sources]
        behind = [path[len(prefix) - 1 :] for path, (_, _, prefix) in zip(read.paths, pairs, strict=True)]
        wanted, asked_rows = np.unique(np.concatenate(behind), return_inverse=True)
        _, (hidden,) = self._read.run_staying(
            (),
            ["hidden"],
            {
                "cross": cross,
                "source_unpack": source.unpack[chosen],
                "source_mask": source.mask[chosen],
                "target": read.tokens,
                "target_depths": read.depths,
                "target_places": read.slots,
                "target_rows": read.rows,
                "target_unpack": read.unpack,
                "target_mask": read.mask,
                "wanted": wanted,
            },
        )
        asked = pack([target for _, target, _ in pairs])
        (logprobs,) = self._judge.run(
            ["logprobs"],
            {"hidden": hidden, "asked_rows": asked_rows, "target": asked.tokens},
        )
        return asked.split(refuse_overflow(logprobs, self.facts.dtype))

    def start(self, sources: Sequence[Tokens], prefixes: Sequence[Tokens]) -> TransformerState:
        """One row a source, behind all of its prefix but the last token."""
        facts, count = self.facts, len(sources)
        nothing = np.zeros((count, facts.heads, 0, facts.width // facts.heads), state_kind(facts.dtype))
        state = TransformerState(
            attended=self._attend_to(sources),
            sentences=np.arange(count),
            places=np.zeros(count, np.int64),
            filled=np.zeros((count, 0), np.int32),
            keys_and_values=[nothing] * (2 * facts.decoder_layers),
        )
        # Prefixes end together: where the shorter ones have nothing yet, anything is read and never looked at.
        longest = max(map(len, prefixes))
        padded = np.array([(*[0] * (longest - len(prefix)), *prefix) for prefix in prefixes], np.int64)
        begins = np.array([longest - len(prefix) for prefix in prefixes])
        for column in range(longest - 1):
            _, state = self._advance(state, np.arange(count), padded[:, column], column >= begins)
        return state

    def join(self, states: Sequence[TransformerState]) -> TransformerState:
        """The rows of all states in order, whatever the lengths of their sources and hypotheses."""
        return joined(states)

    def step(
        self, state: TransformerState, rows: Integers, tokens: Integers, top: int
    ) -> tuple[TransformerState, Floats, Integers]:
        """Continues the given rows with a token each; gives what may follow, best first, and the new state."""
        hidden, state = self._advance(state, rows, tokens, np.ones(len(rows), bool))
        inputs: dict[str, Value] = {
            "hidden": hidden,
            "top": np.array([min(top, self.facts.target_vocabulary)]),
        }
        logprobs, words = self._project.run(["top_logprobs", "top_words"], inputs)
        return state, refuse_overflow(logprobs, self.facts.dtype), words

    def _advance(
        self, state: TransformerState, rows: Integers, tokens: Integers, counts: npt.NDArray[np.bool_]
    ) -> tuple[Value, TransformerState]:
        """Reads a token a row; one that does not count takes no position and is never attended to."""
        attended, sentences = _only_used(state.attended, state.sentences[rows])
        attended = replace(
            attended, keys_and_values=[self._step.hold(values) for values in attended.keys_and_values]
        )
        beside = group(sentences, len(attended.mask), FEWEST_COLUMNS if self.facts.dtype == "int8" else 1)
        filled = np.concatenate([state.filled[rows], counts[:, None].astype(np.int32)], axis=1)
        places = state.places[rows]
        _check_length(int(places.max()) + 1, self.facts.longest_target, "target")
        inputs: dict[str, Value] = {
            "tokens": np.asarray(tokens, np.int64),
            "places": places,
            "parents": np.asarray(rows, np.int64),
            "filled": filled,
            "source_mask": attended.mask,
            "row_places": beside.places,
            "row_rows": sentences,
            "row_unpack": beside.unpack,
            **dict(zip(self._names("{}_{}"), state.keys_and_values, strict=True)),
            **dict(zip(self._names("cross_{}_{}"), attended.keys_and_values, strict=True)),
        }
        _, (hidden, *grown) = self._step.run_staying((), ["hidden", *self._names("next_{}_{}")], inputs)
        return hidden, TransformerState(attended, sentences, places + counts, filled, grown)

    def _names(self, pattern: str) -> list[str]:
        numbers = range(self.facts.decoder_layers)
        return [pattern.format(what, number) for number in numbers for what in ("keys", "values")]

    def _attend_to(self, sources: Sequence[Tokens]) -> Attended:
        source, facts = pack(sources), self.facts
        # [tokens, layers × 2 × width] → layers × 2 times [sentences, heads, longest, width of a head]
        side_by_side = self._cross(sources, self.lanes)[source.unpack]
        heads = side_by_side.reshape(*source.unpack.shape, 2 * facts.decoder_layers, facts.heads, -1)
        return Attended(source.mask, list(np.ascontiguousarray(heads.transpose(2, 0, 3, 1, 4))))

    def _cross(self, sources: Sequence[Tokens], lanes: Lanes = ALONE) -> Floats:
        """What the decoder attends to, token by token in the order of the sources."""
        return encoded(sources, self._encode_batch, lanes)

    def _cross_to_read(self, sources: Sequence[Tokens]) -> Value:
        """The same, where the decoder finds it: what stays on a device is encoded in one batch."""
        if not self._encode.bound:
            return self._cross(sources)
        return self._encode.run_staying((), ["cross"], self._to_encode(pack(sources)))[1][0]

    def _encode_batch(self, source: Packed) -> Floats:
        return self._encode.run(["cross"], self._to_encode(source))[0]

    def _to_encode(self, source: Packed) -> Mapping[str, Value]:
        _check_length(int(source.lengths.max()), self.facts.longest_source, "source")
        return {
            "source": source.tokens,
            "source_places": source.places,
            "source_rows": source.rows,
            "source_unpack": source.unpack,
            "source_mask": source.mask,
        }


def _only_used(attended: Attended, sentences: Integers) -> tuple[Attended, Integers]:
    """Forgets the sentences that no translation belongs to any more, once they are many."""
    used, renumbered = np.unique(sentences, return_inverse=True)
    if len(used) > KEEP_WHILE_USED * len(attended.mask):
        return attended, sentences
    return attended.keep(used), renumbered


def _check_length(length: int, longest: int, what: str) -> None:
    if length > longest:
        raise ValueError(f"a {what} has {length} tokens; this model has positions for {longest}")
