"""A runnable decoder-only transformer: token ids in, log-probabilities or next tokens out.

Texts often begin alike, with an instruction and examples. That beginning is read once (`begin`); its keys and values are
given to every batch, so that only what follows is computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mtprobe.engine.graphs.definition import CausalDimensions, Graph, SavedGraph
from mtprobe.engine.runtime.batches import Size, in_batches
from mtprobe.engine.runtime.causal_state import CausalState, join_states
from mtprobe.engine.runtime.interface import Floats, Tokens
from mtprobe.engine.runtime.lanes import SINGLE_LANE, Lanes
from mtprobe.engine.runtime.packing import Integers, pack
from mtprobe.engine.runtime.prefix_paths import Paths, build_paths
from mtprobe.engine.runtime.projecting_network import ProjectingNetwork
from mtprobe.engine.runtime.session import CPU, Session, Value
from mtprobe.system.cores import cores

MOST_LANES = 4  # each lane reads all weights, so its share must not become too small
READ_BUDGET = Size(source=1024, target=1)

Masks = Mapping[str, npt.NDArray[np.int32]]


@dataclass(frozen=True, slots=True)
class Beginning:
    """The common beginning of all texts of a batch, already read."""

    tokens: tuple[int, ...]
    keys_and_values: list[Value]  # of each layer in turn, [1, key heads, max(1, tokens), head width]

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def width(self) -> int:
        """The positions that are given to a graph: at least one, which is masked if there are no tokens."""
        return max(1, len(self.tokens))


@dataclass
class CausalNetwork(ProjectingNetwork):
    dimensions: CausalDimensions

    # As in `TransformerNetwork`: scoring is divided among lanes, a step among the threads of a session.
    @cached_property
    def _read(self) -> Session:
        return self._open(self.graphs["read"])

    @cached_property
    def _judge(self) -> Session:
        return self._open(self.graphs["judge"])

    @cached_property
    def _step(self) -> Session:
        return Session(self.graphs["step"], self.device, self.threads)

    def _open(self, graph: Graph | SavedGraph) -> Session:
        """Each lane has its own thread; the session gets the remaining ones."""
        threads = self.threads or cores()
        return Session(graph, self.device, threads - min(threads, MOST_LANES) + 1)

    @cached_property
    def lanes(self) -> Lanes:
        on_cpu = self._read.provider == CPU
        return Lanes(min(self.threads or cores(), MOST_LANES)) if on_cpu else SINGLE_LANE

    def open_for_scores(self) -> Lanes:
        """The lanes for scoring; the sessions that they share are opened before they start."""
        _ = self._read, self._judge
        return self.lanes

    @property
    def provider(self) -> str | None:
        """The execution provider; known once something has run."""
        return str(self.__dict__["_read"].provider) if "_read" in self.__dict__ else None

    def open_encoder(self, *, occluding: bool = False) -> str:  # noqa: ARG002 - nothing is occluded here
        """Opens the graph that reads; returns the execution provider."""
        return self._read.provider

    def begin(self, tokens: Tokens) -> Beginning:
        """Reads what texts begin with, which may be nothing."""
        dimensions = self.dimensions
        if not tokens:
            empty = np.zeros((1, dimensions.key_heads, 1, dimensions.head_width), self.state_dtype)
            return Beginning((), [self._read.to_device(empty)] * (2 * dimensions.decoder_layers))
        (cache,) = self._caches([tuple(tokens)], self.begin(()))
        layers = self._by_layer(cache[None])
        return Beginning(tuple(tokens), [self._read.to_device(values) for values in layers])

    def score(
        self, prompts: Sequence[Tokens], targets: Sequence[Tokens], beginning: Beginning
    ) -> list[Floats]:
        """The log-probability of each target token, given the beginning, a prompt of at least one token, and the
        target's tokens before it. Thread-safe, for lanes.
        """
        paths = build_paths(
            [(*prompt, *target[:-1]) for prompt, target in zip(prompts, targets, strict=True)]
        )
        scored = [path[len(prompt) - 1 :] for path, prompt in zip(paths.of_texts, prompts, strict=True)]
        wanted, asked_rows = np.unique(np.concatenate(scored), return_inverse=True)
        inputs = self._to_read(paths, wanted, beginning)
        _, (hidden,) = self._read.run_with_device_outputs((), ["hidden"], inputs)
        target = pack(targets)
        (logprobs,) = self._judge.run(
            ["logprobs"], {"hidden": hidden, "asked_rows": asked_rows, "target": target.tokens}
        )
        return target.split(self.refuse_overflow(logprobs))

    def start(self, prompts: Sequence[Tokens], beginning: Beginning) -> CausalState:
        """One row per prompt, after all its tokens; it may have none."""
        readable = [tuple(prompt) for prompt in prompts if len(prompt)]
        caches = iter(self._caches(readable, beginning))
        size = self._cache_size()
        longest = max(map(len, prompts))
        padded = np.zeros((len(prompts), longest, size), self.state_dtype)
        filled = np.zeros((len(prompts), longest), np.int32)
        for row, prompt in enumerate(prompts):
            if len(prompt):  # right-aligned
                padded[row, longest - len(prompt) :] = next(caches)
                filled[row, longest - len(prompt) :] = 1
        places = np.array([len(beginning) + len(prompt) for prompt in prompts], np.int64)
        return CausalState(places, filled, list(self._by_layer(padded)))

    def join(self, states: Sequence[CausalState]) -> CausalState:
        """The rows of all states in order, whatever their lengths."""
        return join_states(states)

    def step(
        self, state: CausalState, rows: Integers, tokens: Integers, top: int, beginning: Beginning
    ) -> tuple[CausalState, Floats, Integers]:
        """Continues each given row with a token; returns the new state and the likeliest next tokens, best first."""
        count, places = len(rows), state.places[rows]
        self.check_length(int(places.max()) + 1)
        filled = np.concatenate([state.filled[rows], np.ones((count, 1), np.int32)], axis=1)
        inputs: dict[str, Value] = {
            "tokens": np.asarray(tokens, np.int64),
            "places": places,
            "parents": np.asarray(rows, np.int64),
            "row_places": np.zeros(count, np.int64),
            "row_rows": np.arange(count),
            "row_unpack": np.arange(count)[:, None],
            **self._masks_of_steps(filled, places, beginning),
            **self._named("shared_{}_{}", beginning.keys_and_values),
            **self._named("{}_{}", state.keys_and_values),
        }
        _, (hidden, *grown) = self._step.run_with_device_outputs(
            (), ["hidden", *self._names("next_{}_{}")], inputs
        )
        return CausalState(places + 1, filled, grown), *self.likeliest(hidden, top)

    def check_length(self, length: int) -> None:
        if length > self.dimensions.longest:
            raise ValueError(
                f"a text has {length} tokens; this model reads at most {self.dimensions.longest}"
            )

    def _caches(self, prompts: Sequence[tuple[int, ...]], beginning: Beginning) -> list[Floats]:
        """The keys and values of each prompt's tokens, [tokens, layers × (keys, values) × key heads × head width]."""

        def run(batch: Sequence[tuple[int, ...]]) -> list[Floats]:
            paths = build_paths(batch)
            (cache,) = self._read.run(["cache"], self._to_read(paths, np.zeros(1, np.int64), beginning))
            return [cache[path] for path in paths.of_texts]

        return in_batches(
            prompts, size=lambda prompt: Size(len(prompt), 0), run=run, budget=READ_BUDGET, lanes=self.lanes
        )

    def _to_read(self, paths: Paths, wanted: Integers, beginning: Beginning) -> dict[str, Value]:
        depths = paths.depths + len(beginning)
        self.check_length(int(depths.max()) + 1)
        return {
            "text": paths.tokens,
            "text_depths": depths,
            "text_places": paths.slots,
            "text_rows": paths.rows,
            "text_unpack": paths.unpack,
            "path_unpack": paths.path_unpack,
            "wanted": wanted,
            **self._masks(paths.attends(), depths[paths.unpack], depths[paths.path_unpack], beginning),
            **self._named("shared_{}_{}", beginning.keys_and_values),
        }

    def _masks_of_steps(self, filled: npt.NDArray[np.int32], places: Integers, beginning: Beginning) -> Masks:
        depths = places[:, None] - np.arange(filled.shape[1])[::-1]
        return self._masks(filled[:, None, :].astype(bool), places[:, None], depths, beginning)

    def _masks(
        self, own: npt.NDArray[np.bool_], queries: Integers, keys: Integers, beginning: Beginning
    ) -> Masks:
        """`own` [sentences, queries, keys] says where a token attends to another of its sentence; the depths of both
        are [sentences, queries] and [sentences, keys].
        """
        size = (*own.shape[:2], beginning.width)
        masks, reach = {}, self.dimensions.attention
        if reach != "sliding":
            shared = np.full(size, bool(len(beginning)))
            masks["mask"] = np.concatenate([shared, own], axis=2, dtype=np.int32)
        if reach != "full":
            oldest = queries[:, :, None] - self.dimensions.window  # the first that is out of reach
            near = np.broadcast_to((np.arange(beginning.width) > oldest) & bool(len(beginning)), size)
            own = own & (keys[:, None, :] > oldest)
            masks["window_mask"] = np.concatenate([near, own], axis=2, dtype=np.int32)
        return masks

    def _by_layer(self, padded: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
        """[sentences, length, layers × (keys, values) × …] → [layers × 2, sentences, key heads, length, head width]."""
        dimensions = self.dimensions
        by_head = padded.reshape(
            *padded.shape[:2], 2 * dimensions.decoder_layers, dimensions.key_heads, dimensions.head_width
        )
        return np.ascontiguousarray(by_head.transpose(2, 0, 3, 1, 4))

    def _cache_size(self) -> int:
        dimensions = self.dimensions
        return 2 * dimensions.decoder_layers * dimensions.key_heads * dimensions.head_width

    def _named(self, pattern: str, values: Sequence[Value]) -> dict[str, Value]:
        return dict(zip(self._names(pattern), values, strict=True))

    def _names(self, pattern: str) -> list[str]:
        numbers = range(self.dimensions.decoder_layers)
        return [pattern.format(what, number) for number in numbers for what in ("keys", "values")]


@dataclass(frozen=True, slots=True)
class CausalSteps:
    """A `StepNetwork` whose sources are what follows a beginning."""

    network: CausalNetwork
    beginning: Beginning

    def start(self, sources: Sequence[Tokens], prefixes: Sequence[Tokens]) -> CausalState:
        """One row per source, after all tokens of its prefix except the last."""
        prompts = [(*source, *prefix[:-1]) for source, prefix in zip(sources, prefixes, strict=True)]
        return self.network.start(prompts, self.beginning)

    def step(
        self, state: CausalState, rows: Integers, tokens: Integers, top: int
    ) -> tuple[CausalState, Floats, Integers]:
        return self.network.step(state, rows, tokens, top, self.beginning)

    def join(self, states: Sequence[CausalState]) -> CausalState:
        return self.network.join(states)
