"""What a model under test looks like to the rest of mtprobe."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeGuard, runtime_checkable

from mtprobe.backends.dtype import Dtype
from mtprobe.errors import Failure, ModelError

UNDETERMINED = "und"  # BCP 47's own tag for it


@dataclass(frozen=True, slots=True)
class LanguagePair:
    """From one language to another, both as BCP 47 tags."""

    source: str
    target: str

    def __str__(self) -> str:
        return f"{self.source}→{self.target}" if self.source != UNDETERMINED else f"into {self.target}"

    def with_source(self, source: str) -> LanguagePair:
        """The pair with its source settled, where it was left open."""
        return LanguagePair(source, self.target) if self.source == UNDETERMINED else self


class Opened(Protocol):
    """What a spec names: it translates (a `Backend`), scores (a `Scorer`), or both."""

    @property
    def languages(self) -> LanguagePair:
        """The direction, settled when the spec is opened."""

    @property
    def fingerprint(self) -> str:
        """Changes whenever outputs may change: weights, decoding, version. Known before any weight is loaded."""


@runtime_checkable
class Backend(Opened, Protocol):
    """The model under test. One that also has `score` is a `Scorer` and can judge itself."""

    def translate(self, sources: Sequence[str]) -> list[str | Failure]:
        """One translation a source, in order. A `Failure` speaks for one sentence; an exception for all."""


def can_translate(model: object) -> TypeGuard[Backend]:
    """Whether it is a `Backend`. `isinstance` would read its fingerprint, for which a service is asked."""
    return callable(getattr(model, "translate", None))


@runtime_checkable
class Streaming(Protocol):
    """A backend that hands over translations as it has them, so that none is lost when it fails later on."""

    def stream(self, sources: Sequence[str]) -> Generator[Mapping[int, str | Failure], None, None]:
        """Some translations at a time, by the places of their sources, in any order; each place once."""


@runtime_checkable
class Measures(Protocol):
    """A model whose tokenizer can be asked while its weights are not loaded."""

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text has as a source; what work is divided by, so a target may be asked too."""


def stays_here(model: object) -> str | None:
    """Why an executor leaves a model where pytest runs, or None where it may be taken elsewhere."""
    reason: str | None = getattr(model, "stays_here", None)
    return reason


@dataclass(frozen=True, slots=True)
class Estimate:
    """What sentences will cost, before they are sent."""

    characters: int
    dollars: float | None  # None: the price is not known
    basis: str  # `20 USD a million characters`, or how to say the price


@runtime_checkable
class Priced(Protocol):
    """A backend that may cost money."""

    def estimate(self, sources: Sequence[str]) -> Estimate | None:
        """What these would cost; None where it is free."""


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """What a spec may need to know besides its own text."""

    source: str | None = None
    target: str | None = None
    device: str = "auto"
    threads: int | None = None  # None: one a core
    dtype: Dtype = "fp32"  # for models that mtprobe itself computes; one that cannot obey must say so


def languages_from(request: OpenRequest, spec: str) -> LanguagePair:
    """The direction of a backend that cannot know it by itself: the target must be said, the source may be open."""
    if request.target is None:
        raise ModelError(f"{spec} does not say which language it translates into: give --mt-target")
    return LanguagePair(request.source or UNDETERMINED, request.target)
