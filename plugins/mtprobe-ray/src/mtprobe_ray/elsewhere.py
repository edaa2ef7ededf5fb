"""What stands for a model whose sentences are sent to a cluster: it can do what the model can, and no more."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mtprobe.backends.executor import Recipe
from mtprobe.backends.model import Model
from mtprobe.backends.protocols import Measures, Opened
from mtprobe.backends.scorer import ScorePair, TokenLogProbs, reads_sources
from mtprobe.errors import Failure
from mtprobe.progress import LOGGER
from mtprobe_ray.pool import Job
from mtprobe_ray.shards import shards
from mtprobe_ray.worker import Asked

if TYPE_CHECKING:
    from mtprobe_ray.executor import RayExecutor

_CHARACTERS_A_TOKEN = 4


class Elsewhere:
    """A model on the cluster."""

    def __init__(self, model: Model, recipe: Recipe, executor: RayExecutor) -> None:
        self._backend, self._recipe, self._executor = model.backend, recipe, executor
        self.languages = model.languages
        self.reads_sources = reads_sources(model.backend)
        self._providers: set[str] = set()

    @property
    def fingerprint(self) -> str:
        return self._backend.fingerprint

    @property
    def provider(self) -> str:
        """What ran the model, on all nodes."""
        return ", ".join(sorted(self._providers))

    def made(
        self, work: str, things: Sequence[Any], lengths: Sequence[int], together: Sequence[str] | None = None
    ) -> Generator[Mapping[int, Any], None, None]:
        """What the cluster makes of the things, by their places, as it arrives."""
        if not things:
            return
        pool = self._executor.pool
        job = Job(work, Asked(self._recipe, self.fingerprint), things)
        for shard, answer in pool.run(job, shards(lengths, pool.size(), together)):
            self._providers |= {answer.provider} - {""}
            for notice in answer.notices:
                LOGGER.warning("%s", notice)
            yield dict(zip(shard.places, answer.made, strict=True))

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """In tokens; guessed from the characters where there is no tokenizer to be had."""
        if isinstance(self._backend, Measures):
            return self._backend.lengths(texts)
        return [1 + len(text) // _CHARACTERS_A_TOKEN for text in texts]


class Translates(Elsewhere):
    def translate(self, sources: Sequence[str]) -> list[str | Failure]:
        return _in_order(self.stream(sources), len(sources))

    def stream(self, sources: Sequence[str]) -> Generator[Mapping[int, str | Failure], None, None]:
        yield from self.made("translate", sources, self.lengths(sources))


class Scores(Elsewhere):
    def score(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        return _in_order(self.stream_scores(pairs), len(pairs))

    def stream_scores(
        self, pairs: Sequence[ScorePair]
    ) -> Generator[Mapping[int, TokenLogProbs | Failure], None, None]:
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        tokens = dict(zip(texts, self.lengths(texts), strict=True))
        lengths = [tokens[source] + tokens[target] for source, target in pairs]
        sources = [source for source, _ in pairs]
        yield from self.made("score", [tuple(pair) for pair in pairs], lengths, together=sources)


class PlacesTokens(Elsewhere):
    def target_spans(self, text: str) -> Sequence[tuple[int, int] | None]:
        (spans,) = _in_order(self.made("spans", [text], [1]), 1)
        found: Sequence[tuple[int, int] | None] = spans
        return found


def elsewhere(model: Model, recipe: Recipe, executor: RayExecutor) -> Opened:
    """Has exactly the abilities of the model, since mtprobe finds out what a model can by looking."""
    abilities = {"translate": Translates, "score": Scores, "target_spans": PlacesTokens}
    bases = [kind for name, kind in abilities.items() if callable(getattr(model.backend, name, None))]
    made: Opened = type("Elsewhere", tuple(bases), {})(model, recipe, executor)
    return made


def _in_order(stream: Generator[Mapping[int, Any], None, None], count: int) -> list[Any]:
    made: dict[int, Any] = {}
    for some in stream:
        made.update(some)
    return [made[place] for place in range(count)]
