"""Finds lexemes in a sentence: by its lemmas, then by its words, then in the text itself."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from mtprobe.language.identify import puts_spaces_between_words
from mtprobe.language.lemmatizers import Lemmatizer, Token
from mtprobe.language.lexeme import PARTS_OF_SPEECH, read_lexeme

Level = Literal["lemma", "word", "text"]


class Match(NamedTuple):
    """A lexeme found in a sentence."""

    lexeme: str  # as the suite writes it
    level: Level
    length: int  # in words of the lexeme; in characters if it was found in the text
    closeness: int  # how close its words are in spelling to those of the lexeme
    places: frozenset[int]  # the numbers of its words in the sentence; none if it was found in the text
    start: int  # in the sentence, composed (NFC)
    end: int


class _Word(NamedTuple):
    forms: frozenset[str]  # folded: as the suite writes it, and as the lemmatizer would
    text: str  # folded
    pos: frozenset[str]  # empty: any
    as_written: bool = False  # only this form and its plural in -s match, not what shares its lemma


@dataclass(frozen=True, slots=True)
class _Compiled:
    runs: tuple[tuple[_Word, ...], ...]
    words: tuple[_Word, ...]  # of all runs
    # For a quick check before the search:
    needed: frozenset[str]  # one of these forms is a word of every sentence whose words the lexeme is
    begins: str  # occurs, in lower case, in every text that has the lexeme


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its words."""

    text: str  # composed (NFC)
    tokens: list[Token]


class Matcher:
    """Finds lexemes in sentences of one language. Lexemes are read once.

    With `respect_forms`, a word that is not its own dictionary form (*padeira*, whose lemma is *padeiro*) matches only
    as it is written, or with a plural -s.
    """

    def __init__(self, lemmatizer: Lemmatizer, language: str, *, respect_forms: bool = False) -> None:
        self._lemmatizer = lemmatizer
        self._respect_forms = respect_forms
        self._spaces = puts_spaces_between_words(language)
        self._compiled: dict[str, _Compiled] = {}

    def sentences(self, texts: Sequence[str]) -> list[Sentence]:
        composed = [unicodedata.normalize("NFC", text) for text in texts]
        found = self._lemmatizer.lemmatize(composed)
        return [Sentence(text, tokens) for text, tokens in zip(composed, found, strict=True)]

    def learn(self, lexemes: Iterable[str]) -> None:
        """Reads lexemes, all at once: a lemmatizer may be slow to start on each."""
        new = [lexeme for lexeme in dict.fromkeys(lexemes) if lexeme not in self._compiled]
        parts = list(
            dict.fromkeys(part.text for lexeme in new for run in read_lexeme(lexeme) for part in run)
        )
        known = dict(zip(parts, self._lemmatizer.lemmatize(parts), strict=True))
        for lexeme in new:
            runs = tuple(
                tuple(
                    word
                    for part in run
                    for word in _words(known[part.text], part.text, part.pos, self._respect_forms)
                )
                for run in read_lexeme(lexeme)
            )
            words = tuple(word for run in runs for word in run)
            begins = read_lexeme(lexeme)[0][0].text.casefold()
            self._compiled[lexeme] = _Compiled(runs, words, words[0].forms, begins)

    def find(self, sentence: Sentence, *sides: Sequence[str]) -> list[list[Match]]:
        """Every occurrence of the lexemes of each side, on the first level where any of them occurs."""
        known = self._compiled
        tokens = sentence.tokens
        lemmas = [fold(token.lemma) for token in tokens]
        texts = [fold(token.text) for token in tokens]
        written = _written(tokens) if any(token.written for token in tokens) else None
        present = {*lemmas, *texts, *(fold(token.text) for token in written or ())}
        likely = [
            [lexeme for lexeme in side if not present.isdisjoint(known[lexeme].needed)] for side in sides
        ]
        if any(likely):  # most lexemes occur in no sentence
            found = self._among(sentence.text, tokens, likely, "lemma", _by_lemma(tokens, lemmas, texts))
            if not any(found):
                found = self._among(sentence.text, tokens, likely, "word", _by_text(texts))
            if not any(found) and written:
                texts = [fold(token.text) for token in written]
                found = self._among(sentence.text, written, likely, "word", _by_text(texts))
            if any(found):
                return found
        return self._in_text(sentence.text, sides)

    def _among(
        self,
        text: str,
        tokens: Sequence[Token],
        sides: Sequence[Sequence[str]],
        level: Level,
        found: Callable[[_Word], list[int]],
    ) -> list[list[Match]]:
        known = self._compiled
        return [
            [
                _match(text, tokens, lexeme, known[lexeme].words, level, places)
                for lexeme in side
                for places in occurrences([[found(word) for word in run] for run in known[lexeme].runs])
            ]
            for side in sides
        ]

    def _in_text(self, text: str, sides: Sequence[Sequence[str]]) -> list[list[Match]]:
        known = self._compiled
        folded = text.casefold()
        return [
            [
                Match(lexeme, "text", at.end() - at.start(), 0, frozenset(), at.start(), at.end())
                for lexeme in side
                if known[lexeme].begins in folded
                and (at := _pattern(lexeme, self._spaces).search(text)) is not None
            ]
            for side in sides
        ]


