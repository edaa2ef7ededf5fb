"""What every model on ONNX Runtime does alike: read texts, run them in batches, give results in order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, TypeVar

from mtprobe.backends.dtype import Dtype
from mtprobe.backends.protocols import LanguagePair
from mtprobe.backends.scorer import ScorePair, TokenLogProbs
from mtprobe.engine.runtime.batches import Size, in_batches
from mtprobe.engine.runtime.lanes import Lanes
from mtprobe.engine.search.decoding import Hypothesis
from mtprobe.errors import Failure, ModelError

if TYPE_CHECKING:
    from mtprobe.engine.runtime.interface import Floats
    from mtprobe.engine.tokenizers.spans import Span

Tokens: TypeAlias = tuple[int, ...]
Made = TypeVar("Made")


class Engine(Protocol):
    """A loaded model: its network and its tokenizer."""

    translate_together: Size  # the most tokens that are translated at once
    score_together: Size
    beams: int  # hypotheses that a search keeps

    @property
    def lanes(self) -> Lanes:
        """In which pairs are scored side by side."""

    @property
    def provider(self) -> str | None:
        """What ONNX Runtime really runs on, once something has run."""

    def source_tokens(self, text: str) -> Tokens:
        """What the encoder reads, the end included."""

    def target_tokens(self, text: str) -> Tokens:
        """What is scored, the end included."""

    def too_long(self, tokens: Tokens, what: str) -> str | None:
        """Why these tokens are more than the model can read, or None."""

    def translate(self, sources: Sequence[Tokens]) -> Sequence[Tokens]:
        """The tokens of each translation."""

    def search(self, sources: Sequence[Tokens], n_best: int) -> Sequence[Sequence[Hypothesis]]:
        """The best translations of each source, best first; at most as many as there are beams."""

    def score(self, pairs: Sequence[tuple[Tokens, Tokens]]) -> Sequence[Floats]:
        """The natural log-probability of each target token."""

    def text(self, tokens: Tokens) -> str:
        """The text of a translation's tokens."""

    def source_spans(self, text: str) -> Sequence[Span | None]:
        """Where each of `source_tokens` stands in the text; None: nowhere, as the end of the sentence."""

    def target_spans(self, text: str) -> Sequence[Span | None]:
        """The same of `target_tokens`."""

    @property
    def occlusion_lanes(self) -> Lanes:
        """In which `score_without` may be asked side by side."""

    def score_without(self, asked: Sequence[Occluded]) -> Sequence[Floats]:
        """The natural log-probability of each target token, given a source without one of its tokens."""


class Occluded(NamedTuple):
    """A pair to be scored, and the place of the source token that is not there; None: all are."""

    source: Tokens
    target: Tokens
    without: int | None


class Candidate(NamedTuple):
    """One of the best translations of a sentence."""

    text: str
    score: float  # the sum of the log-probabilities, natural, ÷ length ** length penalty


class NeuralModel(ABC):
    """A model under test that is also an evaluator. Loaded with the first sentence, and the same for any batch."""

    dtype: Dtype
    languages: LanguagePair

    @abstractmethod
    def load(self) -> Engine:
        """The model's engine; called once."""

    @abstractmethod
    def length(self, text: str) -> int:
        """How many tokens a source has; loads no weights."""

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """The lengths of sources; what is not text is as long as it has characters, and fails when it is read."""
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
        return self.engine.provider if "engine" in self.__dict__ else None

    def translate(self, sources: Sequence[str]) -> list[str | Failure]:
        """One translation a source; one that is cut off at the longest output is given as far as it went."""
        engine = self.engine
        return [
            made if isinstance(made, Failure) else engine.text(made)
            for made in self._made_of(sources, engine.translate)
        ]

    def n_best(self, sources: Sequence[str], count: int) -> list[list[Candidate] | Failure]:
        """The best translations of each source, best first; there may be fewer, but never none."""
        engine = self.engine
        if count > engine.beams:
            raise ModelError(
                f"the {count} best translations need a search with as many beams, and there "
                f"{'is' if engine.beams == 1 else 'are'} {engine.beams}: put ?beams={count} behind the model"
            )
        return [
            made
            if isinstance(made, Failure)
            else [Candidate(engine.text(one.tokens), one.score) for one in made]
            for made in self._made_of(sources, lambda read: engine.search(read, count))
        ]

    def _made_of(
        self, sources: Sequence[str], run: Callable[[Sequence[Tokens]], Sequence[Made]]
    ) -> list[Made | Failure]:
        read = [self._read(source, "source") for source in sources]
        made = iter(
            in_batches(
                [tokens for tokens in read if not isinstance(tokens, Failure)],
                size=lambda tokens: Size(len(tokens), 1),
                run=run,
                budget=self.engine.translate_together,
            )
        )
        return [tokens if isinstance(tokens, Failure) else next(made) for tokens in read]

    def score(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        """The log-probabilities of each target's tokens; an empty target has only its end."""
        engine = self.engine
        read = [self.read_pair(pair) for pair in pairs]
        scores = iter(
            in_batches(
                [tokens for tokens in read if not isinstance(tokens, Failure)],
                size=lambda pair: Size(len(pair[0]), len(pair[1])),
                run=engine.score,
                budget=engine.score_together,
                together=lambda pair: pair[0],
                lanes=engine.lanes,
            )
        )
        return [tokens if isinstance(tokens, Failure) else tuple(next(scores).tolist()) for tokens in read]

    def target_spans(self, text: str) -> Sequence[Span | None]:
        """Where each token that is scored stands in a target; None: nowhere, as the end of the sentence."""
        return self.engine.target_spans(text)

    def _read(self, text: str, what: str) -> Tokens | Failure:
        engine = self.engine
        try:
            tokens = engine.source_tokens(text) if what == "source" else engine.target_tokens(text)
        except UnicodeError as error:
            return Failure(f"{what} is not text: {error}")
        too_long = engine.too_long(tokens, what)
        return Failure(too_long) if too_long else tokens

    def read_pair(self, pair: ScorePair) -> tuple[Tokens, Tokens] | Failure:
        """The tokens of both sides, if the model can read them."""
        source, target = self._read(pair[0], "source"), self._read(pair[1], "target")
        if isinstance(source, Failure):
            return source
        return target if isinstance(target, Failure) else (source, target)
