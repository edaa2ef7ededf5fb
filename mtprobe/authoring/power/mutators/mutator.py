"""The base class of mutators, which corrupt translations in one way, or change them in a way that must not matter."""

from __future__ import annotations

import hashlib
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from mtprobe.backends.protocols import LanguagePair
from mtprobe.methods import Preparation
from mtprobe.methods.method import Translated
from mtprobe.suite.sample import Sample

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Material:
    """The translations of a suite, and everything that a mutator may look at."""

    samples: Sequence[Translated]
    preparation: Preparation
    seed: int = 0
    _kept: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def once(self, name: str, make: Callable[[], T]) -> T:
        """Shared data of several mutators, created once."""
        if name not in self._kept:
            self._kept[name] = make()
        kept: T = self._kept[name]
        return kept

    @property
    def languages(self) -> LanguagePair:
        return self.preparation.languages

    def random_for(self, mutator: str, sample: Sample) -> random.Random:
        """Depends on the seed, the mutator and the sample alone: other samples change nothing."""
        text = f"{self.seed}\0{mutator}\0{sample.id}"
        digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return random.Random(int.from_bytes(digest))  # noqa: S311 - no secret


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed translation; never the translation itself."""

    sample: Sample
    text: str


class Mutator(ABC):
    """One way to change translations. A subclass defines `mutants`, or as a `TextMutator` only `mutate`."""

    name: ClassVar[str]
    about: ClassVar[str]
    """One line for the documentation: what becomes of a translation."""
    null: ClassVar[bool] = False
    """The change must not matter: a gate that notices it gives a false alarm."""

    def mutate_all(self, material: Material) -> Iterator[Mutant]:
        """A mutant of each translation that it applies to."""
        originals = {translated.sample.id: translated.text for translated in material.samples}
        for mutant in self.mutants(material):
            if mutant.text != originals[mutant.sample.id] and mutant.text.strip():
                yield mutant

    @abstractmethod
    def mutants(self, material: Material) -> Iterator[Mutant]:
        """A mutant of each translation that it applies to; some may be unchanged, which `mutate_all` drops."""


class TextMutator(Mutator):
    """Needs nothing but the sample and its translation."""

    def mutants(self, material: Material) -> Iterator[Mutant]:
        for sample, text in material.samples:
            if text:
                changed = self.mutate(
                    Translated(sample, text), material.languages, material.random_for(self.name, sample)
                )
                if changed is not None:
                    yield Mutant(sample, changed)

    @abstractmethod
    def mutate(self, translated: Translated, languages: LanguagePair, random_: random.Random) -> str | None:
        """The changed text, or None where the mutator does not apply."""


def only_text(translated: Translated) -> str:
    """The translation of a sample that has one."""
    return translated.text or ""
