"""Dictionary forms of words: one small protocol with several lemmatizers, loaded when one is opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from importlib.metadata import version
from importlib.util import find_spec
from typing import NamedTuple, Protocol

from mtprobe.errors import MtprobeError, did_you_mean
from mtprobe.language import tags
from mtprobe.language.words import words_of

# Words whose lemma is cached: enough for nearly all of a corpus, whatever its size.
_REMEMBERED = 1 << 17


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


def open_lemmatizer(kind: str, language: str) -> Lemmatizer:
    """A lemmatizer for a language, or an error that says what is missing.

    `auto` is the default for the language: simplemma, and jieba for Chinese. The place of models may follow after a
    colon: `stanza:models/stanza`, `spacy:de_core_news_sm`.
    """
    name, language, place = _named(kind, language)
    return _open(name, language, place)


def missing_package(kind: str, language: str) -> str | None:
    """The message if the lemmatizer's package is not installed, otherwise None; nothing is loaded."""
    name, *_ = _named(kind, language)
    extra = _EXTRAS.get(name)
    return str(not_installed(name, extra)) if extra and find_spec(name) is None else None


def check_lemmatizer(kind: str) -> None:
    """Raises an error for an unknown kind."""
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


def _simplemma(language: str, place: str) -> Lemmatizer:  # noqa: ARG001 - all have one signature
    """Dictionaries and rules for some fifty languages. Folds feminine forms into masculine ones in es, fr and pt."""
    try:
        from simplemma import Lemmatizer as Simplemma
    except ImportError:
        raise not_installed("simplemma", "lemmas") from None

    inner = Simplemma(cache_max_size=1)  # words are cached here
    try:
        inner.lemmatize("a", language)
    except ValueError:
        raise MtprobeError(
            f'simplemma does not know the language "{language}"; try stanza or spacy, or surface, which '
            "takes words as they are"
        ) from None
    return WordByWord(
        f"simplemma {version('simplemma')}", lambda word: Token(word, inner.lemmatize(word, language))
    )


def _surface(language: str, place: str) -> Lemmatizer:  # noqa: ARG001
    """Words as they are, for languages without inflection or without a lemmatizer."""
    return WordByWord("surface", lambda word: Token(word, word))


def _pymorphy(language: str, place: str) -> Lemmatizer:  # noqa: ARG001
    from mtprobe.language.lemmatizers.libraries import open_pymorphy

    return open_pymorphy(language)


def _stanza(language: str, place: str) -> Lemmatizer:
    from mtprobe.language.lemmatizers.parallel import SharedWork
    from mtprobe.language.lemmatizers.stanza_models import Stanza, on_gpu

    open_one = partial(Stanza, language, place or None)
    return open_one() if on_gpu() else SharedWork(open_one)


def _jieba(language: str, place: str) -> Lemmatizer:  # noqa: ARG001
    from mtprobe.language.lemmatizers.libraries import Jieba
    from mtprobe.language.lemmatizers.parallel import SharedWork

    return SharedWork(partial(Jieba, language))


def _spacy(language: str, place: str) -> Lemmatizer:
    from mtprobe.language.lemmatizers.libraries import Spacy
    from mtprobe.language.lemmatizers.parallel import SharedWork

    return SharedWork(partial(Spacy, language, place or None))


def not_installed(package: str, extra: str) -> MtprobeError:
    """The error for a missing optional package; it names the extra that installs it."""
    return MtprobeError(f'{package} is not installed: pip install "mtprobe[{extra}]"')


LEMMATIZERS: dict[str, Callable[[str, str], Lemmatizer]] = {
    "simplemma": _simplemma,
    "stanza": _stanza,
    "pymorphy3": _pymorphy,
    "jieba": _jieba,
    "spacy": _spacy,
    "surface": _surface,
}
"""By the names that users give."""

_EXTRAS = {
    "simplemma": "lemmas",
    "pymorphy3": "lemmas",
    "jieba": "lemmas",
    "stanza": "stanza",
    "spacy": "spacy",
}
WITH_PLACE = ("stanza", "spacy")
"""The kinds whose models may be named after a colon."""
