"""A loaded Firefox Translations model: its network, vocabularies and search settings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from mtprobe.backends.device import Device
from mtprobe.engine.bergamot_network import load_bergamot
from mtprobe.engine.checkpoints.bergamot.folder import ModelFiles
from mtprobe.engine.firefox_search import LONGEST_INPUT, FirefoxSearch
from mtprobe.engine.graphs.definition import NetworkDefinition
from mtprobe.engine.neural import Occluded, Tokens
from mtprobe.engine.runtime.batches import Size
from mtprobe.engine.runtime.interface import Floats, StepNetwork
from mtprobe.engine.runtime.lanes import SINGLE_LANE, Lanes
from mtprobe.engine.runtime.ssru_network import SsruNetwork
from mtprobe.engine.runtime.ssru_steps import SsruSteps
from mtprobe.engine.search.beam import search
from mtprobe.engine.search.decoding import Decoding, Hypothesis
from mtprobe.engine.search.greedy import translate_batch
from mtprobe.engine.tokenizers.spans import Span


class FirefoxEngine:
    score_budget = Size(source=2048, target=512)

    def __init__(
        self,
        files: ModelFiles,
        definition: NetworkDefinition,
        device: Device,
        threads: int | None,
        settings: FirefoxSearch,
    ) -> None:
        loaded = load_bergamot(files, definition, device, threads)
        self._network, self._source, self._target = loaded.network, loaded.source, loaded.target
        self._prefix, self._settings, self.beams = (loaded.start,), settings, settings.beams
        self._steps: StepNetwork[Any] = (
            SsruSteps(loaded.network) if isinstance(loaded.network, SsruNetwork) else loaded.network
        )
        # Large enough to keep the cores busy, small enough for the log-probabilities of 32,000 words per token;
        # greedy translation has one target token at a time. A beam search refills its own batches.
        self.translate_budget = Size(2048, 128) if self._greedy else Size(65_536, 1024)

    @property
    def _greedy(self) -> SsruNetwork | None:
        """SSRU decoders have a graph for greedy steps, which is faster than a search with one beam."""
        return self._network if isinstance(self._network, SsruNetwork) and self.beams == 1 else None

    @cached_property
    def lanes(self) -> Lanes:
        return SINGLE_LANE if isinstance(self._network, SsruNetwork) else self._network.open_for_scores()

    @property
    def provider(self) -> str | None:
        return self._network.provider

    def source_tokens(self, text: str) -> Tokens:
        return (*self._source.encode(text), self._source.end)

    def target_tokens(self, text: str) -> Tokens:
        return (*self._target.encode(text), self._target.end)

    def too_long(self, tokens: Tokens, what: str) -> str | None:
        count = len(tokens) - 1  # without EOS
        if count <= LONGEST_INPUT:
            return None
        return f"{what} has {count} tokens; this model reads at most {LONGEST_INPUT}"

    def translate(self, sources: Sequence[Tokens]) -> list[Tokens]:
        if self._greedy:
            return translate_batch(self._greedy, sources, self._target.end, self._settings.max_length)
        return [hypotheses[0].tokens for hypotheses in self.search(sources, 1)]

    def search(self, sources: Sequence[Tokens], n_best: int) -> list[list[Hypothesis]]:
        decoding = Decoding(
            ends=(self._target.end,),
            max_new_tokens=self._settings.max_length,
            beams=self._settings.beams,
            n_best=n_best,
            length_penalty=self._settings.length_penalty,
        )
        return search(self._steps, sources, [self._prefix] * len(sources), decoding)

    def score(self, pairs: Sequence[tuple[Tokens, Tokens]]) -> list[Floats]:
        sources, targets = [source for source, _ in pairs], [target for _, target in pairs]
        return self._network.score(sources, targets, [self._prefix] * len(pairs))

    def source_spans(self, text: str) -> list[Span | None]:
        return [*self._source.spans(text), None]

    def target_spans(self, text: str) -> list[Span | None]:
        return [*self._target.spans(text), None]

    @cached_property
    def occlusion_lanes(self) -> Lanes:
        return SINGLE_LANE if isinstance(self._network, SsruNetwork) else self._network.open_for_occlusion()

    def score_without(self, pairs: Sequence[Occluded]) -> list[Floats]:
        sources, targets, without = zip(*pairs, strict=True)
        return self._network.score_without(sources, targets, [self._prefix] * len(pairs), without)

    def text(self, tokens: Tokens) -> str:
        return self._target.decode(tokens)
