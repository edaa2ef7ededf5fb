"""Language data for comparing sentences: function words, negation, synonyms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from mtprobe.language.match import fold
from mtprobe.language.words import word_file

_PACKAGE = "mtprobe.language.comparison"
_SHORT = 3  # letters: where no list is known, such words are taken to have no content of their own
_SHORTEST_STEM = 2  # of *né* and *née*
_STEM = 3  # letters that a word shares with its opposite after the prefix


@dataclass(frozen=True, slots=True)
class Lexicon:
    language: str
    known: bool  # there are lists for the language
    function: frozenset[str] = frozenset()
    negation: frozenset[str] = frozenset()
    particle: frozenset[str] = frozenset()  # *ne*, which makes *plus* and *personne* negative
    with_particle: frozenset[str] = frozenset()
    nearly: frozenset[str] = frozenset()  # negative in meaning, or nearly so: *without*, *hardly*, *refuse*
    prefixes: tuple[str, ...] = ()  # of opposites, the longest first
    opposites: frozenset[frozenset[str]] = frozenset()
    synonyms: tuple[frozenset[str], ...] = field(default=(), repr=False)
    stable_forms: bool = False  # nouns and adjectives have no cases
    gender_endings: frozenset[frozenset[str]] = frozenset()  # endings of the two genders

    def has_content(self, forms: frozenset[str]) -> bool:
        """Whether a word, given by form and lemma, is a content word."""
        if self.known:
            return self.function.isdisjoint(forms)
        return any(len(form) > _SHORT or form.isdigit() for form in forms)

    def negations(self, folded: Sequence[str]) -> list[str]:
        """The words of a sentence that negate it."""
        particle = any(word in self.particle for word in folded)
        return [word for word in folded if word in self.negation or (particle and word in self.with_particle)]

    def nearly_negations(self, forms: Iterable[str]) -> list[str]:
        return [form for form in forms if form in self.nearly]

    def are_synonyms(self, first: frozenset[str], second: frozenset[str]) -> bool:
        """Each word is given by its forms: as it is written, and its lemma."""
        return any(first & group and second & group for group in self.synonyms)

    def differ_in_gender(self, one: str, other: str) -> bool:
        """*cansado* and *cansada*: what follows their common beginning are the endings of two genders."""
        shared = shared_letters(one, other)
        least = max(_SHORTEST_STEM, min(_STEM, len(one), len(other)))
        return any(
            frozenset({one[start:], other[start:]}) in self.gender_endings
            for start in range(shared, max(least, shared - 2) - 1, -1)
        )

    def are_opposites(self, first: frozenset[str], second: frozenset[str]) -> bool:
        """*honesta* and *desonesta*: one is the other with a negative prefix; or the two are listed."""
        if any(first & pair and second & pair and first & pair != second & pair for pair in self.opposites):
            return True
        return any(
            _negates(one, other, self.prefixes) or _negates(other, one, self.prefixes)
            for one in first
            for other in second
        )


def shared_letters(one: str, other: str) -> int:
    """The length of the common beginning of two words."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))


def _negates(word: str, plain: str, prefixes: Sequence[str]) -> bool:
    for prefix in prefixes:
        rest = word.removeprefix(prefix).removeprefix("h")
        if (
            word.startswith(prefix)
            and len(rest) > _STEM
            and not plain.startswith(word[: len(prefix) + _STEM])
        ):
            bare = plain.removeprefix("h")  # *honesta* and *desonesta*
            size = max(_STEM, min(len(rest), len(bare)) - 3)
            if rest[:size] == bare[:size]:
                return True
    return False


@cache
def lexicon_of(language: str) -> Lexicon:
    """The lexicon of a BCP 47 tag; an empty one where we have no lists."""
    base = language.partition("-")[0]
    if not files(_PACKAGE).joinpath("words", f"{base}.yaml").is_file():
        return Lexicon(base, known=False)
    lists = word_file(_PACKAGE, "words", f"{base}.yaml")

    def words(key: str) -> frozenset[str]:
        return frozenset(map(fold, lists.get(key, ())))

    return Lexicon(
        base,
        known=True,
        function=words("function"),
        negation=words("negation"),
        particle=words("particle"),
        with_particle=words("with_particle"),
        nearly=words("nearly"),
        prefixes=tuple(sorted(lists.get("prefixes", ()), key=len, reverse=True)),
        opposites=frozenset(frozenset(map(fold, pair)) for pair in lists.get("opposites", ())),
        synonyms=tuple(frozenset(map(fold, group)) for group in lists.get("synonyms", ())),
        stable_forms=lists.get("stable_forms") == "true",
        gender_endings=frozenset(map(frozenset, lists.get("gender_endings", ()))),
    )
