"""`mtprobe.open_model("demo")`: a model to translate and score with, outside of a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mtprobe.backends.dtype import parse_dtype
from mtprobe.backends.protocols import LanguagePair, Opened, OpenRequest, can_translate
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.backends.request import Request, as_request
from mtprobe.backends.scorer import ScorePair, TokenLogProbs, can_score
from mtprobe.backends.stream import score_stream
from mtprobe.backends.translating import translations_of
from mtprobe.errors import Failure, ModelError
from mtprobe.language import tags


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
    """Opens the model that a spec names, as `--mt-model` takes it; cheap, since no weights are loaded yet."""
    parsed = ModelSpec.parse(spec)
    request = _request(source, target, device, dtype)
    return OpenedModel(parsed.name, open_backend(parsed, request))


def _request(source: str | None, target: str | None, device: str, dtype: str) -> OpenRequest:
    for tag in (source, target):
        if tag is not None and not tags.is_language(tag):
            raise ModelError(f'"{tag}" is not a language tag; write BCP 47, for example en, pt or pt-BR')
    return OpenRequest(
        source=tags.standard(source) if source else None,
        target=tags.standard(target) if target else None,
        device=device,
        dtype=parse_dtype(dtype),
    )
