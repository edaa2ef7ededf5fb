"""Models under test and evaluators, and where they run: in this process, or elsewhere through a plugin (group `mtprobe.executors`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Protocol

from mtprobe.backends.answers import can_answer
from mtprobe.backends.device import parse_dtype
from mtprobe.backends.guard import guarded
from mtprobe.backends.protocols import (
    LanguagePair,
    Opened,
    OpenRequest,
    Request,
    as_request,
    can_translate,
)
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.backends.scorer import ScorePair, TokenLogProbs, can_score
from mtprobe.backends.stored import fingerprint_of, score_stream, scoring_fingerprint_of, translations_of
from mtprobe.errors import Failure, ModelError, MtprobeError, did_you_mean
from mtprobe.language import tags
from mtprobe.printable import printable
from mtprobe.store import Store
from mtprobe.store.runtimes import UNRECORDED

GROUP = "mtprobe.executors"
LOCAL = "local"


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a model was opened, for opening it again elsewhere. Contains no keys; those come from the environment."""

    spec: ModelSpec
    request: OpenRequest

    def open(self) -> Opened:
        return open_backend(self.spec, self.request)


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """Facts about a model or an evaluator for reports. The spec is excluded because a command may contain secrets."""

    name: str  # the NAME of `NAME=SPEC`, or a short form of the spec
    fingerprint: str  # changes whenever outputs may change
    decoding: str = ""  # the decoding strategy: greedy, beams …
    dtype: str = ""  # the number format
    provider: str = ""  # the execution provider or service, if the model had to run
    runtime: str = ""  # the runtime that computed its outputs, including stored ones
    scoring: str = ""  # the fingerprint of its scores, if decoding options give translations a different one


@dataclass(frozen=True, slots=True)
class Model:
    """A model under test, or an evaluator."""

    name: str
    backend: Opened
    recipe: Recipe | None = None  # how it was opened; None: an object of the caller's own
    elsewhere: Opened | None = None  # what translates and scores in its place; None: it does so itself
    into: str = ""  # its target language, if the run has several of them

    @property
    def title(self) -> str:
        """The name, with the languages if the run has several targets."""
        return f"{self.name} ({self.languages})" if self.into else self.name

    @property
    def runner(self) -> Opened:
        """The object that translates and scores."""
        return self.backend if self.elsewhere is None else self.elsewhere

    @property
    def languages(self) -> LanguagePair:
        return self.backend.languages

    @property
    def cannot_score(self) -> str:
        """The message for a model that only translates; a backend may have `needs_to_score`, an option of its spec."""
        needs = getattr(self.backend, "needs_to_score", None)
        return f"cannot score without {needs}" if needs else "cannot score"

    def facts(self, store: Store | None = None) -> ModelFacts:
        """The facts for the record. The runtime is known once the model has run, or if its results were stored."""
        backend = self.backend
        fingerprint, scoring = fingerprint_of(backend), scoring_fingerprint_of(backend)
        known = [fingerprint, scoring, *([backend.answering_fingerprint] if can_answer(backend) else [])]
        read = store is not None and any(map(store.runtimes, known))
        stored = "from the store" if read and hasattr(backend, "provider") else ""
        return ModelFacts(
            self.name,
            printable(fingerprint),
            decoding=_stated(backend, "decoding"),
            dtype=_stated(backend, "dtype"),
            provider=_stated(self.runner, "provider") or stored,
            runtime=self._runtimes(store, *known),
            scoring=printable(scoring) if scoring != fingerprint else "",
        )

    def _runtimes(self, store: Store | None, *fingerprints: str) -> str:
        if not hasattr(self.runner, "runtime"):
            return ""
        stored = {name for one in fingerprints for name in (store.runtimes(one) if store else ())}
        names = {_stated(self.runner, "runtime"), *stored} - {UNRECORDED}
        return "; ".join([*sorted(names), *(["not recorded"] if UNRECORDED in stored else [])])


def _stated(backend: object, name: str) -> str:
    """An attribute that a backend reports about itself, as text that can be written anywhere."""
    with guarded(backend):
        value = getattr(backend, name, "")
        return "" if value is None else printable(value)


class Executor(Protocol):
    """Runs models elsewhere, for translating and scoring. The caller stores the results as they arrive."""

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


def open_executor(text: str | None) -> Executor:
    """`local`, or `KIND[:REST]` of an installed plugin. Cheap: no connection is opened."""
    text = text or LOCAL
    if text == LOCAL:
        return Local()
    kind = text.partition(":")[0].partition("?")[0]
    plugins = {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}
    if kind not in plugins:
        raise MtprobeError(f'there is no executor "{kind}"{did_you_mean(kind, [LOCAL, *plugins])}')
    factory: Callable[[str], Executor] = plugins[kind].load()
    return factory(text[len(kind) :].removeprefix(":"))


@dataclass(frozen=True, slots=True)
class OpenedModel:
    """A model as `open_model` returns it. Weights are loaded when it first translates or scores."""

    name: str
    backend: Opened

    @property
    def languages(self) -> LanguagePair:
        return self.backend.languages

    @property
    def fingerprint(self) -> str:
        """Changes whenever outputs may change."""
        return self.backend.fingerprint

    def translate(self, sources: Iterable[str | Request]) -> list[str | Failure]:
        """One translation per source, in order; a `Failure` where a sentence could not be translated."""
        if not can_translate(self.backend):
            raise ModelError(f"{self.name} cannot translate")
        requests = [as_request(source) for source in sources]
        translations: dict[Request, str | Failure] = {}
        for new in translations_of(self.backend, list(dict.fromkeys(requests))):
            translations.update(new)
        return [translations[request] for request in requests]

    def score(self, pairs: Iterable[tuple[str, str]]) -> list[TokenLogProbs | Failure]:
        """Per (source, target) pair, the natural log-probability of each target token, in order."""
        if not can_score(self.backend):
            raise ModelError(f"{self.name} cannot score")
        return [scores for _, scores in score_stream(self.backend, (ScorePair(*pair) for pair in pairs))]


def open_model(
    spec: str,
    *,
    source: str | None = None,
    target: str | None = None,
    device: str = "auto",
    dtype: str = "fp32",
) -> OpenedModel:
    """Opens a model by its spec, written as for `--mt-model`. No weights are loaded yet."""
    parsed = ModelSpec.parse(spec)
    for tag in (source, target):
        if tag is not None and not tags.is_language(tag):
            raise ModelError(f'"{tag}" is not a language tag; write BCP 47, for example en, pt or pt-BR')
    request = OpenRequest(
        source=tags.standard(source) if source else None,
        target=tags.standard(target) if target else None,
        device=device,
        dtype=parse_dtype(dtype),
    )
    return OpenedModel(parsed.name, open_backend(parsed, request))
