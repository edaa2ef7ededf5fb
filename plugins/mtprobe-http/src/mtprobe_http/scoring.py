"""Gets the log-probabilities of many targets from a service that returns those of a prompt.

One target after the other is scored alone until a score has been confirmed: the service's own prediction of a token must
be what it says of that token in a prompt. Then targets are scored in batches, if the service takes several prompts.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mtprobe.backends import (
    LOGGER,
    LONE_SURROGATE,
    Failure,
    ModelError,
    ScorePair,
    TokenLogProbs,
    is_encodable,
)
from mtprobe_http.batches import batches, too_long
from mtprobe_http.engine import Engine
from mtprobe_http.problems import Problem
from mtprobe_http.service import Answer, Call, Limits, Service
from mtprobe_http.transport import Transport

_NOT_A_LIST = (400, 404, 405, 413, 415, 422, 500, 501)  # answers to several prompts where one is allowed
_CONFIRMED = (
    1.0  # nats by which a server may differ from itself: llama.cpp did by up to 0.8 for one of 2,014 tokens
)
_LONE_SURROGATE = Failure("the target contains a lone surrogate, so it is not valid Unicode text")


@dataclass(frozen=True, slots=True)
class Prompted:
    """A target where the prompt asks for it."""

    index: int
    prompt: str
    target: str
    end: str  # the end of the turn
    repeat: int = 0

    @property
    def text(self) -> str:
        return f"{self.prompt}{self.target}{self.end}"


@dataclass(frozen=True, slots=True)
class Prediction:
    """The token that a model predicts after a prompt."""

    text: str
    logprob: float


class ScoringService(Service):
    """A service that scores targets; a score includes the end of the turn where the prompt has one."""

    confirmed = False  # a score was compared with the service's own prediction
    takes_lists = False  # of prompts, as far as that is known
    way: str  # how it scores, for signatures: by which prompt

    @abstractmethod
    def prompted(self, index: int, pair: ScorePair) -> Prompted:
        """The pair as it is sent."""

    @abstractmethod
    def scores_call(self, items: Sequence[Prompted]) -> Call:
        """The request for the log-probabilities of targets."""

    @abstractmethod
    def read_scores(self, answer: Any, items: Sequence[Prompted]) -> list[TokenLogProbs | Failure]:
        """One result per item; a `Broken` where there are not as many, a `ModelError` from a service that cannot score."""

    @abstractmethod
    def predictions_call(self, prompts: Sequence[str]) -> Call:
        """The request for the next token after each prompt."""

    @abstractmethod
    def read_predictions(self, answer: Any, count: int) -> list[Prediction | None]:
        """One per prompt; None for a token that has no text of its own."""

    @abstractmethod
    def unconfirmed(self, difference: str) -> ModelError:
        """The error for scores that are not what the service itself predicts."""


class Scoring(Engine[Prompted, TokenLogProbs]):
    """One stream of targets through one service."""

    results = "scores"
    _service: ScoringService

    async def score(
        self,
        pairs: Sequence[ScorePair],
        deliver: Callable[[Mapping[int, TokenLogProbs | Failure]], None],
    ) -> None:
        """Delivers every score as soon as it arrives; raises a fatal error at the end."""
        items, settled = self._sort_out(pairs)
        if settled:
            deliver(settled)
        waiting = deque(items)
        async with Transport(self._service, self._settings) as transport:
            await self._guarded(self._until_confirmed(waiting, transport, deliver))
            if self._fatal is None:
                await self._work(batches(waiting, self._limits()), transport, deliver)
        self._raise_fatal()

    def _sort_out(
        self, pairs: Sequence[ScorePair]
    ) -> tuple[list[Prompted], dict[int, TokenLogProbs | Failure]]:
        sendable: list[Prompted] = []
        settled: dict[int, TokenLogProbs | Failure] = {}
        for index, pair in enumerate(pairs):
            if not is_encodable(pair.source):
                settled[index] = LONE_SURROGATE
            elif not is_encodable(pair.target):
                settled[index] = _LONE_SURROGATE
            else:
                item = self._service.prompted(index, pair)
                failure = too_long(item.text, self._settings.limits)
                if failure is None and not f"{item.target}{item.end}":
                    failure = Failure("an empty target has no tokens, and the prompt has no end of the turn")
                if failure is None:
                    sendable.append(item)
                else:
                    settled[index] = failure
        return sendable, settled

    def _limits(self) -> Limits:
        limits = self._settings.limits
        return limits if self._service.takes_lists else replace(limits, texts=1)

    # -- before scores are believed --

    async def _until_confirmed(
        self,
        waiting: deque[Prompted],
        transport: Transport,
        deliver: Callable[[Mapping[int, TokenLogProbs | Failure]], None],
    ) -> None:
        """Scores targets alone. Their scores are delivered once they are confirmed."""
        kept: dict[int, TokenLogProbs | Failure] = {}
        while waiting and not self._service.confirmed:
            item = waiting.popleft()
            result: dict[int, TokenLogProbs | Failure] = {}
            await self._batch([item], transport, result.update)
            kept.update(result)
            if isinstance(result[item.index], Failure):
                deliver({item.index: kept.pop(item.index)})
            else:
                await self._confirm(item, transport)
        if kept and not self._service.confirmed:
            raise self._service.unconfirmed(
                "it predicted no token with a text of its own that could be compared"
            )
        if kept:
            deliver(kept)

    async def _confirm(self, item: Prompted, transport: Transport) -> None:
        """Compares the prediction of a token with what the service says of the same token in a prompt."""
        try:
            predicted = await self._predicted(item.prompt, transport)
            if predicted is None:
                return
            again = replace(item, target=predicted.text, end="")
            call = self._service.scores_call([again])
            (scores,) = await self._ask(
                call,
                len(again.text),
                transport,
                lambda answer: self._service.read_scores(answer.json(), [again]),
            )
        except Problem as problem:
            raise self._fatal_error(problem, self._kept()) from None
        if isinstance(scores, Failure) or len(scores) != 1:
            return  # it is read as other tokens with the prompt
        if abs(scores[0] - predicted.logprob) > _CONFIRMED:
            raise self._service.unconfirmed(
                f"it predicts “{predicted.text}” after the prompt with {predicted.logprob:.2f}, "
                f"but says {scores[0]:.2f} of the same token in a prompt"
            )
        self._service.confirmed = True

    async def _predicted(self, prompt: str, transport: Transport) -> Prediction | None:
        """The next token after a prompt, asked for twice at once to see whether the service takes several prompts."""
        if self._settings.limits.texts > 1:
            twice = self._service.predictions_call([prompt, prompt])
            predictions = await self._ask(
                twice, 2 * len(prompt), transport, lambda answer: self._read_twice(answer), _NOT_A_LIST
            )
            if predictions is not None:
                self._service.takes_lists = True
                first: Prediction | None = predictions[0]
                return first
            LOGGER.info("%s: it takes one prompt per request", self._service.kind)
        predictions = await self._ask(
            self._service.predictions_call([prompt]),
            len(prompt),
            transport,
            lambda answer: self._service.read_predictions(answer.json(), 1),
        )
        single: Prediction | None = predictions[0]
        return single

    def _read_twice(self, answer: Answer) -> list[Prediction | None] | None:
        """None if the service read one of the two prompts only."""
        content = answer.json()
        choices = content.get("choices") if isinstance(content, Mapping) else None
        if isinstance(choices, list) and len(choices) == 1:
            return None
        return self._service.read_predictions(content, 2)

    def _call(self, batch: Sequence[Prompted]) -> Call:
        return self._service.scores_call(batch)

    def _read(
        self,
        content: Any,
        batch: Sequence[Prompted],
        *,
        repeats_key: bool,  # noqa: ARG002 - numbers repeat nothing
    ) -> list[TokenLogProbs | Failure]:
        return self._service.read_scores(content, batch)
