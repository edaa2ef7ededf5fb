"""A model under test or an evaluator: a backend with its name, and where it runs."""

from __future__ import annotations

from dataclasses import dataclass

from mtprobe.backends.executor import Recipe
from mtprobe.backends.protocols import LanguagePair, Opened


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What a report says about a model or an evaluator. Never its spec: a command may contain secrets."""

    name: str
    fingerprint: str
    decoding: str = ""
    dtype: str = ""
    provider: str = ""  # what it ran on, if it had to run at all


@dataclass(frozen=True, slots=True)
class Model:
    """A model under test, or an evaluator."""

    name: str
    backend: Opened
    recipe: Recipe | None = None  # how it was opened; None: an object of the caller's own
    elsewhere: Opened | None = None  # what translates and scores in its place; None: it does so itself

    @property
    def runner(self) -> Opened:
        """What is asked to translate and to score."""
        return self.backend if self.elsewhere is None else self.elsewhere

    @property
    def languages(self) -> LanguagePair:
        return self.backend.languages

    def facts(self) -> ModelFacts:
        """What the record keeps of it. What it ran on is known once it has run."""
        backend = self.backend
        provider = getattr(self.runner, "provider", "") or (
            "from the store" if hasattr(backend, "provider") else ""
        )
        return ModelFacts(
            self.name,
            backend.fingerprint,
            decoding=str(getattr(backend, "decoding", "")),
            dtype=str(getattr(backend, "dtype", "")),
            provider=provider,
        )
