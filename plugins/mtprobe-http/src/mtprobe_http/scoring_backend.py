"""A service that translates and scores, as a backend."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from functools import cached_property

from mtprobe.backends import Estimate, Failure, LanguagePair, ScorePair, TokenLogProbs
from mtprobe_http.backend import HttpBackend
from mtprobe_http.background import delivered
from mtprobe_http.budget import Budget
from mtprobe_http.clock import Clock
from mtprobe_http.scoring import Scoring, ScoringService
from mtprobe_http.service import Service
from mtprobe_http.settings import Settings

SCORING_MACHINERY = "scores-v1"  # raise it with every change after which a score may differ


class ScoringHttpBackend(HttpBackend):
    """Opens no connection before the first translation or score, except to ask a service for its version."""

    def __init__(
        self,
        services: tuple[Service, ScoringService],
        settings: tuple[Settings, Settings],
        languages: LanguagePair,
        clock: Clock | None = None,
    ) -> None:
        """One service and its settings for translating, and one for scoring."""
        super().__init__(services[0], settings[0], languages, clock)
        self.scoring_settings = settings[1]
        self._scoring = services[1]
        self.budget = Budget(services[1].kind)

    @property
    def decoding(self) -> str:
        """The prompt used for scoring."""
        return self._scoring.way

    @cached_property
    def scoring_fingerprint(self) -> str:
        """Without the options of translating."""
        return self._identity(self._scoring, SCORING_MACHINERY)

    def score(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        scores: dict[int, TokenLogProbs | Failure] = {}
        for new in self.stream_scores(pairs):
            scores.update(new)
        return [scores[index] for index in range(len(pairs))]

    def stream_scores(
        self, pairs: Sequence[ScorePair]
    ) -> Generator[Mapping[int, TokenLogProbs | Failure], None, None]:
        if not pairs:
            return
        engines: list[Scoring] = []

        async def work(deliver: Callable[[Mapping[int, TokenLogProbs | Failure]], None]) -> None:
            engines.append(Scoring(self._scoring, self.scoring_settings, self.clock))
            await engines[0].score(pairs, deliver)

        self.budget.pay(self.estimate_scores(pairs), "scores", f"scoring {len(pairs):,} pairs")
        self._warn_if_unencrypted()
        try:
            yield from delivered(work)
        finally:
            for engine in engines:
                self._stated |= engine.stated

    def estimate_scores(self, pairs: Sequence[ScorePair]) -> Estimate | None:
        """The cost of scores; None if they are free."""
        texts = [self._scoring.prompted(0, pair).text for pair in pairs]
        return self._scoring.estimate(texts)

    def hold_budget(self, dollars: float) -> None:
        """From now on, scores that would cost more than this altogether are an error, and are not sent."""
        self.budget.hold(dollars)
