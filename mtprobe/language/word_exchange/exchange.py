"""Exchanges the word of a translation that has one sense for a word of the other sense, in the same form.

*une cravate noire* → *un match nul*: articles and adjectives follow the new noun's gender. Where a rule is missing, there is
no exchange, and the reason says what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mtprobe.language.gender.agreeing import Unclear, agreeing_with_thing
from mtprobe.language.gender.form_tables import Forms, forms_of
from mtprobe.language.gender.grammar import Grammar, grammar_of
from mtprobe.language.gender.phrase import Phrase, Word, words_of
from mtprobe.language.gender.read import determiner_place
from mtprobe.language.gender.sentence import Sentence
from mtprobe.language.word_exchange.inflect import Inflection, inflection_of


class Matched(NamedTuple):
    """A word of a translation, found by its lemma."""

    text: str  # the translation, composed (NFC)
    start: int
    end: int
    lemma: str


class _Edit(NamedTuple):
    start: int
    end: int
    form: str


def exchange_word(
    language: str, matched: Matched, others: Sequence[str], lemma_of: Callable[[str], str]
) -> str | Unclear:
    """The translation with the first of the other lemmas that fits; or why none does.

    `lemma_of` is the lemmatizer: it must reduce the new form to its lemma.
    """
    grammar, forms, inflection = grammar_of(language), forms_of(language), inflection_of(language)
    if grammar is None or forms is None or inflection is None:
        return Unclear(f"there are no tables of words for {language}")
    exchanger = _Exchanger(grammar, forms, inflection, lemma_of)
    reasons: list[Unclear] = []
    for other in sorted(others, key=lambda lemma: exchanger.changes_gender(matched, lemma)):
        try:
            return exchanger.exchanged(matched, other)
        except Unclear as reason:
            reasons.append(reason)
    return reasons[0] if reasons else Unclear("the other sense has no lemmas")


@dataclass(frozen=True)
class _Exchanger:
    grammar: Grammar
    forms: Forms
    inflection: Inflection
    lemma_of: Callable[[str], str]

    def changes_gender(self, matched: Matched, other: str) -> bool:
        return self.inflection.gender(matched.lemma) != self.inflection.gender(other)

    def exchanged(self, matched: Matched, other: str) -> str:
        words = words_of(matched.text)
        place = next(
            (at for at, word in enumerate(words) if (word.start, word.end) == (matched.start, matched.end)),
            None,
        )
        if place is None or not _is_word(matched.lemma) or not _is_word(other):
            raise Unclear(f"“{other}” and “{matched.lemma}” are not both one word")
        edits = [*self._edits(words, place, matched.lemma.casefold(), other)]
        text = matched.text
        for edit in sorted(edits, reverse=True):
            text = text[: edit.start] + _cased(edit.form, text[edit.start : edit.end]) + text[edit.end :]
        return text

    def _edits(self, words: Sequence[Word], place: int, lemma: str, other: str) -> Iterator[_Edit]:
        word, rules = words[place], self.inflection
        verb = rules.is_verb(lemma) and not self._has_article(words, place)
        plural = not verb and self._is_plural(words, place, lemma)
        form = (
            rules.verb_like(word.plain, lemma, other)
            if verb
            else self._noun(word.plain, lemma, other, plural)
        )
        if form is None:
            raise Unclear(f"the form of “{other}” that corresponds to “{word.text}” is not known")
        if self.lemma_of(form) not in (self.lemma_of(other), other):
            raise Unclear(f"“{form}” is not a form of “{other}”")
        yield _Edit(word.start, word.end, form)
        if verb:
            yield from self._before_verb(words, place, form)
        else:
            yield from self._around_noun(words, place, (lemma, other, form), plural)

    def _noun(self, form: str, lemma: str, other: str, plural: bool) -> str | None:
        if self.inflection.is_verb(other) or (not plural and form != lemma):
            return None
        return self.inflection.plural(other) if plural else other

    def _is_plural(self, words: Sequence[Word], place: int, lemma: str) -> bool:
        if lemma in self.inflection.plural_only:
            return True
        before = {word.plain for word in words[max(0, place - 1) : place]}
        plural = words[place].plain == self.inflection.plural(lemma) != lemma
        return plural or bool(before & set(self.inflection.plural_determiners))

    def _has_article(self, words: Sequence[Word], place: int) -> bool:
        before = words[place - 1].plain if place else ""
        shows = before not in self.grammar.weak and self.grammar.determiners.shown_by(before) is not None
        return shows or before == "l'" or before in self.inflection.plural_determiners

    def _before_verb(self, words: Sequence[Word], place: int, form: str) -> Iterator[_Edit]:
        """Elided words before a verb; and not every verb has the same auxiliary."""
        before = words[place - 1] if place else None
        participle = words[place].plain.endswith(self.inflection.participles)
        near = {word.plain for word in words[max(0, place - 3) : place]}
        if participle and near & set(self.inflection.auxiliaries):
            raise Unclear("the other verb may have another auxiliary")
        if before is None:
            return
        elided = self._is_vowel(form)
        for row in self.inflection.before_verbs:
            alternatives = row.split("/")
            if before.plain in alternatives:
                yield _joined(before, words[place], alternatives[elided])
                return
        if before.plain.endswith("'") and not elided:
            raise Unclear(f"“{before.text}” has another form before “{form}”")

    def _around_noun(
        self, words: Sequence[Word], place: int, lemmas: tuple[str, str, str], plural: bool
    ) -> Iterator[_Edit]:
        lemma, other, form = lemmas
        rules = self.inflection
        old, new = self._gender_in(words, place) or rules.gender(lemma), rules.gender(other)
        if new is None or old is None:
            raise Unclear(f"the gender of “{other if new is None else lemma}” is not known")
        if plural or other in rules.plural_only:
            if old != new or not plural or words[place - 1].plain.endswith("'"):
                raise Unclear(
                    f"“{other}” has another gender or number, and plurals that agree are not exchanged"
                )
            return
        if old != new:
            for item in self._agreeing(words, place, old):
                adjective = self.forms.adjectives.other(words[item].plain, old)
                yield _Edit(words[item].start, words[item].end, adjective or words[item].plain)
        determiner = determiner_place(self.grammar, words, Phrase(place, place, place))
        first = place if determiner is None else determiner + 1
        yield from self._determiners(words, first, form if first == place else words[first].plain, new)

    def _gender_in(self, words: Sequence[Word], place: int) -> str | None:
        """The gender that the article shows."""
        determiner = determiner_place(self.grammar, words, Phrase(place, place, place))
        if determiner is None or words[determiner].plain in self.grammar.weak:
            return None
        return self.grammar.determiners.shown_by(words[determiner].plain)

    def _agreeing(self, words: Sequence[Word], place: int, gender: str) -> list[int]:
        """Adjectives and participles that agree with a noun."""
        sentence = Sentence(self.grammar, self.forms, words, self._is_verb)
        last = place
        following = words[place + 1] if place + 1 < len(words) and not words[place].ends_clause else None
        if following is not None and self._may_agree(following, gender):
            last = place + 1
        return agreeing_with_thing(sentence, Phrase(place, place, last), gender)

    def _may_agree(self, word: Word, gender: str) -> bool:
        if self.grammar.is_small(word.plain) or self.forms.is_adverb(word.plain):
            return False
        if self.forms.adjectives.other(word.plain, gender) in (None, word.plain):
            return False
        return not self._is_verb(word.plain)

    def _is_verb(self, word: str) -> bool:
        lemma = self.lemma_of(word)
        finite = lemma != word and lemma.endswith(self.inflection.infinitives)
        return finite and not word.endswith(self.inflection.participles)

    def _determiners(self, words: Sequence[Word], place: int, following: str, gender: str) -> Iterator[_Edit]:
        """The determiners before a place (*tout le*, *a sua*), for a noun of this gender and before this word."""
        while (found := self._row_before(words, place)) is not None:
            first, written, row = found
            wanted = row[("male", "female").index(gender) + 2 * self._is_vowel(following)]
            if written != wanted:
                yield _joined(words[first], words[place], wanted)
            place, following = first, wanted

    def _row_before(self, words: Sequence[Word], place: int) -> tuple[int, str, tuple[str, ...]] | None:
        """The longest form that ends before a place, its first word, and the other forms."""
        forms = [(form, row) for row in map(_alternatives, self.inflection.determiners) for form in row]
        for form, row in sorted(forms, key=lambda item: -len(item[0])):
            parts = re.findall(r"[^\s']+'?", form)
            first = place - len(parts)
            if first >= 0 and [word.plain for word in words[first:place]] == parts:
                return first, form, row
        return None

    def _is_vowel(self, word: str) -> bool:
        sound = self.forms.sounds.get("vowel")
        return sound is not None and re.match(sound, word, re.IGNORECASE) is not None


def _alternatives(row: str) -> tuple[str, str, str, str]:
    """Masculine, feminine; masculine and feminine before a vowel."""
    male, female, *vowel = row.split("/")
    return male, female, (vowel or [male])[0], (vowel or [female])[-1]


def _joined(first: Word, following: Word, form: str) -> _Edit:
    """A form up to the next word: an apostrophe needs no space."""
    return _Edit(first.start, following.start, form if form.endswith("'") else f"{form} ")


def _is_word(lemma: str) -> bool:
    return re.fullmatch(r"[\w-]+", lemma) is not None


def _cased(form: str, original: str) -> str:
    return form[0].upper() + form[1:] if original[:1].isupper() else form
