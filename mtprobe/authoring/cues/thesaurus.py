"""Replacements proposed by WordNet: synonyms, then hypernyms, for each synset of a word.

Suites have names of their own for senses. How much of a sense's name and sentences a synset's gloss and hypernyms have in
common says which synset is meant, as in Lesk (1986); references then correct it (contrast.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mtprobe.authoring.cues.material import AmbiguousWord
from mtprobe.language.english.inflection import is_plural, singulars
from mtprobe.language.wordnet import Synset, WordNet
from mtprobe.language.words import word_file

_ENDINGS = ("ing", "ed", "es", "s")
_SHORTEST = 3  # letters of a word or a stem
_NAME_AMONG_HYPERNYMS, _NAME_IN_GLOSS, _WORD_IN_COMMON = 3.0, 2.0, 0.7
_RARE = 99  # the number of a sense that a candidate does not have


@dataclass(frozen=True, slots=True)
class Group:
    """Candidates that mean the same: a synset's, or those that a masked model expects for one sense."""

    name: str
    lemmas: tuple[str, ...]  # what it proposes, the best first
    listed: frozenset[str]  # what is true of it: its synonyms and everything more general
    affinity: Mapping[str, float]  # how much it has in common with each sense of the suite


def wordnet_groups(word: AmbiguousWord, pos: str, wordnet: WordNet) -> Iterator[Group]:
    """The synsets of a word, the most frequent first."""
    about = {
        sense: (_stems(sense), _stems(*(context.source for context in contexts)) - _stems(*word.forms))
        for sense, contexts in word.senses.items()
    }
    for synset in _synsets(word.name, pos, wordnet):
        above, ancestors = wordnet.hypernyms(synset), list(wordnet.ancestors(synset))
        general = [lemma for one in above for lemma in _usual_first(one, wordnet)]
        listed = [*synset.lemmas, *(lemma for ancestor in ancestors for lemma in ancestor.lemmas)]
        gloss, kinds = _stems(synset.gloss, *(one.gloss for one in above)), _stems(*listed)
        yield Group(
            f"{synset.pos} {synset.offset:08d}",
            tuple(dict.fromkeys([*_usual_first(synset, wordnet), *general])),
            frozenset(listed),
            {
                sense: _NAME_AMONG_HYPERNYMS * len(name & kinds)
                + _NAME_IN_GLOSS * len(name & gloss)
                + _WORD_IN_COMMON * len(words & (gloss | kinds))
                for sense, (name, words) in about.items()
            },
        )


def _synsets(name: str, pos: str, wordnet: WordNet) -> Iterable[Synset]:
    """The synsets of the word as named in the suite, and of its singular if it is a plural."""
    lemmas = [name, *(singulars(name) if pos == "noun" and is_plural(name) else ())]
    return {synset.offset: synset for lemma in lemmas for synset in wordnet.synsets(lemma, pos)}.values()


def _usual_first(synset: Synset, wordnet: WordNet) -> list[str]:
    """The words whose most frequent sense this is come first."""
    return sorted(synset.lemmas, key=lambda lemma: wordnet.sense_number(lemma, synset) or _RARE)


def _stems(*texts: str) -> frozenset[str]:
    """The content words, without endings, so that *fishing* meets *fish*."""
    common = word_file("mtprobe.language", "english", "irregular.yaml")["function_words"]
    words = {word for text in texts for word in re.findall(r"[a-z]+", text.casefold())}
    return frozenset(_stem(word) for word in words if len(word) >= _SHORTEST and word not in common)


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            return word.removesuffix(ending)
    return word
