"""Which tokens of a masked language model are whole words that may be cues."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtprobe.language import tags
from mtprobe.language.script import share_in_script

_NO_WORD = -1
_KEEP_CAPITALS = ("de", "lb")  # every noun has one there
_ONE_SIGN_IS_A_WORD = ("Hans", "Hant", "Jpan", "Kore")
# They say nothing of a sense, however probable they are.
_NO_CUES = {"en": frozenset({"a", "an", "and", "the"})}


class _Marks(Enum):
    """How a vocabulary tells the tokens that begin a word, or are the whole of one, from the others."""

    CONTINUED = "##"  # before what goes on a word: BERT
    SPACE = "▁"  # before what begins one: SentencePiece
    BYTE_SPACE = "Ġ"  # the same, where tokens are bytes: RoBERTa
    ENDED = "</w>"  # behind what ends one: XLM
    NONE = ""  # all tokens are words


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words, and which of them each token is; several tokens may be one word, as *River* and *river* are."""

    words: tuple[str, ...]
    inside: NDArray[np.intp]  # by token: the number of its word, or -1
    at_start: NDArray[
        np.intp
    ]  # the same for the first word of a text, before which no space tells that it is one

    def probabilities(self, of_tokens: NDArray[np.float64], at_start: bool) -> NDArray[np.float64]:
        """The probability of each word. There may be more probabilities than tokens: models pad their vocabulary."""
        numbers = self.at_start if at_start else self.inside
        known = np.flatnonzero(numbers != _NO_WORD)
        counted = np.bincount(numbers[known], weights=of_tokens[known], minlength=len(self.words))
        return counted.astype(np.float64)


def read_vocabulary(tokenizer: Any, language: str) -> Vocabulary:
    """The words of a tokenizer of transformers, as they are written in the language."""
    special = {*tokenizer.all_special_ids}
    tokens = [
        "" if number in special or token is None else str(token)
        for number, token in enumerate(tokenizer.convert_ids_to_tokens(list(range(len(tokenizer)))))
    ]
    marks = _marks(tokens)
    texts = [_text(token, marks, tokenizer) for token in tokens]
    spelled = {text for text, whole in texts if whole and is_word(text, language)}
    written = [_written(text, spelled, language) for text, _ in texts]
    words = sorted(
        {word for word, (text, whole) in zip(written, texts, strict=True) if whole and text in spelled}
    )
    number = {word: index for index, word in enumerate(words)}
    inside, at_start = (
        np.array(
            [
                number.get(word, _NO_WORD) if (whole or anywhere) else _NO_WORD
                for word, (_, whole) in zip(written, texts, strict=True)
            ],
            dtype=np.intp,
        )
        for anywhere in (False, marks is _Marks.BYTE_SPACE)
    )
    return Vocabulary(tuple(words), inside, at_start)


def is_word(text: str, language: str) -> bool:
    """Whether this is a word in the language's letters, and one that can say something of a sense."""
    if len(text) < (1 if tags.script(language) in _ONE_SIGN_IS_A_WORD else 2):
        return False
    if not all(unicodedata.category(sign)[0] in "LM" for sign in text):
        return False
    if text.lower() in _NO_CUES.get(tags.standard(language).split("-")[0], ()):
        return False
    return share_in_script(text, language) in (None, 1.0)


def _marks(tokens: list[str]) -> _Marks:
    """The marks that most tokens carry; a vocabulary of many languages holds the signs of the others, too."""
    counted: Counter[_Marks] = Counter()
    for token in tokens:
        for marks in (_Marks.CONTINUED, _Marks.SPACE, _Marks.BYTE_SPACE):
            counted[marks] += token.startswith(marks.value)
        counted[_Marks.ENDED] += token.endswith(_Marks.ENDED.value)
    best = max(_Marks, key=lambda marks: counted[marks])
    return best if counted[best] else _Marks.NONE


def _text(token: str, marks: _Marks, tokenizer: Any) -> tuple[str, bool]:
    """What a token writes, and whether that is a word when it stands alone between two others."""
    if marks is _Marks.CONTINUED:
        text, whole = token, not token.startswith(marks.value)
    elif marks is _Marks.ENDED:
        text, whole = token.removesuffix(marks.value), token.endswith(marks.value)
    elif marks is _Marks.SPACE:
        text, whole = token.removeprefix(marks.value), token.startswith(marks.value)
    elif marks is _Marks.BYTE_SPACE:
        text, whole = str(tokenizer.convert_tokens_to_string([token])).strip(), token.startswith(marks.value)
    else:
        text, whole = token, True
    return unicodedata.normalize("NFC", text), whole


def _written(text: str, spelled: AbstractSet[str], language: str) -> str:
    """Without a capital that only a sentence's start gave: the vocabulary has the word without it, too."""
    lower = text.lower()
    capital = text[:1].isupper() and text[1:] == lower[1:]
    if capital and lower in spelled and tags.standard(language).split("-")[0] not in _KEEP_CAPITALS:
        return lower
    return text