def _by_lemma(
    tokens: Sequence[Token], lemmas: Sequence[str], texts: Sequence[str]
) -> Callable[[_Word], list[int]]:
    def places(word: _Word) -> list[int]:
        forms, wanted = word.forms, word.pos
        if word.as_written:
            plural = f"{word.text}s"
            at = [
                place
                for place, text in enumerate(texts)
                if text == word.text or (text == plural and lemmas[place] in forms)
            ]
        else:
            at = [place for place, lemma in enumerate(lemmas) if lemma in forms]
        if wanted:
            at = [place for place in at if not tokens[place].pos or tokens[place].pos in wanted]
        return at

    return places


def _by_text(texts: Sequence[str]) -> Callable[[_Word], list[int]]:
    return lambda word: [place for place, text in enumerate(texts) if text == word.text]


def occurrences(runs: Sequence[Sequence[Collection[int]]]) -> Iterator[tuple[int, ...]]:
    """The places of a lexeme's words, from the places where each of them occurs.

    Words of a run are adjacent, runs are in order. For each start, the occurrence with the smallest gaps.
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
    """Without variation in spelling: capitals, and ё, which is often written е."""
    return word.casefold().replace("ё", "е")


def _words(tokens: Sequence[Token], text: str, pos: str, respect_forms: bool) -> Iterator[_Word]:
    """A part of a lexeme as the lemmatizer splits it; itself, if the lemmatizer finds no word in it."""
    wanted = PARTS_OF_SPEECH[pos] if pos else frozenset[str]()
    for token in tokens or [Token(text, text)]:
        word, lemma = fold(token.text), fold(token.lemma)
        yield _Word(frozenset({word, lemma}), word, wanted, respect_forms and word != lemma)


def _written(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The words as they are written, contractions as one word."""
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
        close += _closeness(fold(tokens[place].text), word.text)
    start, end = _span(text, tokens, places[0], places[-1])
    return Match(lexeme, level, len(words), close, frozenset(places), start, end)


def _closeness(word: str, listed: str) -> int:
    """Twice the number of letters that two words begin with, and one more if all of the listed word is in the other.

    So *cousins* is closer to *cousin* than to *cousine*, although it shares as many letters with both.
    """
    pairs = enumerate(zip(word, listed, strict=False))
    common = next((at for at, (mine, theirs) in pairs if mine != theirs), min(len(word), len(listed)))
    return 2 * common + (common == len(listed))


def _span(text: str, tokens: Sequence[Token], first: int, last: int) -> tuple[int, int]:
    """The span of the words from the first to the last. Parts of a contraction have its span."""
    if first == last and tokens[first].written is None:  # nearly always
        word = tokens[first].text
        at = text.find(word)
        if at >= 0 and text.find(word, at + 1) < 0:
            return at, at + len(word)
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
def _pattern(lexeme: str, spaces: bool) -> re.Pattern[str]:
    between, gap = (r"[\W_]+", r"[\W_]+(?:.*?[\W_]+)?") if spaces else (r"\s*", r".*?")
    runs = [between.join(re.escape(part.text) for part in run) for run in read_lexeme(lexeme)]
    inner = gap.join(runs)
    return re.compile(rf"(?<!\w){inner}(?!\w)" if spaces else inner, re.IGNORECASE)
