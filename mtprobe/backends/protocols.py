"""The interface between mtprobe and a model that translates."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, TypeGuard, runtime_checkable

from mtprobe.backends.device import Dtype
from mtprobe.errors import Failure, ModelError
from mtprobe.suite.sample import text_key

UNDETERMINED = "und"
"""BCP 47's tag for an unknown language."""
LONE_SURROGATE = Failure("the source contains a lone surrogate, so it is not valid Unicode text")
"""The failure of a source that is not valid Unicode text."""


@dataclass(frozen=True, slots=True)
class LanguagePair:
    """Source and target language, both as BCP 47 tags."""

    source: str
    target: str

    def __str__(self) -> str:
        return f"{self.source}→{self.target}" if self.source != UNDETERMINED else f"into {self.target}"

    def with_source(self, source: str) -> LanguagePair:
        """The pair with its source filled in if it was undetermined."""
        return LanguagePair(source, self.target) if self.source == UNDETERMINED else self


@dataclass(frozen=True, slots=True)
class Request:
    """One text to translate."""

    text: str
    context: tuple[str, ...] = ()  # the source sentences before the text, in order
    repeat: int = 0  # counts further translations of the same text, for models that sample

    @property
    def key(self) -> str:
        """The request's key in the store: the text alone, unless there is context or a repeat number."""
        return text_key(self.text, self.context, self.repeat)


class Opened(Protocol):
    """An opened model: it translates (a `Backend`), scores (a `Scorer`), or both."""

    @property
    def languages(self) -> LanguagePair:
        """The translation direction, fixed when the spec is opened."""

    @property
    def fingerprint(self) -> str:
        """Changes whenever outputs may change: weights, decoding, version. Known before any weight is loaded."""


@runtime_checkable
class RequestBackend(Opened, Protocol):
    """A backend that takes requests with context and repeat number (`takes_requests = True`)."""

    takes_requests: Literal[True]

    def translate(self, requests: Sequence[Request]) -> list[str | Failure]:
        """One translation per request, in order. A `Failure` concerns one sentence; an exception, all of them."""


@runtime_checkable
class TextBackend(Opened, Protocol):
    """A backend that takes plain strings. Each repeat is another call with the same text."""

    def translate(self, sources: Sequence[str]) -> list[str | Failure]:
        """One translation per source, in order. A `Failure` concerns one sentence; an exception, all of them."""


Backend: TypeAlias = RequestBackend | TextBackend
"""The model under test. One that also has `score` is a `Scorer` and can judge itself."""


def can_translate(model: object) -> TypeGuard[Backend]:
    """Whether it is a `Backend`. `isinstance` would read the fingerprint, which may query a service."""
    return callable(getattr(model, "translate", None))


def runtime_of(model: object) -> str:
    """The runtime that computed its outputs, with version and device (`runtime`); empty if unknown or nothing has run."""
    return str(getattr(model, "runtime", "") or "")


def as_request(source: str | Request) -> Request:
    """A source as a `Request`."""
    return Request(source) if isinstance(source, str) else source


def takes_requests(backend: object) -> bool:
    """Whether its `translate` takes `Request`s; without `takes_requests = True` it takes strings."""
    return bool(getattr(backend, "takes_requests", False))


def uses_context(backend: object) -> bool:
    """Whether it translates in context. Backends that take requests do, unless they set `uses_context = False`."""
    return takes_requests(backend) and bool(getattr(backend, "uses_context", True))


def is_deterministic(backend: object) -> bool:
    """Whether it says that the same text always gets the same translation (`deterministic = True`)."""
    return bool(getattr(backend, "deterministic", False))


def inputs_for(backend: object, sources: Sequence[str | Request]) -> list[Any]:
    """The sources in the form that the backend's methods take: requests or strings.

    A backend that cannot use context cannot be asked for a translation in context.
    """
    requests = [as_request(source) for source in sources]
    if any(request.context for request in requests) and not uses_context(backend):
        raise ModelError(f"{getattr(backend, 'fingerprint', backend)} cannot translate in context")
    return list(requests) if takes_requests(backend) else [request.text for request in requests]


def is_encodable(text: str) -> bool:
    """Whether the text can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@runtime_checkable
class Streaming(Protocol):
    """A backend that yields translations as they are ready; a later error loses none of them."""

    def stream(self, requests: Sequence[Any]) -> Generator[Mapping[int, str | Failure], None, None]:
        """Takes what `translate` takes. Yields translations by the index of their request, in any order, each once."""


@runtime_checkable
class Measures(Protocol):
    """A model whose tokenizer works before the weights are loaded."""

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """The number of tokens in each text, tokenized as a source. Used to divide work, so targets are passed too."""


def stays_here(model: object) -> str | None:
    """Why executors must keep the model in this process; None if they may move it."""
    reason: str | None = getattr(model, "stays_here", None)
    return reason


def ignores_target(model: object) -> bool:
    """Whether it does the same whatever target language it was opened for, so that it cannot be run for several."""
    return bool(getattr(model, "ignores_target", False))


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimated cost of translating sentences, before they are sent."""

    characters: int
    dollars: float | None  # None: the price is unknown
    basis: str  # `20 USD per million characters`, or how to state the price


@runtime_checkable
class Priced(Protocol):
    """A backend that may cost money."""

    def estimate(self, requests: Sequence[Any]) -> Estimate | None:
        """The cost of what `translate` would be given; None if it is free."""


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """The user's settings for a model, in addition to its spec."""

    source: str | None = None
    target: str | None = None
    device: str = "auto"
    threads: int | None = None  # None: one per core
    dtype: Dtype = "fp32"  # for models that run here; a backend that does not support it raises a ModelError
    timeout: float | None = (
        None  # seconds of a call, for code that has no deadline of its own; None: no limit
    )


def languages_from(
    request: OpenRequest, spec: str, own: tuple[str | None, str | None] = (None, None)
) -> LanguagePair:
    """The language pair of a backend, given the model's own languages (`own`) if known.

    The target has to be known one way or the other; the source may stay undetermined.
    """
    from mtprobe.language import tags

    for asked, given, way in zip((request.source, request.target), own, ("from", "into"), strict=True):
        if asked and given and not tags.fits(asked, given):
            raise ModelError(f"{spec}: the model translates {way} {given}, not {asked}")
    target = request.target or own[1]
    if target is None:
        raise ModelError(f"{spec} does not say which language it translates into: give `target`")
    return LanguagePair(request.source or own[0] or UNDETERMINED, target)
