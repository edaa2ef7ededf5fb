"""Reads the gender that a translation gives a person: from the noun, its determiner, and words that agree with it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from mtprobe.language.gender.grammar import Grammar
from mtprobe.language.gender.phrase import Phrase, Word, phrases_of, words_of

_NEAR = 2  # words before a noun that may be its determiner: an adjective may come between
_REACH = 6  # words after a noun that may be its verb or adjective
_WEIGHTS = {"article": 3, "noun": 2, "verb": 2, "agreement": 1, "pronoun": 0}


class Cue(NamedTuple):
    """A word that shows a gender, and how."""

    gender: str
    word: str
    kind: str  # "noun", "article", "agreement", "verb", "pronoun"


@dataclass(frozen=True, slots=True)
class GenderReading:
    """The gender that a translation gives a person."""

    gender: str | None  # None: unknown
    cues: tuple[Cue, ...] = ()
    reason: str = ""  # why it is unknown
    phrase: Phrase | None = None  # the words that name the person, as places among `words_of`


def read_gender(grammar: Grammar, translation: str, aligned: Collection[int]) -> GenderReading:
    """The gender of the person whom the aligned tokens (separated by white space, from 0) name."""
    words = words_of(translation)
    phrases = phrases_of(grammar, words, aligned)
    if not phrases:
        return GenderReading(None, reason="no noun of the translation is aligned to the focus")
    order = phrases if grammar.head == "first" else phrases[::-1]
    readings = [replace(_read(grammar, words, phrase), phrase=phrase) for phrase in order]
    return max(readings, key=_strength)  # the first of several equals


def _strength(reading: GenderReading) -> int:
    """A noun with its determiner is most certainly the one that is meant."""
    kinds = {cue.kind for cue in reading.cues}
    return sum(_WEIGHTS[kind] for kind in kinds) + 4 * (reading.gender is not None)


def _read(grammar: Grammar, words: Sequence[Word], phrase: Phrase) -> GenderReading:
    noun = words[phrase.head]
    own = grammar.nouns.gender_of(noun.plain)
    if own == "neutral":
        return GenderReading("neutral", (Cue("neutral", noun.text, "noun"),))
    if (both := _determined(grammar, words, phrase)) is not None:
        return GenderReading(both.gender, (both,))
    article = _determiner(grammar, words, phrase)
    from_noun = Cue(own, noun.text, "noun") if own in ("male", "female") else None
    if (verb := _verb(grammar, words, phrase)) is not None and (
        from_noun is None or from_noun.gender == "male"
    ):
        return GenderReading(verb.gender, tuple(cue for cue in (verb, from_noun, article) if cue))
    if article is None and (from_noun is None or noun.plain in grammar.unmarked):
        agreeing = next(_agreeing(grammar, words, phrase), None)
        if agreeing is not None:
            return GenderReading(agreeing.gender, (agreeing,))
    if from_noun is None and article is None:
        reason = f"neither “{noun.text}” nor a word that belongs to it shows a gender"
        return GenderReading(None, reason=reason)
    return _combine(grammar, from_noun, article)


def _combine(grammar: Grammar, noun: Cue | None, article: Cue | None) -> GenderReading:
    """The gender of noun and article; if they differ, the one that the grammar prefers."""
    cues = tuple(cue for cue in (article, noun) if cue)
    if len({cue.gender for cue in cues}) == 1 or noun is None or article is None:
        return GenderReading(cues[0].gender, cues)
    if article.word.casefold() in grammar.weak:
        return GenderReading(noun.gender, (noun,))
    if grammar.articles_win and article.gender == "female":
        return GenderReading("female", cues)
    return GenderReading(None, cues, f"“{article.word}” is {article.gender}, and “{noun.word}” {noun.gender}")


def _determiner(grammar: Grammar, words: Sequence[Word], phrase: Phrase) -> Cue | None:
    place = determiner_place(grammar, words, phrase)
    if place is None or (gender := grammar.determiners.gender_of(words[place].plain)) is None:
        return None
    return Cue(gender, words[place].text, "article")


def determiner_place(grammar: Grammar, words: Sequence[Word], phrase: Phrase) -> int | None:
    """The place of the determiner before a noun, if it has one that shows a gender."""
    for place in reversed(range(max(0, phrase.first - _NEAR), phrase.head)):
        word = words[place]
        if word.ends_clause:
            return None
        if grammar.determiners.gender_of(word.plain):
            return place
        if word.plain in grammar.particles:
            return None
    return None


def _determined(grammar: Grammar, words: Sequence[Word], phrase: Phrase) -> Cue | None:
    """A determiner and an ending that show a gender only together."""
    if phrase.head == 0:
        return None
    article, noun = words[phrase.head - 1], words[phrase.head]
    for gender, known in grammar.phrases:
        for entry in known:
            first, ending = entry.split()
            if article.plain == first and noun.plain.endswith(ending.removeprefix("-")):
                return Cue(gender, f"{article.text} {noun.text}", "article")
    return None


def _verb(grammar: Grammar, words: Sequence[Word], phrase: Phrase) -> Cue | None:
    if grammar.verbs is None or not grammar.verbs.takes(words[phrase.head].plain):
        return None
    for word in _after(grammar, words, phrase):
        if gender := grammar.verbs.shown_by(word.plain):
            return Cue(gender, word.text, "verb")
    return None


def _agreeing(grammar: Grammar, words: Sequence[Word], phrase: Phrase) -> Iterator[Cue]:
    """Words that agree with the person, the surest first."""
    if grammar.agreement is not None:
        near = words[phrase.head + 1 : phrase.last + 1]  # an adjective of the noun itself
        for word in (*near, *_predicates(grammar, words, phrase), *opening(words, phrase)):
            if gender := grammar.agreement.shown_by(word.plain):
                yield Cue(gender, word.text, "agreement")
    pronouns = list(_pronouns(grammar, words))
    if len({cue.gender for cue in pronouns}) == 1:
        yield pronouns[0]


def _pronouns(grammar: Grammar, words: Sequence[Word]) -> Iterator[Cue]:
    """All that may mean the person. Its neighbours can make a pronoun personal (*avec lui*) or impersonal (*il faut*)."""
    for place, word in enumerate(words):
        after = f"{word.plain} {words[place + 1].plain}" if place + 1 < len(words) else ""
        before = f"{words[place - 1].plain} {word.plain}" if place else ""
        if grammar.pronouns.gender_of(after) == "either":
            continue
        if gender := grammar.pronouns.shown_by(word.plain) or grammar.pronouns.shown_by(before):
            yield Cue(gender, word.text, "pronoun")


def _predicates(grammar: Grammar, words: Sequence[Word], phrase: Phrase) -> Iterator[Word]:
    """The words after a copula or an auxiliary: *s'est arrêtée*, *está cansada*."""
    copula = False
    for word in _after(grammar, words, phrase):
        if copula:
            yield word
        copula = copula or grammar.is_copula(word.plain)


def opening(words: Sequence[Word], phrase: Phrase) -> Iterator[Word]:
    """The first word of a participle phrase that opens the sentence: *Contente d'elle-même, l'infirmière …*."""
    ends = [place for place in range(max(0, phrase.first - _NEAR), phrase.first) if words[place].ends_clause]
    if ends and not any(word.ends_clause for word in words[: ends[0]]):
        yield words[0]


def _after(grammar: Grammar, words: Sequence[Word], phrase: Phrase) -> Iterator[Word]:
    """The next words of the same clause."""
    if words[phrase.last].ends_clause:
        return
    for word in words[phrase.last + 1 : phrase.last + 1 + _REACH]:
        if grammar.is_pronoun(word.plain):
            return  # the subject of another clause
        yield word
        if word.ends_clause:
            return
