"""A language model that translates when prompted, and scores translations as answers to the same prompt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from mtprobe.backends.answers import ChatPrompt, ChoiceScores, Question
from mtprobe.backends.device import Dtype
from mtprobe.backends.protocols import LanguagePair, Request
from mtprobe.backends.scorer import ScorePair, TokenLogProbs
from mtprobe.engine.checkpoints.huggingface.files import ModelFolder
from mtprobe.engine.graphs.definition import Origin
from mtprobe.engine.lm.answering import Answering
from mtprobe.engine.lm.asking import Asking
from mtprobe.engine.lm.cleaning import cleaned
from mtprobe.engine.lm.loaded import LoadedLm, Seeded
from mtprobe.engine.lm.spec import LmSpec
from mtprobe.engine.neural import Tokens
from mtprobe.engine.search.decoding import Decoding
from mtprobe.engine.search.decoding import in_words as search_in_words
from mtprobe.engine.tokenizers.spans import Span
from mtprobe.errors import Failure

NUMBERS = "v2"  # raise it with every change that may alter a translation or a score


@dataclass(frozen=True, slots=True)
class LmOrigin:
    """The origin of a language model."""

    folder: ModelFolder  # its configuration and tokenizer
    fingerprint_prefix: str  # the kind of model and a digest of its files
    network: Origin | None = None  # None: it has no graphs
    ignored: tuple[str, ...] = ()  # settings of its files that transformers would apply to answers


class LanguageModel:
    """Loaded with the first sentence; results do not depend on batches."""

    takes_requests = True  # for the number of a repeat, which chooses the next seed
    uses_context = False
    chunk = 64  # requests per call: what was translated is stored before the next ones start

    def __init__(
        self,
        asking: Asking,
        spec: LmSpec,
        dtype: Dtype,
        origin: LmOrigin,
        load: Callable[[Tokens], LoadedLm],
    ) -> None:
        """`load` is given what most prompts begin with."""
        self.asking, self.spec, self.dtype, self.origin, self._load = asking, spec, dtype, origin, load
        self.languages: LanguagePair = asking.languages
        self.deterministic = spec.sampling is None
        prompt = f"prompt {asking.prompt.name} ({asking.prompt.digest})"
        without = f", without the model's {', '.join(origin.ignored)}" if origin.ignored else ""
        self.decoding = f"{_in_words(spec)}{without}, {prompt}"
        begins = f"{origin.fingerprint_prefix}:{self.languages}:prompt={asking.prompt}"
        self.fingerprint = f"{begins}:{_in_short(spec)}:{dtype}:{NUMBERS}"
        self.scoring_fingerprint = f"{begins}:{dtype}:{NUMBERS}"
        self.answering_fingerprint = f"{origin.fingerprint_prefix}:answers:{dtype}:{NUMBERS}"
        drawn = "" if spec.sampling is None else f":{_drawn(spec)}"
        self.completing_fingerprint = f"{self.answering_fingerprint}:words{drawn}"

    @cached_property
    def loaded(self) -> LoadedLm:
        return self._load(self.asking.beginning)

    @property
    def provider(self) -> str | None:
        return self.loaded.provider if "loaded" in self.__dict__ else None

    @property
    def runtime(self) -> str | None:
        """Package, version and execution provider of the runtime, once something has run."""
        return self.loaded.runtime if "loaded" in self.__dict__ else None

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """The tokens of each text as a source; in characters for invalid text, which fails only when it is used."""
        shared = len(self.asking.beginning)
        return [self._length(text, shared) for text in texts]

    def _length(self, text: str, shared: int) -> int:
        try:
            return max(1, len(self.asking.prompt_tokens(text)) - shared)
        except UnicodeError:
            return len(text)

    def translate(self, requests: Sequence[Request]) -> list[str | Failure]:
        """One translation per request: the model's answer, cleaned by the rules of the prompt."""
        loaded = self.loaded
        loaded.check("search", self.scoring_fingerprint)
        prompts = [self._prompt(request.text, self.spec.max_new_tokens) for request in requests]
        asked = [
            Seeded(prompt, self.spec.seed + request.repeat if self.spec.sampling else 0)
            for prompt, request in zip(prompts, requests, strict=True)
            if not isinstance(prompt, Failure)
        ]
        decoding = Decoding(
            ends=self.asking.ends,
            max_new_tokens=self.spec.max_new_tokens,
            beams=self.spec.beams,
            length_penalty=self.spec.length_penalty,
        )
        answers = iter(loaded.answer(asked, decoding, self.spec.sampling) if asked else ())
        return [
            prompt if isinstance(prompt, Failure) else self._translation(next(answers), request.text)
            for prompt, request in zip(prompts, requests, strict=True)
        ]

    def _translation(self, tokens: Tokens, source: str) -> str:
        return cleaned(self.asking.answer_text(tokens), self.asking.prompt.content.clean, source)

    def score(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        """The log-probabilities of each target's tokens, and of what ends the answer."""
        loaded = self.loaded
        loaded.check("score", self.scoring_fingerprint)
        asked = [self._asked(pair) for pair in pairs]
        scores = iter(loaded.score([pair for pair in asked if not isinstance(pair, Failure)]))
        return [pair if isinstance(pair, Failure) else tuple(next(scores).tolist()) for pair in asked]

    def target_spans(self, text: str) -> Sequence[Span | None]:
        """The span of each scored token in a target; None for tokens that are not in it, such as the end."""
        return self.asking.target_spans(text)

    def answer_scores(self, questions: Sequence[Question]) -> list[ChoiceScores | Failure]:
        """The log-probabilities of each question's choices; see `mtprobe.backends.Answers`."""
        self.loaded.check("score", self.scoring_fingerprint)
        return self._answering.scores(questions)

    def complete(self, prompts: Sequence[ChatPrompt], max_tokens: int = 64) -> list[str | Failure]:
        """An answer to each prompt, in words: the likeliest, or one that is drawn."""
        self.loaded.check("search", self.scoring_fingerprint)
        return self._answering.complete(prompts, max_tokens)

    @cached_property
    def _answering(self) -> Answering:
        asking = self.asking
        return Answering(
            self.loaded,
            asking.tokenizer,
            asking.template,
            asking.own_ends,
            self.spec.sampling,
            self.spec.seed,
        )

    def _asked(self, pair: ScorePair) -> tuple[Tokens, Tokens] | Failure:
        prompt = self._prompt(pair[0])
        if isinstance(prompt, Failure):
            return prompt
        try:
            target = self.asking.target_tokens(*pair)
        except UnicodeError as error:
            return Failure(f"target is not text: {error}")
        return self._unreadable(target, len(prompt) + len(target) - 1, "target") or (prompt, target)

    def _prompt(self, source: str, room: int = 0) -> Tokens | Failure:
        try:
            tokens = self.asking.prompt_tokens(source)
        except UnicodeError as error:
            return Failure(f"source is not text: {error}")
        return self._unreadable(tokens, len(tokens) + room, "source") or tokens

    def _unreadable(self, tokens: Tokens, length: int, what: str) -> Failure | None:
        loaded = self.loaded
        if max(tokens, default=0) >= loaded.vocabulary:
            return Failure(f"{what} has the token {max(tokens)}, which the model does not have")
        if length > loaded.longest:
            return Failure(
                f"prompt and answer have {length} tokens; this model reads at most {loaded.longest}"
            )
        return None


def _in_words(spec: LmSpec) -> str:
    if spec.sampling is None:
        return search_in_words(spec.beams, spec.length_penalty, spec.max_new_tokens)
    return f"{spec.sampling}, seed {spec.seed}, max {spec.max_new_tokens} tokens"


def _in_short(spec: LmSpec) -> str:
    if spec.sampling is None:
        return f"beam={spec.beams}:lp={spec.length_penalty:g}:new={spec.max_new_tokens}"
    return f"{_drawn(spec)}:new={spec.max_new_tokens}"


def _drawn(spec: LmSpec) -> str:
    drawn = spec.sampling
    return f"t={drawn.temperature:g}:p={drawn.top_p:g}:seed={spec.seed}" if drawn else ""
