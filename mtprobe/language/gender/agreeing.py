"""The words of a translation that agree with a person: all of them, for changing them to the other gender.

Unlike a reading, which needs one word that shows the gender, an exchange needs every one. Where it is unclear whether a
word agrees with the person, that is an error: no exchange is better than a wrong one.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Literal, NamedTuple

from mtprobe.language.gender.phrase import Phrase, Word
from mtprobe.language.gender.read import determiner_place, opening
from mtprobe.language.gender.sentence import Sentence

Kind = Literal["determiner", "noun", "adjective", "verb", "pronoun"]


class Unclear(Exception):
    """Why a translation cannot be put into the other gender."""


class Agreeing(NamedTuple):
    """A word that agrees with the person."""

    place: int  # among the words
    kind: Kind


class _Subject(Enum):
    PERSON = "person"
    OTHER = "other"
    UNKNOWN = "unknown"


def agreeing(sentence: Sentence, phrase: Phrase, gender: str) -> list[Agreeing]:
    """The words that show this gender of the person, in order; `Unclear` if that is not certain."""
    found = {*_noun_phrase(sentence, phrase, gender), *_pronouns(sentence, gender)}
    found |= {Agreeing(place, "adjective") for place in _opening(sentence, phrase, gender)}
    found |= {Agreeing(place, "adjective") for place in _predicates(sentence, phrase, gender)}
    found |= {Agreeing(place, "verb") for place in _verbs(sentence, phrase, gender)}
    _check_clitics(sentence, gender, {item.place for item in found})
    return sorted(found)


def agreeing_with_thing(sentence: Sentence, phrase: Phrase, gender: str) -> list[int]:
    """The places of adjectives and participles that agree with a noun that is not a person."""
    found = {item.place for item in _noun_phrase(sentence, phrase, gender) if item.kind == "adjective"}
    return sorted(found | set(_predicates(sentence, phrase, gender, person=False)))


def _noun_phrase(sentence: Sentence, phrase: Phrase, gender: str) -> Iterator[Agreeing]:
    words, adjectives = sentence.words, sentence.forms.adjectives
    determiner = determiner_place(sentence.grammar, words, phrase)
    first = phrase.first if determiner is None else determiner + 1
    if first and words[first - 1].plain in sentence.forms.contracted:
        raise Unclear(f"no other form of “{words[first - 1].text}” is known here")
    if determiner is not None and _determines(sentence, words[determiner], gender):
        yield Agreeing(determiner, "determiner")
    for place in range(first, phrase.head):
        if sentence.grammar.capitals and words[place].text[0].isupper():
            continue  # part of a name
        other = adjectives.other(words[place].plain, gender)
        if other is None:
            raise Unclear(f"no other form of “{words[place].text}” is known")
        if other != words[place].plain:
            yield Agreeing(place, "adjective")
    if sentence.grammar.nouns.gender_of(words[phrase.head].plain) in (gender, "either", None):
        yield Agreeing(phrase.head, "noun")
    for place in sentence.after_noun(phrase):
        other = adjectives.other(words[place].plain, gender)
        if other is not None and other != words[place].plain:
            yield Agreeing(place, "adjective")


def _determines(sentence: Sentence, word: Word, gender: str) -> bool:
    """Whether a determiner shows the gender; *der* is masculine, but a form of *die* as well."""
    if sentence.grammar.determiners.gender_of(word.plain) == gender:
        return True
    return word.plain in sentence.grammar.weak and any(
        row.words(gender)[-1] == word.plain for row in sentence.forms.determiners
    )


def _pronouns(sentence: Sentence, gender: str) -> Iterator[Agreeing]:
    for place, word in enumerate(sentence.words):
        following = (
            f"{word.plain} {sentence.words[place + 1].plain}" if place + 1 < len(sentence.words) else ""
        )
        if sentence.grammar.pronouns.gender_of(following) == "either":
            continue  # il faut
        if word.plain in sentence.forms.possessives.of(gender) and sentence.is_before_noun(place):
            raise Unclear(f"no other form of “{word.text}” is known here")
        if sentence.row(sentence.forms.pronouns, place, gender) is not None:
            yield Agreeing(place, "pronoun")
        elif word.plain in sentence.forms.only_pronouns and any(
            row.form(gender) == word.plain for row in sentence.forms.pronouns
        ):
            raise Unclear(f"no other form of “{word.text}” is known here")


def _opening(sentence: Sentence, phrase: Phrase, gender: str) -> Iterator[int]:
    """*Heureux de lui-même, le médecin …*"""
    if next(opening(sentence.words, phrase), None) is not None:
        place = 1 if sentence.forms.is_adverb(sentence.words[0].plain) else 0
        if place < phrase.first and sentence.shows(sentence.words[place], gender):
            yield place


def _predicates(sentence: Sentence, phrase: Phrase, gender: str, *, person: bool = True) -> Iterator[int]:
    """Adjectives and participles after a copula whose subject is the phrase, or a pronoun for the person."""
    for copula in (place for place, word in enumerate(sentence.words) if sentence.is_copula(word)):
        places = list(_complement(sentence, copula, gender))
        if not places:
            continue
        subject = _subject(sentence, copula, phrase, gender if person else None)
        nominal = sentence.is_article(sentence.words[places[0]], gender)
        if subject is _Subject.PERSON and nominal:
            raise Unclear("a noun after the verb may mean the person, too")
        if subject is _Subject.UNKNOWN and not nominal:
            raise Unclear(f"“{sentence.words[places[0]].text}” may agree with the person or not")
        if subject is _Subject.PERSON:
            yield from places


def _complement(sentence: Sentence, copula: int, gender: str) -> Iterator[int]:
    """The word after a copula that shows the gender; or an article that replaces its noun."""
    expected = True
    for place in range(copula, len(sentence.words)):
        word = sentence.words[place]
        if place == copula or sentence.is_copula(word):
            if sentence.shows(word, gender) and _agrees_itself(sentence, word, gender):
                yield place  # è stata
        elif expected and sentence.is_article(word, gender):
            yield place
            return
        elif expected and sentence.shows(word, gender):
            yield place
            expected = False
        elif word.plain in sentence.forms.conjunctions[:1]:  # cansada e doente
            expected = True
        elif not sentence.forms.is_adverb(word.plain):
            return
        if word.ends_clause:
            return


def _agrees_itself(sentence: Sentence, copula: Word, gender: str) -> bool:
    other = sentence.forms.adjectives.other(copula.plain, gender)
    return other is not None and sentence.grammar.is_copula(other)


def _subject(sentence: Sentence, verb: int, phrase: Phrase, gender: str | None) -> _Subject:
    """Whether the phrase, or a pronoun of this gender, is the subject of a verb."""
    words, forms, grammar = sentence.words, sentence.forms, sentence.grammar
    if "-" in words[verb].plain:  # est-il
        inverted = gender and sentence.row(forms.pronouns, verb, gender)
        return _Subject.PERSON if inverted else _Subject.OTHER
    end = sentence.end(phrase)
    place = verb - 1
    while (
        place >= 0
        and not words[place].ends_clause
        and not phrase.first <= place <= end
        and sentence.may_precede_verb(words[place])
    ):
        place -= 1
    unclear = (*forms.conjunctions, *(word for word in grammar.particles if word not in forms.relatives))
    if place < 0 or words[place].ends_clause or words[place].plain in unclear:
        return _Subject.UNKNOWN
    if words[place].plain in forms.relatives:  # the word before it is meant
        return _Subject.PERSON if place - 1 == end else _Subject.OTHER
    if phrase.first <= place <= end:
        return _Subject.UNKNOWN if sentence.is_complement(phrase) else _Subject.PERSON
    if grammar.is_pronoun(words[place].plain):
        return _Subject.PERSON if grammar.pronouns.gender_of(words[place].plain) == gender else _Subject.OTHER
    return _Subject.OTHER


def _verbs(sentence: Sentence, phrase: Phrase, gender: str) -> Iterator[int]:
    """Verbs of the person that show the gender; the person is their subject."""
    if sentence.grammar.verbs is None:
        return
    follows = True  # the person's own clause, or one whose subject is a pronoun of this gender
    for place in range(phrase.head, len(sentence.words)):
        word = sentence.words[place]
        if place > phrase.head and _verb_shows(sentence, word, gender):
            if not follows:
                raise Unclear(f"“{word.text}” may agree with the person or not")
            yield place
        if sentence.grammar.is_pronoun(word.plain):
            follows = sentence.grammar.pronouns.gender_of(word.plain) == gender
        elif word.ends_clause:
            follows = False


def _verb_shows(sentence: Sentence, word: Word, gender: str) -> bool:
    verbs = sentence.grammar.verbs
    shown = verbs is not None and verbs.shown_by(word.plain) == gender
    other = sentence.forms.verbs.other(word.plain, gender)
    known = any(row.form(gender) == word.plain for row in sentence.forms.verbs.pairs)
    return (shown or known) and other is not None


def _check_clitics(sentence: Sentence, gender: str, agreeing: set[int]) -> None:
    """Object pronouns look like articles; one before a verb may mean the person."""
    clitics = sentence.forms.clitics.of(gender)
    for place, word in enumerate(sentence.words):
        following = sentence.words[place + 1].plain if place + 1 < len(sentence.words) else ""
        if place in agreeing or following in sentence.forms.neuter:
            continue
        if any(clitic.startswith("-") and word.plain.endswith(clitic) for clitic in clitics):
            raise Unclear(f"“{word.text}” may mean the person")
        previous = sentence.words[place - 1].plain
        preposition = previous in sentence.grammar.particles and previous not in sentence.forms.conjunctions
        if place == 0 or word.ends_clause or preposition or sentence.is_verb(previous):
            continue  # an article
        if word.plain in clitics and sentence.is_verb(following):
            raise Unclear(f"“{word.text} {following}” may mean the person")
