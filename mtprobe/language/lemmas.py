"""Dictionary forms of words: one small protocol, several lemmatizers behind it, loaded when one is opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib.metadata import version
from typing import Any, NamedTuple, Protocol

from mtprobe.errors import MtprobeError, did_you_mean
from mtprobe.language import tags
from mtprobe.language.words import words_of

# Words whose lemma is remembered: enough for nearly all of a corpus, and it does not grow with it.
_REMEMBERED = 1 << 17


class Token(NamedTuple):
    """A word of a sentence and its dictionary form, spelled as in a dictionary of the language."""

    text: str
    lemma: str


class Lemmatizer(Protocol):
    name: str
    """With its version, for signatures: results change with it."""

    def lemmatize(self, sentences: Sequence[str]) -> list[list[Token]]:
        """The words of each sentence."""


@cache
def open_lemmatizer(kind: str, language: str) -> Lemmatizer:
    """A lemmatizer for a language, or an error that says what is missing."""
    if kind not in LEMMATIZERS:
        raise MtprobeError(f'there is no lemmatizer "{kind}"{did_you_mean(kind, LEMMATIZERS)}')
    return LEMMATIZERS[kind](tags.standard(language).split("-")[0])


class WordByWord:
    """A lemmatizer that looks at one word at a time."""

    def __init__(self, name: str, lemma: Callable[[str], str]) -> None:
        self.name = name
        self._lemma = lru_cache(_REMEMBERED)(lemma)

    def lemmatize(self, sentences: Sequence[str]) -> list[list[Token]]:
        return [[Token(word, self._lemma(word)) for word in words_of(sentence)] for sentence in sentences]


def _simplemma(language: str) -> Lemmatizer:
    """Dictionaries and rules for some fifty languages. Folds feminine forms into masculine ones in es, fr and pt."""
    try:
        from simplemma import Lemmatizer as Simplemma
    except ImportError:
        raise _not_installed("simplemma", "lemmas") from None

    inner = Simplemma(cache_max_size=1)  # the words are remembered here
    try:
        inner.lemmatize("a", language)
    except ValueError:
        raise MtprobeError(f'simplemma does not know the language "{language}"; there is stanza') from None
    return WordByWord(f"simplemma {version('simplemma')}", lambda word: inner.lemmatize(word, language))


def _pymorphy(language: str) -> Lemmatizer:
    """Russian and Ukrainian, with the feminine forms of occupations kept apart."""
    if language not in ("ru", "uk"):
        raise MtprobeError(f'pymorphy3 knows ru and uk, not "{language}"; there are simplemma and stanza')
    try:
        from pymorphy3 import MorphAnalyzer
    except ImportError:
        raise _not_installed("pymorphy3", "lemmas") from None
    try:
        analyzer = MorphAnalyzer(lang=language)
    except ValueError:
        raise MtprobeError(
            f"pymorphy3 has no dictionary of {language}: pip install pymorphy3-dicts-{language}"
        ) from None
    return WordByWord(
        f"pymorphy3 {version('pymorphy3')}", lambda word: str(analyzer.parse(word)[0].normal_form)
    )


class _Stanza:
    """Tagged in context, so slow and good. Contracted words (*zum*) are the words that they stand for."""

    def __init__(self, language: str) -> None:
        try:
            import stanza
        except ImportError:
            raise _not_installed("stanza", "stanza") from None
        self.name = f"stanza {version('stanza')}"
        self._document: Any = stanza.Document
        try:
            self._pipeline = stanza.Pipeline(
                language,
                processors="tokenize,mwt,pos,lemma",
                download_method=None,  # never a download that nobody asked for
                tokenize_no_ssplit=True,
                verbose=False,
            )
        except (OSError, ValueError, KeyError, stanza.pipeline.core.LanguageNotDownloadedError) as error:
            raise MtprobeError(
                f"stanza has no models for {language} on this machine; get them with "
                f'python -c "import stanza; stanza.download({language!r})" ({type(error).__name__})'
            ) from None

    def lemmatize(self, sentences: Sequence[str]) -> list[list[Token]]:
        # An empty line inside a text would end a sentence for the tokenizer.
        documents = [self._document([], text=" ".join(sentence.split())) for sentence in sentences]
        return [
            [
                Token(word.text, word.lemma or word.text)
                for sentence in document.sentences
                for word in sentence.words
                if word.upos != "PUNCT"
            ]
            for document in self._pipeline.bulk_process(documents)
        ]


def _not_installed(package: str, extra: str) -> MtprobeError:
    return MtprobeError(f'{package} is not installed: pip install "mtprobe[{extra}]"')


LEMMATIZERS: dict[str, Callable[[str], Lemmatizer]] = {
    "simplemma": _simplemma,
    "stanza": _Stanza,
    "pymorphy3": _pymorphy,
}
"""Every kind, by the name that a user gives."""
