"""A Firefox Translations model that is loaded: its network, its SentencePiece vocabularies, and how it searches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mtprobe.backends.device import Device
from mtprobe.engine.bergamot_model import load_engine
from mtprobe.engine.checkpoints.bergamot.folder import ModelFiles
from mtprobe.engine.graphs.network import Parts
from mtprobe.engine.neural import Occluded, Tokens
from mtprobe.engine.runtime.batches import Size
from mtprobe.engine.runtime.interface import Floats, StepNetwork
from mtprobe.engine.runtime.lanes import ALONE, Lanes
from mtprobe.engine.runtime.ssru_network import SsruNetwork
from mtprobe.engine.runtime.ssru_steps import SsruSteps
from mtprobe.engine.search.beam import search
from mtprobe.engine.search.decoding import Decoding, Hypothesis
from mtprobe.engine.search.greedy import translate_batch
from mtprobe.engine.tokenizers.spans import Span

if TYPE_CHECKING:
    from mtprobe.engine.firefox import Search


class FirefoxEngine:
    score_together = Size(source=2048, target=512)

    def __init__(
        self,
        files: ModelFiles,
        parts: Parts,
        device: Device,
        threads: int | None,
        asked: Search,
        longest_input: int,
    ) -> None:
        loaded = load_engine(files, parts, device, threads)
        self._network, self._source, self._target = loaded.network, loaded.source, loaded.target
        self._prefix, self._longest_input, self._asked = (loaded.start,), longest_input, asked
        self.beams = asked.beams
        self._steps: StepNetwork[Any] = (
            SsruSteps(loaded.network) if isinstance(loaded.network, SsruNetwork) else loaded.network
        )
        # Large enough to keep the cores busy, small enough for the log-probabilities of 32,000 words a token;
        # a translation takes one target token at a time. A search refills its own batches.
        self.translate_together = Size(2048, 128) if self._greedy else Size(65_536, 1024)

    @property
    def _greedy(self) -> SsruNetwork | None:
        """SSRU decoders have a graph for greedy steps alone, which is faster than a search with one beam."""
        return self._network if isinstance(self._network, SsruNetwork) and self.beams == 1 else None

    @cached_property
    def lanes(self) -> Lanes:
        return ALONE if isinstance(self._network, SsruNetwork) else self._network.open_for_scores()

    @property
    def provider(self) -> str | None:
        return self._network.provider

    def source_tokens(self, text: str) -> Tokens:
        return (*self._source.encode(text), self._source.end)

    def target_tokens(self, text: str) -> Tokens:
        return (*self._target.encode(text), self._target.end)

    def too_long(self, tokens: Tokens, what: str) -> str | None:
        count = len(tokens) - 1  # the end is not the text's
        if count <= self._longest_input:
            return None
        return f"{what} has {count} tokens; this model reads at most {self._longest_input}"

    def translate(self, sources: Sequence[Tokens]) -> list[Tokens]:
        if self._greedy:
            return translate_batch(self._greedy, sources, self._target.end, self._asked.max_length)
        return [found[0].tokens for found in self.search(sources, 1)]

    def search(self, sources: Sequence[Tokens], n_best: int) -> list[list[Hypothesis]]:
        settings = Decoding(
            ends=(self._target.end,),
            max_new_tokens=self._asked.max_length,
            beams=self._asked.beams,
            n_best=n_best,
            length_penalty=self._asked.length_penalty,
        )
        return search(self._steps, sources, [self._prefix] * len(sources), settings)

    def score(self, pairs: Sequence[tuple[Tokens, Tokens]]) -> list[Floats]:
        sources, targets = [source for source, _ in pairs], [target for _, target in pairs]
        return self._network.score(sources, targets, [self._prefix] * len(pairs))

    def source_spans(self, text: str) -> list[Span | None]:
        return [*self._source.spans(text), None]

    def target_spans(self, text: str) -> list[Span | None]:
        return [*self._target.spans(text), None]

    @cached_property
    def occlusion_lanes(self) -> Lanes:
        return ALONE if isinstance(self._network, SsruNetwork) else self._network.open_for_occlusion()

    def score_without(self, asked: Sequence[Occluded]) -> list[Floats]:
        sources, targets, without = zip(*asked, strict=True)
        return self._network.score_without(sources, targets, [self._prefix] * len(asked), without)

    def text(self, tokens: Tokens) -> str:
        return self._target.decode(tokens)
