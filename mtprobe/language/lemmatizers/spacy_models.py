"""spaCy, if it is installed: a package by name, or a pipeline in a folder."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

from mtprobe.errors import MtprobeError
from mtprobe.language.lemmatizers import Token, not_installed


class Spacy:
    def __init__(self, language: str, model: str | None) -> None:
        if model is None:
            raise MtprobeError(
                "spacy needs the name of a model: a package or a folder, as in spacy:de_core_news_sm"
            )
        try:
            import spacy
        except ImportError:
            raise not_installed("spacy", "spacy") from None
        try:
            self._pipeline = spacy.load(model, exclude=["ner", "parser"])
        except (OSError, ValueError) as error:
            raise MtprobeError(f"spacy cannot open {model}: {error}") from None
        if self._pipeline.lang != language:
            raise MtprobeError(f"spacy: {model} is for {self._pipeline.lang}, not for {language}")
        meta = self._pipeline.meta
        self.name = f"spacy {version('spacy')} ({meta['lang']}_{meta['name']} {meta['version']})"

    def lemmatize(self, sentences: Sequence[str]) -> list[list[Token]]:
        return [
            [
                Token(token.text, token.lemma_ or token.text, token.pos_)
                for token in document
                if any(character.isalnum() for character in token.text)
            ]
            for document in self._pipeline.pipe(sentences)
        ]
