"""`firefox:FOLDER`: a Firefox Translations (Bergamot) model, which translates and scores.

Opening one only looks at its files; ONNX Runtime, the weights and the vocabulary are loaded when the
first sentence comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from mtprobe.errors import Failure, ModelError
from mtprobe.nets.folder import ModelFiles, find_model
from mtprobe.nets.session import parse_device
from mtprobe.score.batches import Size, in_batches
from mtprobe.score.scorer import ScorePair, TokenLogProbs
from mtprobe.translate.backend import LanguagePair, OpenRequest

if TYPE_CHECKING:
    from mtprobe.nets.engine import Engine

NUMBERS = "v1"  # to be raised with every change after which a translation or a score may differ
LONGEST_OUTPUT = 256  # tokens
LONGEST_INPUT = 512  # tokens, without the end of the sentence

# Large enough to keep the cores busy, small enough for the log-probabilities of 32,000 words a token.
TRANSLATE_TOGETHER = Size(source=2048, target=128)  # a translation takes one target token at a time
SCORE_TOGETHER = Size(source=2048, target=512)

Tokens: TypeAlias = tuple[int, ...]


class FirefoxModel:
    """A model under test that is also an evaluator. Greedy, float32, and the same for any batch."""

    dtype = "fp32"
    decoding = f"greedy, max {LONGEST_OUTPUT} tokens"

    def __init__(self, files: ModelFiles, request: OpenRequest, kind: str = "firefox") -> None:
        self.languages = _languages(files, request)
        self.fingerprint = f"{kind}:{files.digest}:greedy:max={LONGEST_OUTPUT}:{self.dtype}:{NUMBERS}"
        self._files, self._device, self._threads = files, parse_device(request.device), request.threads

    @property
    def provider(self) -> str | None:
        """What ONNX Runtime really runs on, once something has run."""
        return self._engine.network.provider if "_engine" in self.__dict__ else None

    def translate(self, sources: Sequence[str]) -> list[str | Failure]:
        """One translation a source; one that is cut off at the longest output is given as far as it went."""
        from mtprobe.translate.greedy import translate_batch

        engine = self._engine
        read = [self._read(source, "source") for source in sources]
        outputs = in_batches(
            [tokens for tokens in read if not isinstance(tokens, Failure)],
            size=lambda tokens: Size(len(tokens), 1),
            run=lambda batch: translate_batch(engine.network, batch, engine.pieces.end, LONGEST_OUTPUT),
            budget=TRANSLATE_TOGETHER,
        )
        texts = map(engine.pieces.decode, outputs)
        return [tokens if isinstance(tokens, Failure) else next(texts) for tokens in read]

    def score(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        """The log-probabilities of each target's tokens; an empty target has only its end."""
        network = self._engine.network
        read = [self._read_pair(pair) for pair in pairs]
        scores = iter(
            in_batches(
                [tokens for tokens in read if not isinstance(tokens, Failure)],
                size=lambda pair: Size(len(pair[0]), len(pair[1])),
                run=lambda batch: network.score(
                    [source for source, _ in batch], [target for _, target in batch]
                ),
                budget=SCORE_TOGETHER,
            )
        )
        return [tokens if isinstance(tokens, Failure) else tuple(next(scores).tolist()) for tokens in read]

    @cached_property
    def _engine(self) -> Engine:
        from mtprobe.nets.engine import load_engine

        return load_engine(self._files, self._device, self._threads, LONGEST_INPUT + 1)

    def _read(self, text: str, what: str) -> Tokens | Failure:
        try:
            tokens = self._engine.pieces.encode(text)
        except UnicodeError as error:
            return Failure(f"{what} is not text: {error}")
        if len(tokens) > LONGEST_INPUT:
            return Failure(f"{what} has {len(tokens)} tokens; this model reads at most {LONGEST_INPUT}")
        return (*tokens, self._engine.pieces.end)

    def _read_pair(self, pair: ScorePair) -> tuple[Tokens, Tokens] | Failure:
        source, target = self._read(pair[0], "source"), self._read(pair[1], "target")
        if isinstance(source, Failure):
            return source
        return target if isinstance(target, Failure) else (source, target)


def open_firefox(rest: str, request: OpenRequest) -> FirefoxModel:
    if not rest:
        raise ModelError("firefox: needs the folder of a model, as in firefox:models/ende")
    return FirefoxModel(find_model(Path(rest)), request)


def _languages(files: ModelFiles, request: OpenRequest) -> LanguagePair:
    """The languages in the file names, or those asked for where the names say nothing; the two must agree."""
    folder = files.weights.parent
    if files.languages is None:
        if request.source is None or request.target is None:
            raise ModelError(
                f"{folder}: the file names do not say which languages the model is for: give --mt-source and --mt-target"
            )
        return LanguagePair(request.source, request.target)
    source, target = files.languages
    _must_fit(request.source, source, f"{folder}: the model translates from")
    _must_fit(request.target, target, f"{folder}: the model translates into")
    return LanguagePair(request.source or source, request.target or target)


def _must_fit(asked: str | None, given: str, what: str) -> None:
    if asked is None:
        return
    from mtprobe.language.tags import fits

    if not fits(asked, given):
        raise ModelError(f"{what} {given}, not {asked}")
