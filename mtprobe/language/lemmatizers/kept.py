"""simplemma, whose dictionary is unpacked only for words that no earlier run has looked up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from mtprobe.language.kept import Key, kept_or_computed
from mtprobe.language.lemmatizers.libraries import Lemmatizer, Token, not_installed, open_simplemma
from mtprobe.language.words import words_of

VERSION = 1  # to be raised whenever `open_simplemma` may give other lemmas


class KeptSimplemma:
    """Returns the same tokens as simplemma itself."""

    def __init__(self, language: str) -> None:
        try:
            self.name = f"simplemma {version('simplemma')}"
        except PackageNotFoundError:
            raise not_installed("simplemma") from None
        self._language = language
        self._procedure = f"lemmas {self.name} {language} {VERSION}"

    def check(self) -> None:
        """Raises an error if there is no dictionary of the language."""
        kept_or_computed(self._procedure, [("",)], self._look_up, _lemma)

    def lemmatize(self, sentences: Sequence[str]) -> list[list[Token]]:
        split = [words_of(sentence) for sentence in sentences]
        words = list(dict.fromkeys(word for sentence in split for word in sentence))
        lemmas = kept_or_computed(self._procedure, [(word,) for word in words], self._look_up, _lemma)
        tokens = {word: Token(word, lemma) for word, lemma in zip(words, lemmas, strict=True)}
        return [[tokens[word] for word in sentence] for sentence in split]

    def _look_up(self, keys: Sequence[Key]) -> list[str]:
        opened = self._opened
        found = opened.lemmatize([word for (word,) in keys])
        return [tokens[0].lemma if tokens else "" for tokens in found]

    @cached_property
    def _opened(self) -> Lemmatizer:
        return open_simplemma(self._language)


def is_known_word(word: str, language: str) -> bool:
    """Whether simplemma's dictionary of a language has a word; False where there is none."""
    try:
        procedure = f"known words simplemma {version('simplemma')} {language}"
    except PackageNotFoundError:
        return False
    return kept_or_computed(procedure, [(word,)], lambda _: [_is_known(word, language)], _truth)[0]


def _is_known(word: str, language: str) -> bool:
    try:
        from simplemma import is_known as in_dictionary

        return bool(in_dictionary(word, lang=language))
    except (ImportError, ValueError):
        return False


def _lemma(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("not a lemma")
    return value


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("neither true nor false")
    return value
