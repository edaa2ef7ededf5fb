"""Changes a translation to the other gender: the noun phrase that names the person, and the words that agree with it.

*L'infirmière est fatiguée* ↔ *L'infirmier est fatigué*. Words that already show the other gender stay as they are. A
translation counts only if exchanging the same words back restores the original, and if the grammar reads the other gender.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial

from mtprobe.errors import MtprobeError
from mtprobe.language import tags
from mtprobe.language.gender.agreeing import Kind, Unclear, agreeing
from mtprobe.language.gender.form_tables import Forms, forms_of
from mtprobe.language.gender.grammar import Grammar, grammar_of
from mtprobe.language.gender.phrase import Word, words_of
from mtprobe.language.gender.read import read_gender
from mtprobe.language.gender.sentence import Sentence
from mtprobe.language.lemmatizers import open_lemmatizer

_OTHER = {"male": "female", "female": "male"}
_INFINITIVES = {
    "pt": ("ar", "er", "ir", "or"),
    "fr": ("er", "ir", "re"),
    "es": ("ar", "er", "ir"),
    "it": ("are", "ere", "ire"),
}


@dataclass(frozen=True, slots=True)
class Exchanged:
    """A translation in the other gender."""

    text: str
    gender: str  # its own: `male` or `female`
    aligned: tuple[int, ...]  # its tokens that name the person


@dataclass(frozen=True, slots=True)
class _Marked:
    """A word by its place in a text."""

    start: int
    end: int
    kind: Kind


def exchange(language: str, translation: str, aligned: Collection[int]) -> Exchanged | str:
    """The translation in the other gender of the person whom the aligned tokens name, or why there is none."""
    grammar, forms = grammar_of(language), forms_of(language)
    if grammar is None or forms is None:
        return f"there are no tables of forms for {language}"
    text = unicodedata.normalize("NFC", translation)
    reading = read_gender(grammar, text, aligned)
    gender = reading.gender
    if gender not in _OTHER or reading.phrase is None:
        return reading.reason or f"it is {gender}"
    is_verb = partial(_is_verb, tags.standard(language).split("-")[0])
    exchanger = _Exchanger(grammar, forms, is_verb)
    try:
        words = words_of(text)
        marked = [
            _Marked(words[item.place].start, words[item.place].end, item.kind)
            for item in agreeing(Sentence(grammar, forms, words, is_verb), reading.phrase, gender)
        ]
        other, moved = exchanger.apply(text, marked, gender)
        back, _ = exchanger.apply(other, moved, _OTHER[gender])
    except (Unclear, MtprobeError) as reason:  # the latter if there is no lemmatizer
        return str(reason)
    if other == text:
        return "no word of it has another form"
    if back != text:
        return "exchanging back does not restore it"
    tokens = _tokens(text, other, aligned, marked, moved)
    if read_gender(grammar, other, tokens).gender != _OTHER[gender]:
        return "its gender is not clear after the exchange"
    return Exchanged(other, _OTHER[gender], tokens)


@dataclass(frozen=True)
class _Exchanger:
    grammar: Grammar
    forms: Forms
    is_verb: partial[bool]

    def apply(self, text: str, marked: Sequence[_Marked], gender: str) -> tuple[str, list[_Marked]]:
        """The text with marked words of this gender in the other one, from left to right, and where they are now."""
        moved: list[_Marked] = []
        shift = 0
        for mark in marked:
            words = words_of(text)
            place = next(number for number, word in enumerate(words) if word.start == mark.start + shift)
            first, form = self._form(words, place, mark.kind, gender)
            start, end = words[first].start, words[place].end
            form = _cased(form, text[start:end])
            text = text[:start] + form + text[end:]
            shift += len(form) - (end - start)
            last = words_of(form)[-1]
            moved.append(_Marked(start + last.start, start + len(form), mark.kind))
        return text, moved

    def _form(self, words: Sequence[Word], place: int, kind: Kind, gender: str) -> tuple[int, str]:
        """The form of the other gender, and the first of the words that it replaces."""
        sentence = Sentence(self.grammar, self.forms, words, self.is_verb)
        word = words[place].plain
        if kind in ("determiner", "pronoun"):
            rows = self.forms.determiners if kind == "determiner" else self.forms.pronouns
            row = sentence.row(rows, place, gender)
            if row is None:
                raise Unclear(f"no other form of “{words[place].text}” is known here")
            form, other = row.form(gender), row.form(_OTHER[gender])
            if form.startswith("-"):
                return place, word.removesuffix(form) + other
            return place - len(row.words(gender)) + 1, other
        table = {"noun": self.forms.nouns, "adjective": self.forms.adjectives, "verb": self.forms.verbs}[kind]
        found = table.other(word, gender, sentence.around(place))
        if found is None and kind == "noun" and self.grammar.nouns.gender_of(word) == "either":
            found = word
        if found is None:
            raise Unclear(f"no other form of “{words[place].text}” is known")
        return place, found


def _cased(form: str, original: str) -> str:
    """With the capitals of the original."""
    if original.isupper() and len(original) > 1:
        return form.upper()
    return form[0].upper() + form[1:] if original[0].isupper() else form


def _tokens(
    text: str, other: str, aligned: Collection[int], marked: Sequence[_Marked], moved: Sequence[_Marked]
) -> tuple[int, ...]:
    """The tokens of the new text that correspond to aligned ones of the old."""
    shifts = [(mark.end, now.end - mark.end) for mark, now in zip(marked, moved, strict=True)]
    ends, place = [], 0
    for token in text.split():
        place = text.index(token, place) + len(token)
        ends.append(place)
    tokens = set()
    for number in aligned:
        if number < len(ends):
            end = ends[number]
            shift = next((by for at, by in reversed(shifts) if at <= end), 0)
            tokens.add(len(other[: end + shift].split()) - 1)
    return tuple(sorted(tokens))


def _is_verb(language: str, word: str) -> bool:
    """Whether a lemmatizer takes a word for a form of a verb."""
    if language not in _INFINITIVES or not word:
        return False
    tokens = open_lemmatizer("simplemma", language).lemmatize([word])[0]
    return any(token.lemma != word and token.lemma.endswith(_INFINITIVES[language]) for token in tokens)
