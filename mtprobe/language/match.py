"""Where lexemes stand in a sentence: by its lemmas, then by its words, then in the text itself."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from mtprobe.language import tags
from mtprobe.language.lemmas import Lemmatizer, Token
from mtprobe.language.lexeme import PARTS_OF_SPEECH, read_lexeme

Level = Literal["lemma", "word", "text"]

# Scripts that put no spaces between words: what stands there stands there, whatever is around it.
_WITHOUT_SPACES = frozenset({"Hans", "Hant", "Jpan", "Thai", "Laoo", "Khmr", "Mymr"})


class Match(NamedTuple):
    """A lexeme found in a sentence."""

    lexeme: str  # as the suite writes it
    level: Level
    length: int  # in words of the lexeme; in characters where it was found in the text
    closeness: int  # how many letters of its words stand there as the lexeme has them
    places: frozenset[int]  # the numbers of its words in the sentence; none where it was found in the text
    start: int  # in the sentence, composed (NFC)
    end: int


class _Word(NamedTuple):
    forms: frozenset[str]  # folded: as the suite writes it, and as the lemmatizer would
    text: str  # folded
    pos: frozenset[str]  # empty: any


@dataclass(frozen=True, slots=True)
class _Compiled:
    runs: tuple[tuple[_Word, ...], ...]
    words: tuple[_Word, ...]  # of all runs


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its words."""

    text: str  # composed (NFC)
    tokens: list[Token]


class Matcher:
    """Finds lexemes in sentences of one language. What was read of a lexeme is kept."""

    def __init__(self, lemmatizer: Lemmatizer, language: str) -> None:
        self._lemmatizer = lemmatizer
        self._spaces = tags.script(language) not in _WITHOUT_SPACES
        self._compiled: dict[str, _Compiled] = {}

    def sentences(self, texts: Sequence[str]) -> list[Sentence]:
        composed = [unicodedata.normalize("NFC", text) for text in texts]
        found = self._lemmatizer.lemmatize(composed)
        return [Sentence(text, tokens) for text, tokens in zip(composed, found, strict=True)]

    def learn(self, lexemes: Iterable[str]) -> None:
        """Reads lexemes, all at once: a lemmatizer may be slow to start on each."""
        new = [lexeme for lexeme in dict.fromkeys(lexemes) if lexeme not in self._compiled]
        parts = list(dict.fromkeys(part.text for one in new for run in read_lexeme(one) for part in run))
        known = dict(zip(parts, self._lemmatizer.lemmatize(parts), strict=True))
        for lexeme in new:
            runs = tuple(
                tuple(word for part in run for word in _words(known[part.text], part.text, part.pos))
                for run in read_lexeme(lexeme)
            )
            self._compiled[lexeme] = _Compiled(runs, tuple(word for run in runs for word in run))

    def find(self, sentence: Sentence, *sides: Sequence[str]) -> list[list[Match]]:
        """Every place where the lexemes of each side stand, on the first level where any of them does."""
        for level in (self._by_lemma, self._by_word, self._in_text):
            found = level(sentence, sides)
            if any(found):
                return found
        return [[] for _ in sides]

    def _by_lemma(self, sentence: Sentence, sides: Sequence[Sequence[str]]) -> list[list[Match]]:
        tokens = sentence.tokens
        lemmas = [fold(token.lemma) for token in tokens]

        def found(word: _Word) -> list[int]:
            at = [place for place, lemma in enumerate(lemmas) if lemma in word.forms]
            if word.pos:
                at = [place for place in at if not tokens[place].pos or tokens[place].pos in word.pos]
            return at

        return self._among(sentence, tokens, sides, "lemma", found, frozenset(lemmas))

    def _by_word(self, sentence: Sentence, sides: Sequence[Sequence[str]]) -> list[list[Match]]:
        """Words that a contraction stands for, and then the contraction as it is written."""
        contracted = any(token.written is not None for token in sentence.tokens)
        ways = (sentence.tokens, _written(sentence.tokens)) if contracted else (sentence.tokens,)
        found: list[list[Match]] = []
        for tokens in ways:
            texts = [fold(token.text) for token in tokens]

            def at(word: _Word, texts: Sequence[str] = texts) -> list[int]:
                return [place for place, text in enumerate(texts) if text == word.text]

            found = self._among(sentence, tokens, sides, "word", at, frozenset(texts))
            if any(found):
                break
        return found

    def _among(
        self,
        sentence: Sentence,
        tokens: Sequence[Token],
        sides: Sequence[Sequence[str]],
        level: Level,
        found: Callable[[_Word], list[int]],
        present: frozenset[str],
    ) -> list[list[Match]]:
        matches: list[list[Match]] = []
        for side in sides:
            of_side: list[Match] = []
            for lexeme in side:
                compiled = self._compiled[lexeme]
                for word in compiled.words:
                    if word.forms.isdisjoint(present):
                        break  # nearly always
                else:
                    runs = [[found(word) for word in run] for run in compiled.runs]
                    for places in occurrences(runs):
                        of_side.append(_match(sentence.text, tokens, lexeme, compiled.words, level, places))
            matches.append(of_side)
        return matches

    def _in_text(self, sentence: Sentence, sides: Sequence[Sequence[str]]) -> list[list[Match]]:
        folded = sentence.text.casefold()
        return [
            [
                Match(lexeme, "text", at.end() - at.start(), 0, frozenset(), at.start(), at.end())
                for lexeme in side
                if _signs(lexeme) in folded
                and (at := _pattern(lexeme, self._spaces).search(sentence.text)) is not None
            ]
            for side in sides
        ]


