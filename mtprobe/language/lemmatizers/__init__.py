"""Dictionary forms of words: one small protocol, several lemmatizers behind it, loaded when one is opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from importlib.metadata import version
from importlib.util import find_spec
from typing import NamedTuple, Protocol

from mtprobe.errors import MtprobeError, did_you_mean
from mtprobe.language import tags
from mtprobe.language.words import words_of

# Words whose lemma is remembered: enough for nearly all of a corpus, and it does not grow with it.
_REMEMBERED = 1 << 17


class Token(NamedTuple):
    """A word of a sentence and its dictionary form, spelled as in a dictionary of the language."""

    text: str
    lemma: str
    pos: str = ""  # as Universal Dependencies call it; empty where the lemmatizer does not tell
    # What is written in the sentence where a contracted word was taken apart: *zum* at *zu*, nothing at *dem*.
    written: str | None = None


class Lemmatizer(Protocol):
    name: str
    """With its version, for signatures: results change with it."""

    def lemmatize(self, sentences: Sequence[str]) -> list[list[Token]]:
        """The words of each sentence."""


def open_lemmatizer(kind: str, language: str) -> Lemmatizer:
    """A lemmatizer for a language, or an error that says what is missing.

    `auto` is what serves the language without a choice: simplemma, and jieba for Chinese. Behind a colon stands where
    models are: `stanza:models/stanza`, `spacy:de_core_news_sm`.
    """
    name, language, place = _named(kind, language)
    return _open(name, language, place)


def missing_package(kind: str, language: str) -> str | None:
    """What to say where the lemmatizer's package is not installed, without loading it; otherwise None."""
    name, *_ = _named(kind, language)
    extra = _EXTRAS.get(name)
    return str(not_installed(name, extra)) if extra and find_spec(name) is None else None


def check_lemmatizer(kind: str) -> None:
    """An error for a kind that there is not."""
    _named(kind, "und")


def _named(kind: str, language: str) -> tuple[str, str, str]:
    name, _, place = kind.partition(":")
    language = tags.standard(language).split("-")[0]
    if name == "auto":
        name = "jieba" if language == "zh" else "simplemma"
    if name not in LEMMATIZERS:
        raise MtprobeError(f'there is no lemmatizer "{name}"{did_you_mean(name, ["auto", *LEMMATIZERS])}')
    if place and name not in WITH_PLACE:
        raise MtprobeError(f"{name} takes no models from {place}; {' and '.join(WITH_PLACE)} do")
    return name, language, place


@cache
def _open(name: str, language: str, place: str) -> Lemmatizer:
    return LEMMATIZERS[name](language, place)


class WordByWord:
    """A lemmatizer that looks at one word at a time."""

    def __init__(self, name: str, token: Callable[[str], Token]) -> None:
        self.name = name
        self._token = lru_cache(_REMEMBERED)(token)

    def lemmatize(self, sentences: Sequence[str]) -> list[list[Token]]:
        token = self._token
        return [[token(word) for word in words_of(sentence)] for sentence in sentences]


def _simplemma(language: str, place: str) -> Lemmatizer:  # noqa: ARG001 - all are opened alike
    """Dictionaries and rules for some fifty languages. Folds feminine forms into masculine ones in es, fr and pt."""
    try:
        from simplemma import Lemmatizer as Simplemma
    except ImportError:
        raise not_installed("simplemma", "lemmas") from None

    inner = Simplemma(cache_max_size=1)  # the words are remembered here
    try:
        inner.lemmatize("a", language)
    except ValueError:
        raise MtprobeError(
            f'simplemma does not know the language "{language}"; there are stanza and spacy, and surface, which '
            "takes words as they stand"
        ) from None
    return WordByWord(
        f"simplemma {version('simplemma')}", lambda word: Token(word, inner.lemmatize(word, language))
    )


def _surface(language: str, place: str) -> Lemmatizer:  # noqa: ARG001
    """Words as they stand, for languages that have no inflection or no lemmatizer."""
    return WordByWord("surface", lambda word: Token(word, word))


def _pymorphy(language: str, place: str) -> Lemmatizer:  # noqa: ARG001
    from mtprobe.language.lemmatizers.pymorphy import open_pymorphy

    return open_pymorphy(language)


def _stanza(language: str, place: str) -> Lemmatizer:
    from mtprobe.language.lemmatizers.parallel import SharedWork
    from mtprobe.language.lemmatizers.stanza_models import Stanza, on_gpu

    open_one = partial(Stanza, language, place or None)
    return open_one() if on_gpu() else SharedWork(open_one)


def _jieba(language: str, place: str) -> Lemmatizer:  # noqa: ARG001
    from mtprobe.language.lemmatizers.jieba_words import Jieba
    from mtprobe.language.lemmatizers.parallel import SharedWork

    return SharedWork(partial(Jieba, language))


def _spacy(language: str, place: str) -> Lemmatizer:
    from mtprobe.language.lemmatizers.parallel import SharedWork
    from mtprobe.language.lemmatizers.spacy_models import Spacy

    return SharedWork(partial(Spacy, language, place or None))


def not_installed(package: str, extra: str) -> MtprobeError:
    """The error for an optional package that is missing; it names the extra that brings it."""
    return MtprobeError(f'{package} is not installed: pip install "mtprobe[{extra}]"')


LEMMATIZERS: dict[str, Callable[[str, str], Lemmatizer]] = {
    "simplemma": _simplemma,
    "stanza": _stanza,
    "pymorphy3": _pymorphy,
    "jieba": _jieba,
    "spacy": _spacy,
    "surface": _surface,
}
"""Every kind, by the name that a user gives."""

_EXTRAS = {
    "simplemma": "lemmas",
    "pymorphy3": "lemmas",
    "jieba": "lemmas",
    "stanza": "stanza",
    "spacy": "spacy",
}
WITH_PLACE = ("stanza", "spacy")
"""The kinds whose models may be named behind a colon."""
