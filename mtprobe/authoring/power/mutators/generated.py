"""Errors from the generators of minimal pairs: a lost negation, an omitted clause, wrong agreement, the other pronoun."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import ClassVar

from mtprobe.authoring.pairs import kinds_of, open_kind
from mtprobe.authoring.pairs.change import Change, Kind, Line
from mtprobe.authoring.power.mutators.mutator import Material, Mutant, Mutator
from mtprobe.errors import MtprobeError
from mtprobe.language.tagging import open_tagger


class _Generated(Mutator):
    kinds: ClassVar[tuple[str, ...]]

    def mutants(self, material: Material) -> Iterator[Mutant]:
        kinds = _kinds(material.languages.target, self.kinds)
        if not kinds:
            return
        tagger = open_tagger("rules", material.languages.target)
        translated = [(sample, " ".join(text.split())) for sample, text in material.samples if text]
        tagged = tagger.tag([text for _, text in translated])
        for (sample, text), tokens in zip(translated, tagged, strict=True):
            line = Line(sample.source, text, tuple(tokens))
            changes = [
                change for kind in kinds for change in kind.changes(line) if isinstance(change, Change)
            ]
            if changes:
                change = material.random_for(self.name, sample).choice(changes)
                yield Mutant(sample, change.applied_to(text))


@cache
def _kinds(language: str, names: tuple[str, ...]) -> tuple[Kind, ...]:
    """The kinds available for the language."""
    try:
        known = kinds_of(language)
    except MtprobeError:
        return ()
    return tuple(open_kind(name, language) for name in names if name in known)


class Negation(_Generated):
    name = "negation"
    about = "a negation is lost: *não*, *nicht*, the prefix of *impossível* (de, pt)"
    kinds = ("negation-particle", "polarity-affix")


class Clause(_Generated):
    name = "clause"
    about = "a clause is omitted, of several that punctuation divides (de, pt)"
    kinds = ("clause-omission",)


class Agreement(_Generated):
    name = "agreement"
    about = "a determiner of the wrong gender, or a verb of the wrong number (de, pt)"
    kinds = ("np-agreement", "subject-verb-agreement")
