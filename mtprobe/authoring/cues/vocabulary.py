"""The tokens of a masked language model that are complete words and may be cues."""

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
from mtprobe.language.identify import share_in_script

_NO_WORD = -1
KEEP_CAPITALS = ("de", "lb")  # all nouns are capitalised
_ONE_LETTER_IS_A_WORD = ("Hans", "Hant", "Jpan", "Kore")
# They say nothing about a sense, however probable they are.
_NO_CUES = {"en": frozenset({"a", "an", "and", "the"})}


class _Marks(Enum):
    """How a vocabulary marks tokens that begin or end a word."""

    CONTINUED = "##"  # before a token that continues a word: BERT
    SPACE = "▁"  # before a token that begins a word: SentencePiece
    BYTE_SPACE = "Ġ"  # the same in byte-level vocabularies: RoBERTa
    ENDED = "</w>"  # after a token that ends a word: XLM
    NONE = ""  # all tokens are words


@dataclass(frozen=True, slots=True)
class CueVocabulary:
    """The words, and the word of each token; several tokens may be one word, such as *River* and *river*."""

    words: tuple[str, ...]
    inside: NDArray[np.intp]  # by token: the number of its word, or -1
    at_start: NDArray[np.intp]  # the same at the start of a text, where no space marks the first word

    def probabilities(self, of_tokens: NDArray[np.float64], at_start: bool) -> NDArray[np.float64]:
        """The probability of each word. There may be more probabilities than tokens: models pad the vocabulary."""
        numbers = self.at_start if at_start else self.inside
        tokens = np.flatnonzero(numbers != _NO_WORD)
        sums = np.bincount(numbers[tokens], weights=of_tokens[tokens], minlength=len(self.words))
        return sums.astype(np.float64)


def read_vocabulary(tokenizer: Any, language: str) -> CueVocabulary:
    """The words of a tokenizer of transformers, as they are written in the language."""
    special = {*tokenizer.all_special_ids}
    tokens = [
        "" if number in special or token is None else str(token)
        for number, token in enumerate(tokenizer.convert_ids_to_tokens(list(range(len(tokenizer)))))
    ]
    marks = _marks(tokens)
    texts = [_text(token, marks, tokenizer) for token in tokens]
    spelled = {text for text, complete in texts if complete and is_word(text, language)}
    written = [_written(text, spelled, language) for text, _ in texts]
    words = sorted(
        {word for word, (text, complete) in zip(written, texts, strict=True) if complete and text in spelled}
    )
    number = {word: index for index, word in enumerate(words)}
    inside, at_start = (
        np.array(
            [
                number.get(word, _NO_WORD) if (complete or anywhere) else _NO_WORD
                for word, (_, complete) in zip(written, texts, strict=True)
            ],
            dtype=np.intp,
        )
        for anywhere in (False, marks is _Marks.BYTE_SPACE)
    )
    return CueVocabulary(tuple(words), inside, at_start)


def is_word(text: str, language: str) -> bool:
    """Whether this is a word in the language's script that can say something about a sense."""
    if len(text) < (1 if tags.script(language) in _ONE_LETTER_IS_A_WORD else 2):
        return False
    if not all(unicodedata.category(letter)[0] in "LM" for letter in text):
        return False
    if text.lower() in _NO_CUES.get(tags.standard(language).split("-")[0], ()):
        return False
    return share_in_script(text, language) in (None, 1.0)


def _marks(tokens: list[str]) -> _Marks:
    """The marks of most tokens; a multilingual vocabulary may contain the other marks as text."""
    counted: Counter[_Marks] = Counter()
    for token in tokens:
        for marks in (_Marks.CONTINUED, _Marks.SPACE, _Marks.BYTE_SPACE):
            counted[marks] += token.startswith(marks.value)
        counted[_Marks.ENDED] += token.endswith(_Marks.ENDED.value)
    best = max(_Marks, key=lambda marks: counted[marks])
    return best if counted[best] else _Marks.NONE


def _text(token: str, marks: _Marks, tokenizer: Any) -> tuple[str, bool]:
    """The text of a token, and whether it is a complete word between two others."""
    if marks is _Marks.CONTINUED:
        text, complete = token, not token.startswith(marks.value)
    elif marks is _Marks.ENDED:
        text, complete = token.removesuffix(marks.value), token.endswith(marks.value)
    elif marks is _Marks.SPACE:
        text, complete = token.removeprefix(marks.value), token.startswith(marks.value)
    elif marks is _Marks.BYTE_SPACE:
        text, complete = (
            str(tokenizer.convert_tokens_to_string([token])).strip(),
            token.startswith(marks.value),
        )
    else:
        text, complete = token, True
    return unicodedata.normalize("NFC", text), complete


def _written(text: str, spelled: AbstractSet[str], language: str) -> str:
    """Without a sentence-initial capital, if the vocabulary has the word in lower case, too."""
    lower = text.lower()
    capital = text[:1].isupper() and text[1:] == lower[1:]
    if capital and lower in spelled and tags.standard(language).split("-")[0] not in KEEP_CAPITALS:
        return lower
    return text
