"""The words of a translation with their entries in the tables of their language."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mtprobe.language.gender.form_tables import Forms, Place, Row, Surroundings
from mtprobe.language.gender.grammar import Grammar
from mtprobe.language.gender.phrase import Phrase, Word
from mtprobe.language.gender.read import determiner_place

_LONGEST_COMPLEMENT = 3  # nouns: *professor do jardim de infância*


@dataclass(frozen=True)
class Sentence:
    """The words of a translation, and what is known about their language."""

    grammar: Grammar
    forms: Forms
    words: Sequence[Word]
    is_verb: Callable[[str], bool]  # of a form: belongs to a verb, as far as a lemmatizer knows

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

    def after_noun(self, phrase: Phrase) -> Iterator[int]:
        """The places of adjectives after a noun."""
        if self.grammar.head == "last":
            return
        for place in range(phrase.head + 1, len(self.words)):
            word = self.words[place]
            if self.words[place - 1].ends_clause or self.is_function_word(word):
                return
            known = any(word.plain in (row.male, row.female) for row in self.forms.adjectives.pairs)
            if (place > phrase.last and not known) or self.is_verb(word.plain):
                return
            yield place

    def is_function_word(self, word: Word) -> bool:
        grammar, forms = self.grammar, self.forms
        return (
            grammar.is_small(word.plain)
            or grammar.is_pronoun(word.plain.split("-")[-1])  # a-t-elle
            or self.is_copula(word)
            or word.plain in (*forms.relatives, *forms.conjunctions, *forms.between)
        )

    def end(self, phrase: Phrase) -> int:
        """The last word of the noun phrase with adjectives and complements: *directeur de l'école*."""
        end = max([phrase.last, *self.after_noun(phrase)])
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
            if self._continues(end):  # de ce vieux chêne
                end += 1
        return end

    def _continues(self, place: int) -> bool:
        """Whether the next word belongs to the same noun, as far as the tables show."""
        if place + 1 >= len(self.words) or self.words[place].ends_clause:
            return False
        word = self.words[place + 1]
        return not (
            self.is_function_word(word) or self.is_verb(word.plain) or self.forms.is_adverb(word.plain)
        )

    def is_before_noun(self, place: int) -> bool:
        """*ihr Auto*, *sein alter Freund*: capitals show it."""
        following = self.words[place + 1 : place + 3]
        return any(word.text[0].isupper() for word in following) and not self.words[place].ends_clause

    def is_copula(self, word: Word) -> bool:
        verb = word.plain if word.plain in self.forms.copulas else word.plain.split("-")[0]
        return self.grammar.is_copula(verb) or verb in self.forms.copulas

    def is_article(self, word: Word, gender: str) -> bool:
        return word.plain in self.forms.articles and self.grammar.determiners.gender_of(word.plain) in (
            gender,
            None,
        )

    def shows(self, word: Word, gender: str) -> bool:
        """Whether an adjective or participle has this gender."""
        agreement = self.grammar.agreement
        if agreement is None or self.grammar.is_small(word.plain) or self.forms.is_adverb(word.plain):
            return False
        other = self.forms.adjectives.other(word.plain, gender)
        return other not in (None, word.plain) and agreement.gender_of(word.plain) != "either"

    def may_precede_verb(self, word: Word) -> bool:
        """Whether a word may come between a subject and its verb: a negation, a clitic, a modal verb …"""
        return (
            word.plain in self.forms.between
            or self.forms.is_adverb(word.plain)
            or self.is_copula(word)
            or self.is_verb(word.plain)
        )

    def is_complement(self, phrase: Phrase) -> bool:
        """*o cão do médico*: the person is not what the sentence is about."""
        determiner = determiner_place(self.grammar, self.words, phrase)
        first = phrase.first if determiner is None else determiner
        before = [word.plain for word in self.words[max(0, first - 1) : first + 1]]
        return first > 0 and any(word in self.forms.complements for word in before)
