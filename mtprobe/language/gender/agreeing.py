"""Which words of a translation agree with a person: all of them, so that they can be put into the other gender.

Unlike a reading, which needs one word that shows the gender, an exchange needs every one. Where it is unclear whether a
word agrees with the person, that is an error: no exchange is better than a wrong one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal, NamedTuple

from mtprobe.language.gender.form_tables import Forms, Place, Row, Surroundings
from mtprobe.language.gender.grammar import Grammar
from mtprobe.language.gender.phrase import Phrase, Word
from mtprobe.language.gender.read import determiner_place, opening

Kind = Literal["determiner", "noun", "adjective", "verb", "pronoun"]
_LONGEST_COMPLEMENT = 3  # nouns: *professor do jardim de infância*


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


@dataclass(frozen=True)
class Sentence:
    """The words of a translation, and what is known about their language."""

    grammar: Grammar
    forms: Forms
    words: Sequence[Word]
    is_verb: Callable[[str], bool]  # of a form: belongs to a verb, as far as a lemmatizer knows

    def agreeing(self, phrase: Phrase, gender: str) -> list[Agreeing]:
        """The words that show this gender of the person, in order; `Unclear` if that is not certain."""
        found = {*self._noun_phrase(phrase, gender), *self._pronouns(gender)}
        found |= {Agreeing(place, "adjective") for place in self._opening(phrase, gender)}
        found |= {Agreeing(place, "adjective") for place in self._predicates(phrase, gender)}
        found |= {Agreeing(place, "verb") for place in self._verbs(phrase, gender)}
        self._check_clitics(gender, {item.place for item in found})
        return sorted(found)

    def around(self, place: int, length: int = 1) -> Surroundings:
        """The surroundings of this many words that end at a place."""
        words, first = self.words, place - length + 1
        previous = words[first - 1].plain if first else ""
        following = words[place + 1].plain if place + 1 < len(words) else ""
        return Surroundings(previous, following, self._place(first))

    def row(self, rows: Sequence[Row], place: int, gender: str) -> Row | None:
        """The row whose form of this gender ends at a place."""
        for row in self.forms.rows(rows, gender):
            form = row.words(gender)
            first = place - len(form) + 1
            if first < 0 or not row.fits(self.around(place, len(form)), self.forms.sounds):
                continue
            present = [word.plain for word in self.words[first : place + 1]]
            if present == list(form) or (
                form[0].startswith("-") and len(form[0]) < len(present[0]) and present[0].endswith(form[0])
            ):
                return row
        return None

    def _place(self, first: int) -> Place | None:
        """Whether a phrase that begins here is a subject or an object, where word order shows it."""
        words = self.words
        if first == 0 or words[first - 1].ends_clause or words[first - 1].plain in self.forms.conjunctions:
            return "subject"
        clause = next((place for place in range(first, 0, -1) if words[place - 1].ends_clause), 0)
        joined = next(
            (at for at in range(first - 1, clause - 1, -1) if words[at].plain in self.forms.joining), None
        )
        if joined is not None and words[joined + 1].plain not in self.forms.subjects:
            return "object"  # und fragte ihn: the subject is that of the clause before
        begin = clause if joined is None else joined + 1
        if words[begin].plain in self.forms.conjunctions:
            begin += 1
        return "object" if begin < first - 1 and words[begin].plain in self.forms.subjects else None

    def _noun_phrase(self, phrase: Phrase, gender: str) -> Iterator[Agreeing]:
        words, adjectives = self.words, self.forms.adjectives
        determiner = determiner_place(self.grammar, words, phrase)
        first = phrase.first if determiner is None else determiner + 1
        if determiner is not None and self._determines(words[determiner], gender):
            yield Agreeing(determiner, "determiner")
        for place in range(first, phrase.head):
            if self.grammar.capitals and words[place].text[0].isupper():
                continue  # part of a name
            other = adjectives.other(words[place].plain, gender)
            if other is None:
                raise Unclear(f"no other form of “{words[place].text}” is known")
            if other != words[place].plain:
                yield Agreeing(place, "adjective")
        if self.grammar.nouns.gender_of(words[phrase.head].plain) in (gender, "either", None):
            yield Agreeing(phrase.head, "noun")
        for place in self._after_noun(phrase):
            other = adjectives.other(words[place].plain, gender)
            if other is not None and other != words[place].plain:
                yield Agreeing(place, "adjective")

    def _determines(self, word: Word, gender: str) -> bool:
        """Whether a determiner shows the gender; *der* is masculine, but a form of *die* as well."""
        if self.grammar.determiners.gender_of(word.plain) == gender:
            return True
        return word.plain in self.grammar.weak and any(
            row.words(gender)[-1] == word.plain for row in self.forms.determiners
        )

    def _after_noun(self, phrase: Phrase) -> Iterator[int]:
        """The places of adjectives after a noun."""
        if self.grammar.head == "last":
            return
        for place in range(phrase.head + 1, len(self.words)):
            word = self.words[place]
            if self.words[place - 1].ends_clause or self._is_function_word(word):
                return
            known = any(word.plain in (row.male, row.female) for row in self.forms.adjectives.pairs)
            if (place > phrase.last and not known) or self.is_verb(word.plain):
                return
            yield place

    def _is_function_word(self, word: Word) -> bool:
        grammar, forms = self.grammar, self.forms
        return (
            grammar.is_small(word.plain)
            or grammar.is_pronoun(word.plain.split("-")[-1])  # a-t-elle
            or self._copula(word)
            or word.plain in (*forms.relatives, *forms.conjunctions, *forms.between)
        )

    def _end(self, phrase: Phrase) -> int:
        """The last word of the noun phrase with adjectives and complements: *directeur de l'école*."""
        end = max([phrase.last, *self._after_noun(phrase)])
        for _ in range(_LONGEST_COMPLEMENT):
            place = end + 1
            if (
                self.words[end].ends_clause
                or place >= len(self.words)
                or self.words[place].plain not in self.forms.complements
            ):
                break
            while place < len(self.words) - 1 and self.grammar.is_small(self.words[place].plain):
                place += 1
            end = place
        return end

    def _pronouns(self, gender: str) -> Iterator[Agreeing]:
        for place, word in enumerate(self.words):
            following = f"{word.plain} {self.words[place + 1].plain}" if place + 1 < len(self.words) else ""
            if self.grammar.pronouns.gender_of(following) == "either":
                continue  # il faut
            if self.row(self.forms.pronouns, place, gender) is not None:
                yield Agreeing(place, "pronoun")
            elif word.plain in self.forms.only_pronouns and any(
                row.form(gender) == word.plain for row in self.forms.pronouns
            ):
                raise Unclear(f"no other form of “{word.text}” is known here")

    def _opening(self, phrase: Phrase, gender: str) -> Iterator[int]:
        """*Heureux de lui-même, le médecin …*"""
        if next(opening(self.words, phrase), None) is not None:
            place = 1 if self.forms.is_adverb(self.words[0].plain) else 0
            if place < phrase.first and self._shows(self.words[place], gender):
                yield place

    def _predicates(self, phrase: Phrase, gender: str) -> Iterator[int]:
        """Adjectives and participles after a copula whose subject is the person."""
        for copula in (place for place, word in enumerate(self.words) if self._copula(word)):
            places = list(self._complement(copula, gender))
            if not places:
                continue
            subject = self._subject(copula, phrase, gender)
            nominal = self._is_article(self.words[places[0]], gender)
            if subject is _Subject.PERSON and nominal:
                raise Unclear("a noun after the verb may mean the person, too")
            if subject is _Subject.UNKNOWN and not nominal:
                raise Unclear(f"“{self.words[places[0]].text}” may agree with the person or not")
            if subject is _Subject.PERSON:
                yield from places

    def _copula(self, word: Word) -> bool:
        verb = word.plain if word.plain in self.forms.copulas else word.plain.split("-")[0]
        return self.grammar.is_copula(verb) or verb in self.forms.copulas

    def _complement(self, copula: int, gender: str) -> Iterator[int]:
        """What follows a copula and shows the gender; or an article, which stands for its noun."""
        expected = True
        for place in range(copula, len(self.words)):
            word = self.words[place]
            if place == copula or self._copula(word):
                if self._shows(word, gender) and self._agrees_itself(word, gender):
                    yield place  # è stata
            elif expected and self._is_article(word, gender):
                yield place
                return
            elif expected and self._shows(word, gender):
                yield place
                expected = False
            elif word.plain in self.forms.conjunctions[:1]:  # cansada e doente
                expected = True
            elif not self.forms.is_adverb(word.plain):
                return
            if word.ends_clause:
                return

    def _is_article(self, word: Word, gender: str) -> bool:
        return word.plain in self.forms.articles and self.grammar.determiners.gender_of(word.plain) in (
            gender,
            None,
        )

    def _agrees_itself(self, copula: Word, gender: str) -> bool:
        other = self.forms.adjectives.other(copula.plain, gender)
        return other is not None and self.grammar.is_copula(other)

    def _shows(self, word: Word, gender: str) -> bool:
        """Whether an adjective or participle has this gender."""
        agreement = self.grammar.agreement
        if agreement is None or self.grammar.is_small(word.plain) or self.forms.is_adverb(word.plain):
            return False
        other = self.forms.adjectives.other(word.plain, gender)
        return other not in (None, word.plain) and agreement.gender_of(word.plain) != "either"

    def _subject(self, verb: int, phrase: Phrase, gender: str) -> _Subject:
        """Whether the person is the subject of a verb."""
        words, forms, grammar = self.words, self.forms, self.grammar
        if "-" in words[verb].plain:  # est-il
            inverted = self.row(forms.pronouns, verb, gender)
            return _Subject.PERSON if inverted else _Subject.OTHER
        end = self._end(phrase)
        place = verb - 1
        while (
            place >= 0
            and not words[place].ends_clause
            and not phrase.first <= place <= end
            and self._may_precede_verb(words[place])
        ):
            place -= 1
        if place < 0 or words[place].ends_clause or words[place].plain in forms.conjunctions:
            return _Subject.UNKNOWN
        if words[place].plain in forms.relatives:  # the word before it is meant
            return _Subject.PERSON if place - 1 == end else _Subject.OTHER
        if phrase.first <= place <= end:
            return _Subject.UNKNOWN if self._is_complement(phrase) else _Subject.PERSON
        if grammar.is_pronoun(words[place].plain):
            return (
                _Subject.PERSON
                if grammar.pronouns.gender_of(words[place].plain) == gender
                else _Subject.OTHER
            )
        return _Subject.OTHER

    def _may_precede_verb(self, word: Word) -> bool:
        """What may come between a subject and its verb: a negation, a clitic, a modal verb …"""
        return (
            word.plain in self.forms.between
            or self.forms.is_adverb(word.plain)
            or self._copula(word)
            or self.is_verb(word.plain)
        )

    def _is_complement(self, phrase: Phrase) -> bool:
        """*o cão do médico*: the person is not what the sentence is about."""
        determiner = determiner_place(self.grammar, self.words, phrase)
        first = phrase.first if determiner is None else determiner
        before = [word.plain for word in self.words[max(0, first - 1) : first + 1]]
        return first > 0 and any(word in self.forms.complements for word in before)

    def _verbs(self, phrase: Phrase, gender: str) -> Iterator[int]:
        """Verbs of the person that show the gender; the person is their subject."""
        if self.grammar.verbs is None:
            return
        follows = True  # the person's own clause, or one whose subject is a pronoun of this gender
        for place in range(phrase.head, len(self.words)):
            word = self.words[place]
            if place > phrase.head and self._verb_shows(word, gender):
                if not follows:
                    raise Unclear(f"“{word.text}” may agree with the person or not")
                yield place
            if self.grammar.is_pronoun(word.plain):
                follows = self.grammar.pronouns.gender_of(word.plain) == gender
            elif word.ends_clause:
                follows = False

    def _verb_shows(self, word: Word, gender: str) -> bool:
        verbs = self.grammar.verbs
        shown = verbs is not None and verbs.shown_by(word.plain) == gender
        other = self.forms.verbs.other(word.plain, gender)
        known = any(row.form(gender) == word.plain for row in self.forms.verbs.pairs)
        return (shown or known) and other is not None

    def _check_clitics(self, gender: str, agreeing: set[int]) -> None:
        """Object pronouns look like articles; one before a verb may mean the person."""
        clitics = self.forms.clitics.of(gender)
        for place, word in enumerate(self.words):
            following = self.words[place + 1].plain if place + 1 < len(self.words) else ""
            if place in agreeing or following in self.forms.neuter:
                continue
            if any(clitic.startswith("-") and word.plain.endswith(clitic) for clitic in clitics):
                raise Unclear(f"“{word.text}” may mean the person")
            previous = self.words[place - 1].plain
            if place == 0 or word.ends_clause or previous in self.grammar.particles or self.is_verb(previous):
                continue  # an article
            if word.plain in clitics and self.is_verb(following):
                raise Unclear(f"“{word.text} {following}” may mean the person")


_OTHER = {"male": "female", "female": "male"}
