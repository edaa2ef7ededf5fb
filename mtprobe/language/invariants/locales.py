"""CLDR's data for a language tag, through Babel."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from mtprobe.errors import MtprobeError
from mtprobe.language import tags

if TYPE_CHECKING:
    from babel import Locale

HOW_TO = 'pip install "mtprobe[checks]"'


def missing() -> str | None:
    """The missing packages and how to install them; None if everything is installed."""
    try:
        import babel  # noqa: F401
        import num2words  # noqa: F401
    except ImportError as error:
        return f"needs {error.name}: {HOW_TO}"
    return None


@cache
def locale_of(language: str) -> Locale:
    """The locale of a tag; without its territory or script where CLDR has no such locale."""
    from babel import Locale, UnknownLocaleError

    tag = tags.standard(language)
    while tag:
        try:
            return Locale.parse(tag, sep="-")
        except (UnknownLocaleError, ValueError):
            tag = tag.rpartition("-")[0]
    raise MtprobeError(f'CLDR has no data for the language "{language}"')


def known(language: str) -> bool:
    try:
        locale_of(language)
    except MtprobeError:
        return False
    return True


_SIBLINGS = {"de": ("de-AT",), "en": ("en-GB",), "es": ("es-MX",), "fr": ("fr-CA",), "pt": ("pt-PT",)}


@cache
def siblings(language: str) -> tuple[Locale, ...]:
    """The locale of a tag, and those whose words for the same things may be met in its texts: *metre*, *Sept.*"""
    others = _SIBLINGS.get(language.partition("-")[0], ())
    return tuple(dict.fromkeys((locale_of(language), *map(locale_of, others))))
