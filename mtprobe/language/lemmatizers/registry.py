"""The lemmatizers by name; each is loaded when it is opened."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from importlib.util import find_spec

from mtprobe.errors import MtprobeError, did_you_mean
from mtprobe.language import tags
from mtprobe.language.lemmatizers import libraries
from mtprobe.language.lemmatizers.kept import KeptSimplemma
from mtprobe.language.lemmatizers.libraries import Lemmatizer


def open_lemmatizer(kind: str, language: str) -> Lemmatizer:
    """A lemmatizer for a language, or an error that says what is missing.

    `auto` is the default for the language: simplemma, and jieba for Chinese. The place of models may follow after a
    colon: `stanza:models/stanza`, `spacy:de_core_news_sm`.
    """
    name, language, place = _named(kind, language)
    lemmatizer = _open(name, language, place)
    if isinstance(lemmatizer, KeptSimplemma):
        lemmatizer.check()
    return lemmatizer


def missing_package(kind: str, language: str) -> str | None:
    """The message if the lemmatizer's package is not installed, otherwise None; nothing is loaded."""
    name, *_ = _named(kind, language)
    return (
        str(libraries.not_installed(name)) if name in libraries.EXTRAS and find_spec(name) is None else None
    )


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


def _stanza(language: str, place: str) -> Lemmatizer:
    from mtprobe.language.lemmatizers.stanza_models import Stanza, on_gpu

    open_one = partial(Stanza, language, place or None)
    return open_one() if on_gpu() else _shared(open_one)


def _shared(open_one: Callable[[], Lemmatizer]) -> Lemmatizer:
    from mtprobe.language.lemmatizers.parallel import SharedWork

    return SharedWork(open_one)


LEMMATIZERS: dict[str, Callable[[str, str], Lemmatizer]] = {
    "simplemma": lambda language, _: KeptSimplemma(language),
    "stanza": _stanza,
    "pymorphy3": lambda language, _: libraries.open_pymorphy(language),
    "jieba": lambda language, _: _shared(partial(libraries.Jieba, language)),
    "spacy": lambda language, place: _shared(partial(libraries.Spacy, language, place or None)),
    "surface": lambda *_: libraries.SURFACE,
}
"""By the names that users give."""

WITH_PLACE = ("stanza", "spacy")
"""The kinds whose models may be named after a colon."""
