"""`concat:[SEPARATOR|]SPEC`: a model that gets the context of a source as text before it.

For models that were trained on several sentences at once: sentences are joined by the separator (a space, unless one is
given, as in `concat:<sep>|hf:PATH`). A model that writes the separator has its translation after the last one; any other one is
taken to translate the last sentence alone (two to one). Targets are scored given the joined source, by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from mtprobe.backends.protocols import Opened, OpenRequest, Request, can_translate, inputs_for
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.backends.scorer import ScorePair, TokenLogProbs, can_score
from mtprobe.errors import Failure, ModelError

_PASSED_ON = (
    "decoding",
    "dtype",
    "provider",
    "runtime",
    "target_spans",
    "chunk",
    "reads_sources",
    "deterministic",
    "ignores_target",
    "hold_budget",
)


class Concatenating:
    """Joins contexts and sources for a model that takes strings."""

    takes_requests: Literal[True] = True
    stays_here = "contexts are joined here"

    def __init__(self, inner: Opened, separator: str) -> None:
        self._inner = inner
        self._separator = separator
        self.languages = inner.languages

    @property
    def fingerprint(self) -> str:
        return f"concat:{self._separator!r}:{self._inner.fingerprint}"

    @property
    def scoring_fingerprint(self) -> str:
        inner = getattr(self._inner, "scoring_fingerprint", None) or self._inner.fingerprint
        return f"concat:{self._separator!r}:{inner}"

    def __getattr__(self, name: str) -> Any:
        if name in _PASSED_ON:
            return getattr(self._inner, name)
        raise AttributeError(name)

    def in_context(self, context: Sequence[str], text: str) -> str:
        """The source that stands for a text in its context."""
        glue = self._separator if self._separator == " " else f" {self._separator} "
        return glue.join([*context, text])

    def translate(self, requests: Sequence[Request]) -> list[str | Failure]:
        inner: Any = self._inner
        sources = [
            Request(self.in_context(request.context, request.text), repeat=request.repeat)
            for request in requests
        ]
        translations: list[str | Failure] = inner.translate(inputs_for(inner, sources))
        return [text if isinstance(text, Failure) else self._last(text) for text in translations]

    def _last(self, text: str) -> str:
        """The text after the last separator."""
        return text if self._separator == " " else text.rpartition(self._separator)[2].strip()


class ScoringConcatenating(Concatenating):
    """… that also scores; its pairs have joined sources already."""

    def score(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        inner: Any = self._inner
        scores: list[TokenLogProbs | Failure] = inner.score(pairs)
        return scores


def open_concat(rest: str, request: OpenRequest) -> Concatenating:
    separator, bar, spec = rest.partition("|")
    if not bar:
        separator, spec = " ", rest
    if not spec or not separator:
        raise ModelError(
            "concat: write concat:SPEC or concat:SEPARATOR|SPEC, for example concat:<sep>|hf:PATH"
        )
    inner = open_backend(ModelSpec.parse(spec), request)
    if not can_translate(inner):
        raise ModelError(f"concat: {ModelSpec.parse(spec).name} cannot translate")
    return (ScoringConcatenating if can_score(inner) else Concatenating)(inner, separator)
