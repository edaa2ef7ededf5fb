"""jieba: Chinese text into words. Chinese words are their own dictionary forms."""

from __future__ import annotations

import logging
import unicodedata
import warnings
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from mtprobe.errors import MtprobeError
from mtprobe.language.lemmatizers import Token, not_installed

# By the first letter of jieba's tags, which are those of ICTCLAS.
_TAGS = {
    "n": "NOUN",
    "t": "NOUN",
    "s": "NOUN",
    "v": "VERB",
    "a": "ADJ",
    "z": "ADJ",
    "b": "ADJ",
    "d": "ADV",
    "r": "PRON",
    "p": "ADP",
    "m": "NUM",
    "q": "NOUN",
    "e": "INTJ",
}
_SPECIAL = {"vn": "NOUN", "an": "NOUN", "vd": "ADV", "ad": "ADV"}


class Jieba:
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
                Token(pair.word, pair.word, _SPECIAL.get(pair.flag, _TAGS.get(pair.flag[:1], "")))
                for pair in self._tagger.cut(unicodedata.normalize("NFC", sentence))
                if any(character.isalnum() for character in pair.word)
            ]
            for sentence in sentences
        ]
