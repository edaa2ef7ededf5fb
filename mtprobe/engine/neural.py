"""The base of all models on ONNX Runtime: tokenizes texts, runs them in batches, returns results in order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from mtprobe.backends.device import Dtype
from mtprobe.backends.protocols import LanguagePair
from mtprobe.backends.scorer import ScorePair, SpanPair, TokenAttention, TokenLogProbs
from mtprobe.engine.runtime.batches import Size, in_batches
from mtprobe.errors import Failure, ModelError

if TYPE_CHECKING:
    from mtprobe.engine.engines import Engine
    from mtprobe.engine.runtime.interface import Floats
    from mtprobe.engine.selftest.agreement import Work
    from mtprobe.engine.tokenizers.spans import Span

Tokens: TypeAlias = tuple[int, ...]
Output = TypeVar("Output")


class Occluded(NamedTuple):
    """A pair to score, and the place of the occluded source token; None: no token."""

    source: Tokens
    target: Tokens
    without: int | None


class Candidate(NamedTuple):
    """One of the best translations of a sentence."""

    text: str
    score: float  # sum of natural log-probabilities ÷ length ** length penalty


class NeuralModel(ABC):
    """A model that translates and scores. Loaded with the first sentence; results do not depend on batches."""

    deterministic = True  # greedy or beam search
    dtype: Dtype
    languages: LanguagePair
    fingerprint: str
    scoring_fingerprint: str  # as if the search was the default: it does not change scores

    @abstractmethod
    def load(self) -> Engine:
        """The model's engine; called once."""

    @abstractmethod
    def length(self, text: str) -> int:
        """The number of tokens of a source; loads no weights."""

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """The lengths of sources; in characters for invalid text, which fails only when it is translated."""
        return [self._length_or_characters(text) for text in texts]

    def _length_or_characters(self, text: str) -> int:
        try:
            return self.length(text)
        except UnicodeError:
            return len(text)

    @cached_property
    def engine(self) -> Engine:
        return self.load()

    @property
    def provider(self) -> str | None:
        return self.engine.network.provider if "engine" in self.__dict__ else None

    @property
    def runtime(self) -> str | None:
        """Package, version and execution provider of the runtime, once something has run."""
        from mtprobe.engine.runtime.version import runtime_name

        return f"{runtime_name()} {self.provider}" if self.provider else None

    def tested(self, work: Work) -> Engine:
        """The engine; raises `ModelError` if the runtime fails the self-test for this kind of work."""
        engine = self.engine
        if work not in self._tested:
            from mtprobe.engine.selftest.agreement import require_agreement

            require_agreement(engine, work, self.fingerprint, self.dtype)
            self._tested.add(work)
        return engine

    @cached_property
    def _tested(self) -> set[Work]:
        return set()

    def translate(self, sources: Sequence[str]) -> list[str | Failure]:
        """One translation per source; one that reaches the maximum length is cut off."""
        engine = self.engine
        for work in engine.translating:
            self.tested(work)
        return [
            tokens if isinstance(tokens, Failure) else engine.tokenizer.text(tokens)
            for tokens in self._run_on(sources, engine.translate)
        ]

    def n_best(self, sources: Sequence[str], count: int) -> list[list[Candidate] | Failure]:
        """The best translations of each source, best first; at least one, but maybe fewer than `count`."""
        engine = self.tested("search")
        if count > engine.beams:
            raise ModelError(
                f"the {count} best translations need a search with as many beams, and there "
                f"{'is' if engine.beams == 1 else 'are'} {engine.beams}: append ?beams={count} to the model"
            )
        return [
            hypotheses
            if isinstance(hypotheses, Failure)
            else [
                Candidate(engine.tokenizer.text(hypothesis.tokens), hypothesis.score)
                for hypothesis in hypotheses
            ]
            for hypotheses in self._run_on(sources, lambda tokens: engine.search(tokens, count))
        ]

    def _run_on(
        self, sources: Sequence[str], run: Callable[[Sequence[Tokens]], Sequence[Output]]
    ) -> list[Output | Failure]:
        tokenized = [self._tokens(source, "source") for source in sources]
        outputs = iter(
            in_batches(
                [tokens for tokens in tokenized if not isinstance(tokens, Failure)],
                size=lambda tokens: Size(len(tokens), 1),
                run=run,
                budget=self.engine.translate_budget,
            )
        )
        return [tokens if isinstance(tokens, Failure) else next(outputs) for tokens in tokenized]

    def score(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        """The log-probabilities of each target's tokens; an empty target has only EOS."""
        engine = self.tested("score")
        tokenized = [self.read_pair(pair) for pair in pairs]
        scores = iter(
            in_batches(
                [tokens for tokens in tokenized if not isinstance(tokens, Failure)],
                size=lambda pair: Size(len(pair[0]), len(pair[1])),
                run=engine.score,
                budget=engine.score_budget,
                together=lambda pair: pair[0],
                lanes=engine.lanes,
            )
        )
        return [
            tokens if isinstance(tokens, Failure) else tuple(next(scores).tolist()) for tokens in tokenized
        ]

    def attention(self, pairs: Sequence[SpanPair]) -> list[TokenAttention | Failure]:
        """How much each target token, when it is predicted, attends to a span of the source."""
        engine = self.tested("attention")
        tokenized = [self.read_pair(ScorePair(pair.source, pair.target)) for pair in pairs]
        weights = iter(
            in_batches(
                [tokens for tokens in tokenized if not isinstance(tokens, Failure)],
                size=lambda pair: Size(len(pair[0]), len(pair[1])),
                run=engine.attention,
                budget=engine.score_budget,
                together=lambda pair: pair[0],
                lanes=engine.attention_lanes,
            )
        )
        return [
            tokens if isinstance(tokens, Failure) else self._on_span(next(weights), pair)
            for tokens, pair in zip(tokenized, pairs, strict=True)
        ]

    def _on_span(self, weights: Floats, pair: SpanPair) -> TokenAttention:
        """The sum of the weights of the source tokens that overlap with the span."""
        places = self.engine.source_spans(pair.source)
        inside = [
            number
            for number, place in enumerate(places)
            if place is not None and max(place[0], pair.start) < min(place[1], pair.end)
        ]
        return tuple(min(float(mass), 1.0) for mass in weights[:, inside].sum(axis=1))

    def target_spans(self, text: str) -> Sequence[Span | None]:
        """The span of each scored token in a target; None for tokens that are not in it, such as EOS."""
        return self.engine.target_spans(text)

    def _tokens(self, text: str, what: str) -> Tokens | Failure:
        engine = self.engine
        try:
            tokens = engine.source_tokens(text) if what == "source" else engine.target_tokens(text)
        except UnicodeError as error:
            return Failure(f"{what} is not text: {error}")
        if max(tokens) >= engine.vocabulary(what):
            return Failure(f"{what} has the token {max(tokens)}, which the model does not have")
        too_long = engine.too_long(tokens, what)
        return Failure(too_long) if too_long else tokens

    def read_pair(self, pair: ScorePair) -> tuple[Tokens, Tokens] | Failure:
        """The tokens of both sides, if the model can read them."""
        source, target = self._tokens(pair[0], "source"), self._tokens(pair[1], "target")
        if isinstance(source, Failure):
            return source
        return target if isinstance(target, Failure) else (source, target)
