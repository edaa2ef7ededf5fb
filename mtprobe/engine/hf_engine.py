"""A loaded Hugging Face model: its network, tokenizer and search settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from mtprobe.backends.device import Device
from mtprobe.engine.checkpoints.huggingface.config import Seq2SeqConfig
from mtprobe.engine.graphs.definition import NetworkDefinition, TransformerDimensions
from mtprobe.engine.neural import Occluded, Tokens
from mtprobe.engine.runtime.batches import Size
from mtprobe.engine.runtime.interface import Floats
from mtprobe.engine.runtime.lanes import Lanes
from mtprobe.engine.runtime.transformer_network import TransformerNetwork
from mtprobe.engine.search.beam import search
from mtprobe.engine.search.decoding import Decoding, Hypothesis
from mtprobe.engine.tokenizers.huggingface import Tokenizer
from mtprobe.engine.tokenizers.spans import Span
from mtprobe.errors import ModelError


class HfEngine:
    # The search refills its own batches, so it gets many sentences at once.
    translate_budget = Size(source=65_536, target=1024)
    score_budget = Size(source=4096, target=1024)

    def __init__(
        self,
        definition: NetworkDefinition,
        config: Seq2SeqConfig,
        tokenizer: Tokenizer,
        decoding: Decoding,
        device: Device,
        threads: int | None,
    ) -> None:
        if not isinstance(definition.dimensions, TransformerDimensions):
            raise ModelError(f"not the network of a {config.model_type} model")
        self._network = TransformerNetwork(definition.dimensions, definition.graphs, device, threads)
        self._tokenizer, self._decoding, self.beams = tokenizer, decoding, decoding.beams
        self._positions = config.max_position_embeddings

    @cached_property
    def lanes(self) -> Lanes:
        return self._network.open_for_scores()

    @property
    def provider(self) -> str | None:
        return self._network.provider

    def source_tokens(self, text: str) -> Tokens:
        return tuple(self._tokenizer.source_ids(text))

    def target_tokens(self, text: str) -> Tokens:
        return tuple(self._tokenizer.target_ids(text))

    def too_long(self, tokens: Tokens, what: str) -> str | None:
        count = len(tokens) if what == "source" else len(self._tokenizer.prefix) + len(tokens) - 1
        if count <= self._positions:
            return None
        return f"{what} has {count} tokens; this model has positions for {self._positions}"

    def translate(self, sources: Sequence[Tokens]) -> list[Tokens]:
        return [hypotheses[0].tokens for hypotheses in self.search(sources, 1)]

    def search(self, sources: Sequence[Tokens], n_best: int) -> list[list[Hypothesis]]:
        prefixes = [self._tokenizer.prefix] * len(sources)
        return search(self._network, sources, prefixes, replace(self._decoding, n_best=n_best))

    def score(self, pairs: Sequence[tuple[Tokens, Tokens]]) -> list[Floats]:
        sources, targets = [source for source, _ in pairs], [target for _, target in pairs]
        return self._network.score(sources, targets, [self._tokenizer.prefix] * len(pairs))

    def source_spans(self, text: str) -> list[Span | None]:
        return self._tokenizer.source_spans(text)

    def target_spans(self, text: str) -> list[Span | None]:
        return self._tokenizer.target_spans(text)

    @cached_property
    def occlusion_lanes(self) -> Lanes:
        return self._network.open_for_occlusion()

    def score_without(self, pairs: Sequence[Occluded]) -> list[Floats]:
        sources, targets, without = zip(*pairs, strict=True)
        prefixes = [self._tokenizer.prefix] * len(pairs)
        return self._network.score_without(sources, targets, prefixes, without)

    def text(self, tokens: Tokens) -> str:
        return self._tokenizer.text(tokens)