def occurrences(runs: Sequence[Sequence[Collection[int]]]) -> Iterator[tuple[int, ...]]:
    """The places of a lexeme's words, from the places where each of them stands.

    Words of a run stand side by side, runs in their order. For each beginning the one way with the smallest gaps.
    """
    if len(runs) == 1 and len(runs[0]) == 1:  # nearly always
        for place in sorted(runs[0][0]):
            yield (place,)
        return
    starts = [
        sorted(
            {start for start in run[0] if all(start + step in at for step, at in enumerate(run[1:], start=1))}
        )
        for run in runs
    ]
    for first in starts[0]:
        places = list(range(first, first + len(runs[0])))
        for run, later in zip(runs[1:], starts[1:], strict=True):
            at = bisect_left(later, places[-1] + 1)
            if at == len(later):
                break
            places += range(later[at], later[at] + len(run))
        else:
            yield tuple(places)


@lru_cache(1 << 17)
def fold(word: str) -> str:
    """Without what spelling leaves open: capitals, and ё, which is often written е."""
    return word.casefold().replace("ё", "е")


def _words(tokens: Sequence[Token], text: str, pos: str) -> Iterator[_Word]:
    """A part of a lexeme as the lemmatizer parts it; one that it finds no word in stands for itself."""
    wanted = PARTS_OF_SPEECH[pos] if pos else frozenset[str]()
    for token in tokens or [Token(text, text)]:
        word = fold(token.text)
        yield _Word(frozenset({word, fold(token.lemma)}), word, wanted)


def _written(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The words as they are written, contractions whole."""
    return tuple(
        token if token.written is None else Token(token.written, token.written)
        for token in tokens
        if token.written != ""
    )


def _match(
    text: str,
    tokens: Sequence[Token],
    lexeme: str,
    words: Sequence[_Word],
    level: Level,
    places: tuple[int, ...],
) -> Match:
    close = 0
    for place, word in zip(places, words, strict=True):
        close += _common(fold(tokens[place].text), word.text)
    start, end = _span(text, tokens, places[0], places[-1])
    return Match(lexeme, level, len(words), close, frozenset(places), start, end)


def _common(one: str, other: str) -> int:
    """How many letters two words have in common at their beginning."""
    if one.startswith(other):
        return len(other)
    at = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        at += 1
    return at


def _span(text: str, tokens: Sequence[Token], first: int, last: int) -> tuple[int, int]:
    """Where the words from the first to the last stand. Parts of a contraction stand where it does."""
    start = end = 0
    began = 0
    for place, token in enumerate(tokens[: last + 1]):
        if token.written != "":
            written = token.text if token.written is None else token.written
            at = text.find(written, end)
            start, end = (at, at + len(written)) if at >= 0 else (end, end)
        if place == first:
            began = start
    return began, end


@lru_cache(1 << 16)
def _signs(lexeme: str) -> str:
    """What stands in every text in which the lexeme does: a quick look before the search."""
    return read_lexeme(lexeme)[0][0].text.casefold()


@lru_cache(1 << 16)
def _pattern(lexeme: str, spaces: bool) -> re.Pattern[str]:
    between, gap = (r"[\W_]+", r"[\W_]+(?:.*?[\W_]+)?") if spaces else (r"\s*", r".*?")
    runs = [between.join(re.escape(part.text) for part in run) for run in read_lexeme(lexeme)]
    inner = gap.join(runs)
    return re.compile(rf"(?<!\w){inner}(?!\w)" if spaces else inner, re.IGNORECASE)
