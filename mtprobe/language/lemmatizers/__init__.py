"""Lemmatizers: one small protocol with several implementations, loaded on demand."""

from __future__ import annotations

from mtprobe.language.lemmatizers.kept import is_known_word
from mtprobe.language.lemmatizers.libraries import Lemmatizer, Token
from mtprobe.language.lemmatizers.registry import (
    LEMMATIZERS,
    check_lemmatizer,
    missing_package,
    open_lemmatizer,
)

__all__ = [
    "LEMMATIZERS",
    "Lemmatizer",
    "Token",
    "check_lemmatizer",
    "is_known_word",
    "missing_package",
    "open_lemmatizer",
]
