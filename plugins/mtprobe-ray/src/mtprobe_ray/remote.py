"""A model whose sentences are processed on a cluster, with the same abilities as the local model."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from mtprobe.backends import (
    LOGGER,
    Failure,
    Measures,
    Model,
    Opened,
    Recipe,
    Request,
    ScorePair,
    SpanPair,
    TokenAttention,
    TokenLogProbs,
    as_request,
    reads_sources,
)
from mtprobe_ray.pool import Job
from mtprobe_ray.shards import shards
from mtprobe_ray.worker import Target

if TYPE_CHECKING:
    from mtprobe_ray.executor import RayExecutor

_CHARACTERS_PER_TOKEN = 4


class Remote:
    """A model on the cluster."""

    def __init__(self, model: Model, recipe: Recipe, executor: RayExecutor) -> None:
        self._backend, self._recipe, self._executor = model.backend, recipe, executor
        self.languages = model.languages
        self.reads_sources = reads_sources(model.backend)
        self._providers: set[str] = set()
        self._runtimes: set[str] = set()

    @property
    def fingerprint(self) -> str:
        return self._backend.fingerprint

    @property
    def scoring_fingerprint(self) -> str | None:
        return getattr(self._backend, "scoring_fingerprint", None)

    @property
    def provider(self) -> str:
        """The provider that ran the model, on all nodes."""
        return ", ".join(sorted(self._providers))

    @property
    def runtime(self) -> str:
        """The same, with versions."""
        return "; ".join(sorted(self._runtimes))

    def results(
        self, work: str, items: Sequence[Any], lengths: Sequence[int], together: Sequence[str] | None = None
    ) -> Generator[Mapping[int, Any], None, None]:
        """The cluster's results for the items, by index, as they arrive."""
        if not items:
            return
        pool = self._executor.pool
        job = Job(work, Target(self._recipe, self.fingerprint), items)
        for shard, answer in pool.run(job, shards(lengths, pool.size(), together)):
            self._providers |= {answer.provider} - {""}
            self._runtimes |= {answer.runtime} - {""}
            for notice in answer.notices:
                LOGGER.warning("%s", notice)
            yield dict(zip(shard.indices, answer.results, strict=True))

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """In tokens; estimated from the characters if there is no tokenizer."""
        if isinstance(self._backend, Measures):
            return self._backend.lengths(texts)
        return [1 + len(text) // _CHARACTERS_PER_TOKEN for text in texts]


class Translates(Remote):
    """Takes requests, and sends them on; the worker gives its backend what that takes."""

    takes_requests: Literal[True] = True

    def translate(self, requests: Sequence[str | Request]) -> list[str | Failure]:
        return _in_order(self.stream(requests), len(requests))

    def stream(self, requests: Sequence[str | Request]) -> Generator[Mapping[int, str | Failure], None, None]:
        items = [as_request(request) for request in requests]
        texts = [" ".join((*item.context, item.text)) for item in items]
        yield from self.results("translate", items, self.lengths(texts))


class Scores(Remote):
    def score(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        return _in_order(self.stream_scores(pairs), len(pairs))

    def stream_scores(
        self, pairs: Sequence[ScorePair]
    ) -> Generator[Mapping[int, TokenLogProbs | Failure], None, None]:
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        tokens = dict(zip(texts, self.lengths(texts), strict=True))
        lengths = [tokens[source] + tokens[target] for source, target in pairs]
        sources = [source for source, _ in pairs]
        yield from self.results("score", [tuple(pair) for pair in pairs], lengths, together=sources)


class PlacesTokens(Remote):
    def target_spans(self, text: str) -> Sequence[tuple[int, int] | None]:
        results = _in_order(self.results("spans", [text], [1]), 1)
        spans: Sequence[tuple[int, int] | None] = results[0]
        return spans


class Attends(Remote):
    def attention(self, pairs: Sequence[SpanPair]) -> list[TokenAttention | Failure]:
        texts = list(dict.fromkeys(text for pair in pairs for text in pair[:2]))
        tokens = dict(zip(texts, self.lengths(texts), strict=True))
        lengths = [tokens[pair.source] + tokens[pair.target] for pair in pairs]
        sources = [pair.source for pair in pairs]
        items = [tuple(pair) for pair in pairs]
        return _in_order(self.results("attention", items, lengths, together=sources), len(pairs))


def remote_model(model: Model, recipe: Recipe, executor: RayExecutor) -> Opened:
    """Has exactly the methods of the model, since mtprobe finds out what a model can do by looking at them."""
    abilities = {
        "translate": Translates,
        "score": Scores,
        "target_spans": PlacesTokens,
        "attention": Attends,
    }
    bases = [kind for name, kind in abilities.items() if callable(getattr(model.backend, name, None))]
    remote: Opened = type("RemoteModel", tuple(bases), {})(model, recipe, executor)
    return remote


def _in_order(stream: Generator[Mapping[int, Any], None, None], count: int) -> list[Any]:
    results: dict[int, Any] = {}
    for some in stream:
        results.update(some)
    return [results[index] for index in range(count)]
