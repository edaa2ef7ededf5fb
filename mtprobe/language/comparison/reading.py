"""A sentence prepared for comparison: its words with their lemmas, and which of them are content words."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from mtprobe.language.comparison.lexicon import Lexicon, shared_letters
from mtprobe.language.lemmatizers import Lemmatizer, is_known_word
from mtprobe.language.match import fold
from mtprobe.language.words import ENGLISH_WORD

_PREFIX = 4  # letters that related words share at least
_ROOT = 3  # letters shared by words that differ in the last one only: *sujo* and *suja*
_SHARE = 0.6  # of the longer word


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    start: int
    forms: frozenset[str]  # folded: as it is written, and its lemma
    folded: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence with its words."""

    text: str
    words: tuple[Word, ...]
    content: tuple[Word, ...]  # without words that only carry grammar, and without negation
    negations: tuple[str, ...]  # folded
    nearly: tuple[str, ...]  # words that come close to negation

    @property
    def folded(self) -> frozenset[str]:
        return frozenset(word.folded for word in self.words)

    @property
    def bare(self) -> list[str]:
        """The words without accents, for comparing names."""
        return [without_accents(word.folded) for word in self.words]


class Reader:
    """Reads sentences of one language."""

    def __init__(self, lexicon: Lexicon, lemmatizer: Lemmatizer) -> None:
        self.lexicon = lexicon
        self._lemmatizer = lemmatizer
        self._known: dict[str, Reading] = {}

    def read(self, texts: Sequence[str]) -> dict[str, Reading]:
        """Each distinct text with its reading; all at once, since a lemmatizer may be slow to start on each."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        spelled = [_without_shouting(text) for text in new]
        for text, tokens in zip(new, self._lemmatizer.lemmatize(spelled), strict=True):
            self._known[text] = self._reading(text, [(token.text, token.lemma) for token in tokens])
        return {text: self._known[text] for text in texts}

    def knows(self, word: str) -> bool:
        """Whether it is a word of the language, as far as dictionaries say."""
        return is_known_word(word, self.lexicon.language)

    def same(self, one: Word, other: Word) -> bool:
        """Whether two words are forms of one word, related words or listed synonyms; articles and agreement do not count."""
        if one.forms & other.forms or _related(one.folded, other.folded) or _same_name(one, other):
            return True
        return self.lexicon.are_synonyms(one.forms, other.forms)

    def _reading(self, text: str, tokens: Sequence[tuple[str, str]]) -> Reading:
        words: list[Word] = []
        at = 0
        lower = text.lower()
        for token, lemma in tokens:
            start = lower.find(token.lower(), at)
            if start < 0:  # a part of a contraction, which is not in the text
                start = at
            else:
                at = start + len(token)
            folded = fold(token)
            words.append(
                Word(text[start : start + len(token)], start, frozenset({folded, fold(lemma)}), folded)
            )
        lexicon = self.lexicon
        negations = lexicon.negations([word.folded for word in words])
        content = [word for word in words if lexicon.has_content(word.forms) and word.folded not in negations]
        nearly = [form for word in words for form in lexicon.nearly_negations(word.forms)]
        return Reading(text, tuple(words), tuple(content), tuple(negations), tuple(nearly))


def without_accents(word: str) -> str:
    """*Zoé* as *Zoe*: a name that got an accent is still the name."""
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def source_words(text: str) -> list[str]:
    """The words of a source, folded; *don't* is one."""
    return [fold(word.replace("’", "'")) for word in ENGLISH_WORD.findall(text)]


def _without_shouting(text: str) -> str:
    """Words in capitals are lemmatized as small ones."""
    return " ".join(word.lower() if len(word) > 1 and word.isupper() else word for word in text.split(" "))


def _same_name(one: Word, other: Word) -> bool:
    """*Zoe* and *Zoé*."""
    capitals = one.text[:1].isupper() and other.text[:1].isupper()
    return capitals and without_accents(one.folded) == without_accents(other.folded)


def _related(one: str, other: str) -> bool:
    shared = shared_letters(one, other)
    longer = max(len(one), len(other))
    return (shared >= _PREFIX and shared >= _SHARE * longer) or (shared >= _ROOT and shared == longer - 1)
