"""The interface of lemmatizers, and those from other libraries, imported on demand."""

from __future__ import annotations

import logging
import unicodedata
import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.metadata import version
from typing import Any, NamedTuple, Protocol

from mtprobe.errors import MtprobeError
from mtprobe.language.words import words_of

EXTRAS = dict.fromkeys(("simplemma", "pymorphy3", "jieba"), "lemmas") | {"stanza": "stanza", "spacy": "spacy"}
"""The extra of mtprobe that installs a package."""

# Words whose lemma is cached: enough for nearly all of a corpus, whatever its size.
_REMEMBERED = 1 << 17

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
_ICTCLAS = {"NOUN": "ntsq", "VERB": "v", "ADJ": "azb", "ADV": "d", "PRON": "r", "ADP": "p", "NUM": "m", "INTJ": "e"}  # fmt: skip
_BY_ICTCLAS = {letter: pos for pos, letters in _ICTCLAS.items() for letter in letters}
_SPECIAL = {"vn": "NOUN", "an": "NOUN", "vd": "ADV", "ad": "ADV"}


class Token(NamedTuple):
    """A word of a sentence and its dictionary form, spelled as in a dictionary of the language."""

    text: str
    lemma: str
    pos: str = ""  # of Universal Dependencies; empty if the lemmatizer does not provide it
    # The text in the sentence, for parts of a contraction: *zum* for *zu*, nothing for *dem*.
    written: str | None = None


class Lemmatizer(Protocol):
    name: str
    """With its version, for signatures: results change with it."""

    def lemmatize(self, sentences: Sequence[str]) -> list[list[Token]]:
        """The words of each sentence."""


class WordByWord:
    """A lemmatizer that looks at one word at a time."""

    def __init__(self, name: str, token: Callable[[str], Token]) -> None:
        self.name = name
        self._token = lru_cache(_REMEMBERED)(token)

    def lemmatize(self, sentences: Sequence[str]) -> list[list[Token]]:
        token = self._token
        return [[token(word) for word in words_of(sentence)] for sentence in sentences]


SURFACE = WordByWord("surface", lambda word: Token(word, word))
"""Words as they are, for languages without inflection or without a lemmatizer."""


def not_installed(package: str) -> MtprobeError:
    """The error for a missing optional package; it names the extra that installs it."""
    return MtprobeError(f'{package} is not installed: pip install "mtprobe[{EXTRAS[package]}]"')


def open_simplemma(language: str) -> Lemmatizer:
    """Dictionaries and rules for some fifty languages. Folds feminine forms into masculine ones in es, fr and pt."""
    try:
        from simplemma import Lemmatizer as Simplemma
        from simplemma import is_known
    except ImportError:
        raise not_installed("simplemma") from None

    inner = Simplemma(cache_max_size=1)  # words are cached here
    try:
        inner.lemmatize("a", language)
    except ValueError:
        raise MtprobeError(
            f'simplemma does not know the language "{language}"; try stanza or spacy, or surface, which '
            "takes words as they are"
        ) from None

    def token(word: str) -> Token:
        lemma = inner.lemmatize(word, language)
        if language == "fr":
            lemma = _infinitive(lemma, lambda verb: is_known(verb, language)) or lemma
        return Token(word, lemma)

    return WordByWord(f"simplemma {version('simplemma')}", token)


# Endings of French past participles, which simplemma takes for adjectives, and those of their infinitives.
_PARTICIPLES = {"é": ("er",), "i": ("ir",), "u": ("re", "ir", "oir")}


def _infinitive(word: str, is_known: Callable[[str], bool]) -> str | None:
    """The verb of a French past participle: *réservées* is a form of *réserver*. None if it is not one."""
    stem = word.casefold().removesuffix("s").removesuffix("e")
    for verb in (stem[:-1] + ending for ending in _PARTICIPLES.get(stem[-1:], ()) if len(stem) > 2):
        if is_known(verb):
            return verb
    return None


def open_pymorphy(language: str) -> Lemmatizer:
    """Russian and Ukrainian: the most likely analysis of each word by itself. Keeps feminine forms of occupations separate."""
    if language not in ("ru", "uk"):
        raise MtprobeError(f'pymorphy3 knows ru and uk, not "{language}"; try simplemma or stanza')
    try:
        from pymorphy3 import MorphAnalyzer
    except ImportError:
        raise not_installed("pymorphy3") from None
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
                raise not_installed("jieba") from None
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
            raise not_installed("spacy") from None
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
