"""Candidates for cues that replace a word: *lawsuit* and *outfit* for *suit*.

WordNet lists synonyms and hypernyms of each of the word's senses; without it, or where it knows too few, a masked language
model says what it expects in the word's place. A candidate must have all forms in which the word occurs (*suits*:
*lawsuits*), and must not be a form of the word. Which sense it belongs to is decided in contrast.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

import numpy as np

from mtprobe.authoring.cues.masked import CueModel
from mtprobe.authoring.cues.material import AmbiguousWord
from mtprobe.authoring.cues.propose import Limits, pools_by_sense
from mtprobe.authoring.cues.thesaurus import Group, wordnet_groups
from mtprobe.language import tags
from mtprobe.language.english.inflection import FORMS, Form, form_in, inflected, is_plural
from mtprobe.language.wordnet import WordNet

_PLAIN = re.compile(r"[a-z]+(?:[ -][a-z]+)?")  # at most two words, no names
_STEM = 4  # letters: shorter words begin others by chance
_PARTS_OF_SPEECH = {"n": "noun", "v": "verb", "noun": "noun", "verb": "verb"}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A word that may take the focus's place."""

    lemma: str
    texts: Mapping[str, str]  # by spelling of the focus, the candidate in the same form


@dataclass(frozen=True, slots=True)
class Candidates:
    """The candidates for all senses of a word, or why there are none."""

    candidates: tuple[Candidate, ...] = ()
    groups: tuple[Group, ...] = ()  # every candidate is in one of them
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Sources:
    """The sources of candidates, and the language of the sentences."""

    wordnet: WordNet | None
    model: CueModel | None
    language: str


def find_candidates(word: AmbiguousWord, sources: Sources, limits: Limits) -> Candidates:
    """Candidates from WordNet; from the masked model too, if WordNet has some for fewer senses than the word has."""
    shape = _shape(word, sources.language)
    if isinstance(shape, str):
        return Candidates(problem=shape)
    groups: list[Group] = []
    if sources.wordnet is not None and shape.pos:
        for group in wordnet_groups(word, shape.pos, sources.wordnet):
            lemmas = tuple(lemma for lemma in group.lemmas if shape.fits(lemma))
            groups += [replace(group, lemmas=lemmas)] if lemmas else []
    names = _in_turn(groups)[: limits.pool]
    if len(groups) < len(word.senses) and sources.model is not None:
        expected = _expected(word, shape, sources.model, limits)
        groups += expected
        names = list(dict.fromkeys([*names, *_in_turn(expected)]))
    if not names:
        return Candidates(problem=f"{_whose(sources)} no word that can take its place")
    kept = [replace(group, lemmas=tuple(name for name in group.lemmas if name in names)) for group in groups]
    return Candidates(
        tuple(Candidate(name, shape.texts(name)) for name in names),
        tuple(group for group in kept if group.lemmas),
    )


def _in_turn(groups: Sequence[Group]) -> list[str]:
    """The best of every group first."""
    rows = chain.from_iterable(zip_longest(*(group.lemmas for group in groups)))
    return list(dict.fromkeys(lemma for lemma in rows if lemma is not None))


def _whose(sources: Sources) -> str:
    named = [
        name
        for name, source in (("WordNet", sources.wordnet), ("the masked model", sources.model))
        if source is not None
    ]
    return f"neither {' nor '.join(named)} has" if len(named) > 1 else f"{named[0]} has"


@dataclass(frozen=True, slots=True)
class _Shape:
    """The forms in which a word occurs: by spelling, each with what it may be."""

    word: AmbiguousWord
    pos: str  # empty in languages that we cannot inflect
    forms: Mapping[str, frozenset[Form]]

    def texts(self, lemma: str) -> dict[str, str]:
        """The lemma in each form, by spelling of the word; without those for which it would have two forms."""
        if not self.pos:
            return dict.fromkeys(self.forms, lemma)
        by_spelling = {
            spelling: {inflected(lemma, form) for form in forms} for spelling, forms in self.forms.items()
        }
        return {spelling: texts.pop() for spelling, texts in by_spelling.items() if len(texts) == 1}

    def fits(self, lemma: str) -> bool:
        """Whether it has every form, and is not a form of the word."""
        if self.pos and not _PLAIN.fullmatch(lemma):
            return False
        if self.pos == "noun" and is_plural(lemma):
            return False
        itself = {self.word.name.casefold(), *self.forms}
        if any(_same_word(part, other) for part in re.split(r"[ -]", lemma) for other in itself):
            return False
        return len(self.texts(lemma)) == len(self.forms)


def _shape(word: AmbiguousWord, language: str) -> _Shape | str:
    """The forms of a word in its sentences, or why no other word can be put into them."""
    if not tags.fits("en", language):
        spellings = {context.spelling for context in word.contexts}
        if len(spellings) > 1:
            return f"its sentences have several forms ({', '.join(sorted(spellings))}), and only English is inflected"
        return _Shape(word, "", {spelling: frozenset() for spelling in spellings})
    given = _PARTS_OF_SPEECH.get(word.pos.casefold(), "")
    for pos in (given,) if given else FORMS:
        forms: dict[str, set[Form]] = {}
        for context in word.contexts:
            form = form_in(context.source, context.focus, word.name, pos)
            if form is None:
                break
            forms.setdefault(context.spelling, set()).add(form)
        else:
            return _Shape(word, pos, {spelling: frozenset(of) for spelling, of in forms.items()})
    return f'its sentences do not show which form of "{word.name}" a word in its place needs'


def _expected(word: AmbiguousWord, shape: _Shape, model: CueModel, limits: Limits) -> list[Group]:
    """For each sense the words that a masked model expects in the focus's place, and not in that of the others."""
    number = {name: at for at, name in enumerate(model.words)}
    fitting = {lemma: shape.texts(lemma) for lemma in model.words if shape.fits(lemma)}
    usable = {
        lemma: texts for lemma, texts in fitting.items() if all(text in number for text in texts.values())
    }
    if not usable:
        return []
    contexts, names = word.contexts, list(usable)
    columns = [[number[usable[name][context.spelling]] for name in names] for context in contexts]
    in_place = np.take_along_axis(model.instead_of_focus(contexts), np.array(columns), axis=1)
    pools = pools_by_sense(word, in_place, names, np.zeros(len(names), bool), limits.pool)
    groups = []
    for sense, pool in pools.items():
        elsewhere = {name for other, names in pools.items() if other != sense for name in names}
        lemmas = tuple(name for name in pool if name not in elsewhere)[: limits.proposals]
        affinity = {other: float(other == sense) for other in word.senses}
        groups += [Group(f"sense {sense}", lemmas, frozenset(lemmas), affinity)] if lemmas else []
    return groups


def _same_word(part: str, other: str) -> bool:
    if min(len(part), len(other)) < _STEM:
        return part == other
    return part.startswith(other) or other.startswith(part)
