"""Where models run: here, which is the default, or where a plugin takes them (group `mtprobe.executors`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Protocol, TypeAlias

from mtprobe.backends.protocols import Opened, OpenRequest
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.errors import MtprobeError, did_you_mean

if TYPE_CHECKING:
    from mtprobe.backends.model import Model

GROUP = "mtprobe.executors"
LOCAL = "local"


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a model was opened, so that it can be opened again elsewhere. It holds no key: those are the environment's."""

    spec: ModelSpec
    request: OpenRequest

    def open(self) -> Opened:
        return open_backend(self.spec, self.request)


class Executor(Protocol):
    """Runs the translating and scoring of models. What it makes is stored by the caller as it arrives."""

    name: str  # as the user wrote it

    def place(self, model: Model) -> Model:
        """The model with what runs it (`elsewhere`), or as it is where it stays here.

        Cheap: nothing is started before the first sentence. What runs it has the abilities of its backend, and
        should be `Streaming` and a `StreamingScorer`: then nothing is lost but what is under way.
        """

    def close(self) -> None:
        """Ends what it started; called once, after an interruption too."""


class Local:
    """Runs models in this process."""

    name = LOCAL

    def place(self, model: Model) -> Model:
        return model

    def close(self) -> None:
        """There is nothing to end."""


Factory: TypeAlias = Callable[[str], Executor]


def open_executor(text: str | None) -> Executor:
    """`local`, or `KIND[:REST]` of an installed plugin. Cheap: no connection is opened."""
    text = text or LOCAL
    if text == LOCAL:
        return Local()
    kind = text.partition(":")[0].partition("?")[0]
    plugins = {point.name: point for point in _plugins()}
    if kind not in plugins:
        raise MtprobeError(f'there is no executor "{kind}"{did_you_mean(kind, [LOCAL, *plugins])}')
    factory: Factory = plugins[kind].load()
    return factory(text[len(kind) :].removeprefix(":"))


def _plugins() -> Sequence[EntryPoint]:
    return sorted(entry_points(group=GROUP), key=lambda point: point.name)
