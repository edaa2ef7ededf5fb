"""What runs on the cluster: a worker holds the models that it was asked for, each opened and loaded once.

Nothing but the names of models, sentences and results goes over the wire; keys that a backend needs are in the
environment of the node.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from mtprobe.backends.executor import Recipe
from mtprobe.backends.protocols import Opened, can_translate
from mtprobe.backends.scorer import ScorePair, can_score
from mtprobe.backends.stream import score_stream
from mtprobe.backends.translating import translations_of
from mtprobe.errors import ModelError, MtprobeError
from mtprobe.methods.tokens import PlacesTokens
from mtprobe.progress import notices_to


@dataclass(frozen=True, slots=True)
class Asked:
    """A model that is asked for something."""

    recipe: Recipe
    fingerprint: str  # of the model that was opened where pytest runs


@dataclass(frozen=True, slots=True)
class Answer:
    """What was made, in the order of what was asked."""

    made: Sequence[Any]
    provider: str  # what ran the model, where it says so
    notices: tuple[str, ...]  # what the backend had to tell the user


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error that the user can put right. It is raised where the user is."""

    of_model: bool
    message: str

    def error(self) -> MtprobeError:
        return ModelError(self.message) if self.of_model else MtprobeError(self.message)


class Worker:
    def __init__(self, folder: str) -> None:
        """Paths in specs start where pytest was started, on nodes that have this folder."""
        with suppress(OSError):
            os.chdir(folder)
        self._opened: dict[Asked, Opened] = {}

    def process(self) -> tuple[str, int]:
        """Where it runs. It answers when it has started."""
        return socket.gethostname(), os.getpid()

    def run(self, work: str, asked: Asked, things: Sequence[Any]) -> Answer | Refusal:
        """`work` is one of the names below."""
        notices: list[str] = []
        try:
            with notices_to(notices.append):
                model = self._model(asked)
                made = _WORKS[work](model, things)
        except MtprobeError as error:
            return Refusal(isinstance(error, ModelError), str(error))
        return Answer(made, str(getattr(model, "provider", "") or ""), tuple(notices))

    def _model(self, asked: Asked) -> Opened:
        if asked not in self._opened:
            try:
                model = asked.recipe.open()
                there = model.fingerprint
            except MtprobeError as error:
                raise ModelError(f"on the node {socket.gethostname()}: {error}") from None
            if there != asked.fingerprint:
                raise ModelError(
                    f"{asked.recipe.spec.name} is another model on the node {socket.gethostname()} ({there}) than "
                    f"here ({asked.fingerprint}): every node needs the same files and the same versions"
                )
            self._opened[asked] = model
        return self._opened[asked]


def _translate(model: Opened, sources: Sequence[str]) -> Sequence[Any]:
    if not can_translate(model):
        raise TypeError(f"{model.fingerprint} does not translate")
    made = {source: text for some in translations_of(model, sources) for source, text in some.items()}
    return [made[source] for source in sources]


def _score(model: Opened, pairs: Sequence[tuple[str, str]]) -> Sequence[Any]:
    if not can_score(model):
        raise TypeError(f"{model.fingerprint} does not score")
    return [one for _, one in score_stream(model, (ScorePair(*pair) for pair in pairs))]


def _spans(model: Opened, texts: Sequence[str]) -> Sequence[Any]:
    if not isinstance(model, PlacesTokens):
        raise TypeError(f"{model.fingerprint} does not place tokens")
    return [model.target_spans(text) for text in texts]


_WORKS: Mapping[str, Callable[[Opened, Sequence[Any]], Sequence[Any]]] = {
    "translate": _translate,
    "score": _score,
    "spans": _spans,
}
