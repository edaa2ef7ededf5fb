"""Lemmatizers of other libraries, each imported when it is opened: pymorphy3, jieba and spaCy."""

from __future__ import annotations

import logging
import unicodedata
import warnings
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from mtprobe.errors import MtprobeError
from mtprobe.language.lemmatizers import Lemmatizer, Token, WordByWord, not_installed

# Parts of speech of Universal Dependencies → those of OpenCorpora, which pymorphy3 uses.
_OPEN_CORPORA = {
    "NOUN": "NOUN",
    "ADJ": "ADJF ADJS COMP",
    "VERB": "VERB INFN PRTF PRTS GRND",
    "NUM": "NUMR",
    "ADV": "ADVB PRED",
    "PRON": "NPRO",
    "ADP": "PREP",
    "CCONJ": "CONJ",
    "PART": "PRCL",
    "INTJ": "INTJ",
}
_BY_OPEN_CORPORA = {tag: pos for pos, tags in _OPEN_CORPORA.items() for tag in tags.split()}

# Parts of speech → the first letters of jieba's tags, which are those of ICTCLAS; and tags that differ from that.
_ICTCLAS = {
    "NOUN": "ntsq",
    "VERB": "v",
    "ADJ": "azb",
    "ADV": "d",
    "PRON": "r",
    "ADP": "p",
    "NUM": "m",
    "INTJ": "e",
}
_BY_ICTCLAS = {letter: pos for pos, letters in _ICTCLAS.items() for letter in letters}
_SPECIAL = {"vn": "NOUN", "an": "NOUN", "vd": "ADV", "ad": "ADV"}


def open_pymorphy(language: str) -> Lemmatizer:
    """Russian and Ukrainian: the most likely analysis of each word by itself. Keeps feminine forms of occupations separate."""
    if language not in ("ru", "uk"):
        raise MtprobeError(f'pymorphy3 knows ru and uk, not "{language}"; try simplemma or stanza')
    try:
        from pymorphy3 import MorphAnalyzer
    except ImportError:
        raise not_installed("pymorphy3", "lemmas") from None
    try:
        analyzer = MorphAnalyzer(lang=language)
    except ValueError:
        raise MtprobeError(
            f"pymorphy3 has no dictionary for {language}: pip install pymorphy3-dicts-{language}"
        ) from None

    def token(word: str) -> Token:
        analysis = analyzer.parse(word)[0]
        return Token(word, str(analysis.normal_form), _BY_OPEN_CORPORA.get(str(analysis.tag.POS), ""))

    return WordByWord(f"pymorphy3 {version('pymorphy3')}", token)


class Jieba:
    """Chinese text into words, which are their own dictionary forms."""

    def __init__(self, language: str) -> None:
        if language != "zh":
            raise MtprobeError(f'jieba knows zh, not "{language}"; try simplemma or stanza')
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its source has escapes that newer Pythons warn about
            try:
                import jieba
                from jieba import posseg
            except ImportError:
                raise not_installed("jieba", "lemmas") from None
        jieba.setLogLevel(logging.WARNING)
        words = jieba.Tokenizer()
        # Read here: by itself it would use a cache in the shared temporary folder.
        words.FREQ, words.total = words.gen_pfdict(words.get_dict_file())
        words.initialized = True
        self.name = f"jieba {version('jieba')}"
        self._tagger: Any = posseg.POSTokenizer(words)

    def lemmatize(self, sentences: Sequence[str]) -> list[list[Token]]:
        return [
            [
                Token(pair.word, pair.word, _SPECIAL.get(pair.flag, _BY_ICTCLAS.get(pair.flag[:1], "")))
                for pair in self._tagger.cut(unicodedata.normalize("NFC", sentence))
                if any(character.isalnum() for character in pair.word)
            ]
            for sentence in sentences
        ]


class Spacy:
    """A package by name, or a pipeline in a folder."""

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
