"""The worker on the cluster, which opens and loads each requested model once.

Only the names of models, sentences and results are sent over the network; keys that a backend needs are in the
environment of the node.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from mtprobe.backends import (
    Attends,
    ModelError,
    MtprobeError,
    Opened,
    PlacesTokens,
    Recipe,
    Request,
    ScorePair,
    SpanPair,
    can_score,
    can_translate,
    notices_to,
    runtime_of,
    score_stream,
    translations_of,
)


@dataclass(frozen=True, slots=True)
class Target:
    """The model that a job is for."""

    recipe: Recipe
    fingerprint: str  # of the model as it was opened where pytest runs


@dataclass(frozen=True, slots=True)
class Answer:
    """The results, in the order of the items."""

    results: Sequence[Any]
    provider: str  # what ran the model, if it says so
    runtime: str  # with its version
    notices: tuple[str, ...]  # the backend's messages to the user


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error that the user can fix. It is raised where the user is."""

    of_model: bool
    message: str

    def error(self) -> MtprobeError:
        return ModelError(self.message) if self.of_model else MtprobeError(self.message)


class Worker:
    def __init__(self, folder: str) -> None:
        """Relative paths in specs start where pytest was started, if the node has this folder."""
        with suppress(OSError):
            os.chdir(folder)
        self._opened: dict[Target, Opened] = {}

    def process(self) -> tuple[str, int]:
        """Host and process. It answers once the worker has started."""
        return socket.gethostname(), os.getpid()

    def run(self, work: str, target: Target, items: Sequence[Any]) -> Answer | Refusal:
        """`work` is one of the names below."""
        notices: list[str] = []
        try:
            with notices_to(notices.append):
                model = self._model(target)
                results = _WORK[work](model, items)
        except MtprobeError as error:
            return Refusal(isinstance(error, ModelError), str(error))
        provider = str(getattr(model, "provider", "") or "")
        return Answer(results, provider, runtime_of(model), tuple(notices))

    def _model(self, target: Target) -> Opened:
        if target not in self._opened:
            try:
                model = target.recipe.open()
                fingerprint = model.fingerprint
            except MtprobeError as error:
                raise ModelError(f"on the node {socket.gethostname()}: {error}") from None
            if fingerprint != target.fingerprint:
                raise ModelError(
                    f"{target.recipe.spec.name} is another model on the node {socket.gethostname()} ({fingerprint}) "
                    f"than here ({target.fingerprint}): every node needs the same files and the same versions"
                )
            self._opened[target] = model
        return self._opened[target]


def _translate(model: Opened, requests: Sequence[Request]) -> Sequence[Any]:
    if not can_translate(model):
        raise TypeError(f"{model.fingerprint} does not translate")
    translations = {
        request: text for chunk in translations_of(model, requests) for request, text in chunk.items()
    }
    return [translations[request] for request in requests]


def _score(model: Opened, pairs: Sequence[tuple[str, str]]) -> Sequence[Any]:
    if not can_score(model):
        raise TypeError(f"{model.fingerprint} does not score")
    return [scores for _, scores in score_stream(model, (ScorePair(*pair) for pair in pairs))]


def _spans(model: Opened, texts: Sequence[str]) -> Sequence[Any]:
    if not isinstance(model, PlacesTokens):
        raise TypeError(f"{model.fingerprint} does not place tokens")
    return [model.target_spans(text) for text in texts]


def _attention(model: Opened, pairs: Sequence[tuple[str, str, int, int]]) -> Sequence[Any]:
    if not isinstance(model, Attends):
        raise TypeError(f"{model.fingerprint} does not align")
    return model.attention([SpanPair(*pair) for pair in pairs])


_WORK: Mapping[str, Callable[[Opened, Sequence[Any]], Sequence[Any]]] = {
    "translate": _translate,
    "score": _score,
    "spans": _spans,
    "attention": _attention,
}
