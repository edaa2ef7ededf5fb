"""Loaded models: a network with a tokenizer and search settings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any, assert_never

from mtprobe.backends.device import Device
from mtprobe.backends.shared import Shared
from mtprobe.engine.checkpoints.bergamot.folder import ModelFiles
from mtprobe.engine.checkpoints.huggingface.config import Seq2SeqConfig
from mtprobe.engine.graphs.definition import (
    CausalDimensions,
    NetworkDefinition,
    SsruDimensions,
    TransformerDimensions,
)
from mtprobe.engine.neural import Occluded, Tokens
from mtprobe.engine.runtime.batches import Size, in_batches
from mtprobe.engine.runtime.blocks.reader import BlockReader, can_read_blocks, open_blocks
from mtprobe.engine.runtime.interface import Floats, StepNetwork
from mtprobe.engine.runtime.lanes import Lanes
from mtprobe.engine.runtime.ssru_network import SsruNetwork
from mtprobe.engine.runtime.ssru_steps import SsruSteps
from mtprobe.engine.runtime.transformer_network import TransformerNetwork
from mtprobe.engine.search.beam import search
from mtprobe.engine.search.decoding import Decoding, Hypothesis
from mtprobe.engine.search.drafts import Greedy, drafts_fit, translate_with_drafts
from mtprobe.engine.search.first_steps import first_blocks, first_steps, greedy_first_steps
from mtprobe.engine.search.greedy import translate_batch
from mtprobe.engine.search.siblings import Siblings
from mtprobe.engine.selftest.agreement import Pair, Work
from mtprobe.engine.tokenizers.huggingface import Tokenizer
from mtprobe.engine.tokenizers.sentencepieces import BergamotTokenizer, SentencePieceVocabulary
from mtprobe.engine.tokenizers.spans import Span
from mtprobe.errors import ModelError

if TYPE_CHECKING:
    from mtprobe.engine.firefox import FirefoxSearch


def open_network(
    definition: NetworkDefinition, device: Device, threads: int | None
) -> SsruNetwork | TransformerNetwork:
    dimensions, graphs = definition.dimensions, definition.graphs
    if isinstance(dimensions, SsruDimensions):
        return SsruNetwork(dimensions, graphs, device, threads)
    if isinstance(dimensions, CausalDimensions):
        raise ModelError("the network of a language model, which has no encoder")
    return TransformerNetwork(dimensions, graphs, device, threads)


# Large enough to keep the cores busy, small enough for the log-probabilities of 32,000 words per token; greedy
# translation has one target token at a time.
GREEDY_BUDGET = Size(2048, 128)

NETWORKS: Shared[SsruNetwork | TransformerNetwork] = Shared()


class Engine(ABC):
    """A loaded model."""

    # Maximum tokens of a batch. The search refills its own batches, so it gets many sentences at once.
    translate_budget = Size(source=65_536, target=1024)
    score_budget = Size(source=4096, target=1024)

    def __init__(
        self, network: SsruNetwork | TransformerNetwork, tokenizer: Tokenizer, decoding: Decoding
    ) -> None:
        self.network, self.tokenizer, self._decoding = network, tokenizer, decoding
        self.beams = decoding.beams  # hypotheses that a search keeps
        self._steps: StepNetwork[Any] = SsruSteps(network) if isinstance(network, SsruNetwork) else network
        # SSRU decoders have a graph for greedy steps, which is faster than a search with one beam.
        self._greedy: SsruNetwork | None = None
        self.siblings = Siblings()  # what was translated before, as drafts
        self._siblings_lock = Lock()

    @cached_property
    def _drafts(self) -> BlockReader | None:
        """Translates with drafts, where the search is greedy and the network can verify them."""
        return (
            open_blocks(self.network)
            if drafts_fit(self._decoding) and can_read_blocks(self.network)
            else None
        )

    @abstractmethod
    def too_long(self, tokens: Tokens, what: str) -> str | None:
        """An error message if there are more tokens than the model can read, else None."""

    def vocabulary(self, what: str) -> int:
        """The number of words of the source or target."""
        dimensions = self.network.dimensions
        return dimensions.source_vocabulary if what == "source" else dimensions.target_vocabulary

    @cached_property
    def lanes(self) -> Lanes:
        """The lanes for `score`."""
        return self.network.open_for_scores()

    @cached_property
    def occlusion_lanes(self) -> Lanes:
        """The lanes for `score_without`."""
        return self.network.open_for_occlusion()

    @cached_property
    def attention_lanes(self) -> Lanes:
        """The lanes for `attention`."""
        return self.network.open_for_attention()

    def source_tokens(self, text: str) -> Tokens:
        """The input of the encoder, EOS included."""
        return tuple(self.tokenizer.source_ids(text))

    def target_tokens(self, text: str) -> Tokens:
        """The tokens to score, EOS included."""
        return tuple(self.tokenizer.target_ids(text))

    def source_spans(self, text: str) -> Sequence[Span | None]:
        """The span of each of `source_tokens` in the text; None for tokens that are not in it, such as EOS."""
        return self.tokenizer.source_spans(text)

    def target_spans(self, text: str) -> Sequence[Span | None]:
        """The same for `target_tokens`."""
        return self.tokenizer.target_spans(text)

    def translate(self, sources: Sequence[Tokens]) -> Sequence[Tokens]:
        """The tokens of each translation."""
        if self._drafts is None or len(sources) < self._drafts.fewest:
            return self.plain(sources)
        prefix = tuple(self.tokenizer.prefix)
        with self._siblings_lock:
            found = translate_with_drafts(
                self._drafts, self.siblings, sources, Greedy.of(self._decoding, prefix)
            )
        rest = [place for place, translation in enumerate(found) if translation is None]
        plain = iter(self.plain([sources[place] for place in rest]) if rest else ())
        return [next(plain) if translation is None else translation for translation in found]

    def plain(self, sources: Sequence[Tokens]) -> Sequence[Tokens]:
        """The same without drafts."""
        return [hypotheses[0].tokens for hypotheses in self.search(sources, 1)]

    def search(self, sources: Sequence[Tokens], n_best: int) -> list[list[Hypothesis]]:
        """The best translations of each source, best first; `n_best` is at most the number of beams."""
        prefixes = [self.tokenizer.prefix] * len(sources)
        settings = replace(self._decoding, n_best=n_best)
        return search(self._steps, sources, prefixes, settings, self.network.open_for_search())

    def score(self, pairs: Sequence[tuple[Tokens, Tokens]]) -> list[Floats]:
        """The natural log-probability of each target token."""
        sources, targets = [source for source, _ in pairs], [target for _, target in pairs]
        return self.network.score(sources, targets, [self.tokenizer.prefix] * len(pairs))

    def score_without(self, pairs: Sequence[Occluded]) -> list[Floats]:
        """The natural log-probability of each target token, given a source with one token occluded."""
        sources, targets, without = zip(*pairs, strict=True)
        return self.network.score_without(sources, targets, [self.tokenizer.prefix] * len(pairs), without)

    def attention(self, pairs: Sequence[tuple[Tokens, Tokens]]) -> list[Floats]:
        """How much each target token attends to each source token, [target, source]."""
        sources, targets = [source for source, _ in pairs], [target for _, target in pairs]
        return self.network.attention(sources, targets, [self.tokenizer.prefix] * len(pairs))

    @property
    def translating(self) -> tuple[Work, ...]:
        """The ways in which `translate` runs the network."""
        plain: Work = "greedy" if self._greedy else "search"
        return (plain,) if self._drafts is None else (plain, "drafts")

    def probe(self, work: Work, pairs: Sequence[Pair]) -> list[Floats]:
        """Log-probabilities (or attention) by pair, from the graphs of one kind of work, for the self-test of the runtime."""
        sources = [source for source, _ in pairs]
        match work:
            case "score":
                return self.score(pairs)
            case "score_without":
                return self.score_without([Occluded(source, target, 0) for source, target in pairs])
            case "attention":
                return [weights.ravel() for weights in self.attention(pairs)]
            case "search":
                return first_steps(self._steps, sources, self.tokenizer.prefix)
            case "greedy":
                if self._greedy is None:
                    raise ValueError("this model does not translate greedily")
                return greedy_first_steps(self._greedy, sources)
            case "drafts":
                if self._drafts is None:
                    raise ValueError("this model does not verify drafts")
                return first_blocks(self._drafts, pairs, tuple(self.tokenizer.prefix))
        assert_never(work)


class HfEngine(Engine):
    def __init__(
        self,
        network: SsruNetwork | TransformerNetwork,
        config: Seq2SeqConfig,
        tokenizer: Tokenizer,
        decoding: Decoding,
    ) -> None:
        if not isinstance(network, TransformerNetwork):
            raise ModelError(f"not the network of a {config.model_type} model")
        _check_sizes(network.dimensions, config, tokenizer)
        super().__init__(network, tokenizer, decoding)
        self._positions = config.max_position_embeddings

    def too_long(self, tokens: Tokens, what: str) -> str | None:
        count = len(tokens) if what == "source" else len(self.tokenizer.prefix) + len(tokens) - 1
        if count <= self._positions:
            return None
        return f"{what} has {count} tokens; this model has positions for {self._positions}"


def _check_sizes(dimensions: TransformerDimensions, config: Seq2SeqConfig, tokenizer: Tokenizer) -> None:
    """A saved network may belong to another configuration than the one beside it."""
    for name, expected, actual in (
        ("vocab_size", config.vocab_size, dimensions.source_vocabulary),
        ("decoder_vocab_size", config.decoder_vocab_size, dimensions.target_vocabulary),
    ):
        if expected != actual:
            raise ModelError(f"config.json: {name} is {expected} but the network has {actual} words")
    if (largest := max(tokenizer.prefix)) >= dimensions.target_vocabulary:
        raise ModelError(f"the decoder starts with the token {largest}, which the model does not have")


class FirefoxEngine(Engine):
    score_budget = Size(source=2048, target=512)

    def __init__(
        self,
        files: ModelFiles,
        definition: NetworkDefinition,
        device: Device,
        threads: int | None,
        settings: FirefoxSearch,
    ) -> None:
        """Raises `ModelError` if a vocabulary is damaged or does not fit the network."""
        network = open_network(definition, device, threads)
        source, target = _vocabularies(files, definition)
        # Transformers start from the row after the last word; see `attention_decoder.py`.
        start = target.end if isinstance(network, SsruNetwork) else definition.dimensions.target_vocabulary
        decoding = Decoding(
            ends=(target.end,),
            max_new_tokens=settings.max_length,
            beams=settings.beams,
            length_penalty=settings.length_penalty,
        )
        super().__init__(network, BergamotTokenizer(source, target, (start,)), decoding)
        self.target, self._settings = target, settings
        self._greedy = network if isinstance(network, SsruNetwork) and self.beams == 1 else None

    def too_long(self, tokens: Tokens, what: str) -> str | None:
        count = len(tokens) - 1  # without EOS
        if count <= (longest := self._settings.max_source):
            return None
        return f"{what} has {count} tokens; this model reads at most {longest}"

    def plain(self, sources: Sequence[Tokens]) -> Sequence[Tokens]:
        greedy, end, limit = self._greedy, self.target.end, self._settings.max_length
        if greedy is None:
            return super().plain(sources)
        return in_batches(
            sources,
            size=lambda tokens: Size(len(tokens), 1),
            run=lambda batch: translate_batch(greedy, batch, end, limit),
            budget=GREEDY_BUDGET,
        )


def _vocabularies(
    files: ModelFiles, definition: NetworkDefinition
) -> tuple[SentencePieceVocabulary, SentencePieceVocabulary]:
    source = SentencePieceVocabulary(files.source_vocabulary)
    shared = files.target_vocabulary == files.source_vocabulary
    target = source if shared else SentencePieceVocabulary(files.target_vocabulary)
    dimensions = definition.dimensions
    if isinstance(dimensions, CausalDimensions):
        raise ModelError(f"{files.weights}: the network of a language model")
    for path, vocabulary, expected in (
        (files.source_vocabulary, source, dimensions.source_vocabulary),
        (files.target_vocabulary, target, dimensions.target_vocabulary),
    ):
        if vocabulary.size != expected:
            raise ModelError(
                f"{path}: the vocabulary has {vocabulary.size} entries but {files.weights.name} has {expected}; "
                "they belong to different models"
            )
    return source, target
