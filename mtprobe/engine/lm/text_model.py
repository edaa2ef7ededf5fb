"""A language model without a prompt: it scores texts and does not read the source.

The score of a token is its log-probability given the tokens before it; the first one follows the token that starts a
text. The end is not scored, since sentences need not end a text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from mtprobe.backends.device import Dtype
from mtprobe.backends.protocols import UNDETERMINED, LanguagePair, OpenRequest
from mtprobe.backends.scorer import ScorePair, TokenLogProbs
from mtprobe.engine.lm.loaded import LoadedLm
from mtprobe.engine.neural import Tokens
from mtprobe.engine.tokenizers.causal import CausalTokenizer
from mtprobe.engine.tokenizers.spans import Span
from mtprobe.errors import Failure, ModelError
from mtprobe.language import tags

NUMBERS = "v1"  # raise it with every change that may alter a score


class TextModel:
    """A `Scorer` of single texts, loaded with the first one."""

    reads_sources = False

    def __init__(
        self,
        tokenizer: CausalTokenizer,
        start: int,
        language: str,
        dtype: Dtype,
        origin: str,
        load: Callable[[Tokens], LoadedLm],
    ) -> None:
        """`start` is the token before a text; `origin` begins the fingerprint."""
        # It fits any source language, because it does not read the source.
        self.languages = LanguagePair(UNDETERMINED, language)
        self.dtype, self._tokenizer, self._start, self._load = dtype, tokenizer, start, load
        self.fingerprint = f"{origin}:{language}:text:{dtype}:{NUMBERS}"

    @cached_property
    def _loaded(self) -> LoadedLm:
        return self._load(())

    @property
    def provider(self) -> str | None:
        return self._loaded.provider if "_loaded" in self.__dict__ else None

    @property
    def runtime(self) -> str | None:
        return self._loaded.runtime if "_loaded" in self.__dict__ else None

    def score(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        """The scores of each target, whatever its source."""
        self._loaded.check("score", self.fingerprint)
        texts = [self._read(target) for _, target in pairs]
        readable = [((self._start,), text) for text in texts if not isinstance(text, Failure)]
        scores = iter(self._loaded.score(readable))
        return [text if isinstance(text, Failure) else tuple(next(scores).tolist()) for text in texts]

    def target_spans(self, text: str) -> Sequence[Span | None]:
        return self._tokenizer.spans(text, special=False)

    def _read(self, text: str) -> Tokens | Failure:
        try:
            tokens = self._tokenizer.ids(text, special=False)
        except UnicodeError as error:
            return Failure(f"target is not text: {error}")
        if not tokens:
            return Failure("target has no tokens to score")
        if max(tokens) >= self._loaded.vocabulary:
            return Failure(f"target has the token {max(tokens)}, which the model does not have")
        if len(tokens) > self._loaded.longest:
            return Failure(
                f"target has {len(tokens)} tokens; this model reads at most {self._loaded.longest}"
            )
        return tokens


def language_of(spec: str, request: OpenRequest) -> str:
    """The language of the texts, which is asked for as source or target."""
    if request.source and request.target and not tags.fits(request.source, request.target):
        raise ModelError(
            f"{spec} without a prompt reads one language, but the source language {request.source} is not the "
            f"target language {request.target}: give the language of the sentences to score"
        )
    language = request.target or request.source
    if language is None:
        raise ModelError(f"{spec} without a prompt: give the language of the sentences to score as `target`")
    return language
