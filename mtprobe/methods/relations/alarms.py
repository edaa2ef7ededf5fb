"""Differences that no rewording explains: untranslated words, and names, negation or numbers in only one translation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mtprobe.language.comparison import Reading
from mtprobe.language.comparison.reading import source_words, without_accents
from mtprobe.language.perturbations.name_swap import given_gender
from mtprobe.language.words import ENGLISH_WORD
from mtprobe.methods.relations.changes import Run
from mtprobe.methods.relations.relation import Case

_SHORTEST = 3  # letters of a word that was left untranslated


class Alarm(NamedTuple):
    reason: str
    spans: tuple[str, str]  # of the first translation, and of the second


def find_alarms(case: Case, runs: Sequence[Run], first: Reading, second: Reading) -> Iterator[Alarm]:
    """Differences that no rewording explains, with the words of each translation."""
    changed = {word for run in runs for side in run for word in side}
    yield from _untranslated(case, changed, first, second)
    names = _names(case.sample.source) - changed
    for name in sorted(names):
        bare = without_accents(name)
        if any(word.startswith(bare) and word != bare for word in (*first.bare, *second.bare)):
            continue  # *Amazonie*
        if (bare in first.bare) != (bare in second.bare):
            which = "second" if bare in first.bare else "first"
            spans = (name, "") if bare in first.bare else ("", name)
            yield Alarm(f"the name “{name}” is missing from the {which} translation", spans)
    if _polarity_is_clear(case) and bool(first.negations) != bool(second.negations):
        words = first.negations or second.negations
        which, spans = ("first", (words[0], "")) if first.negations else ("second", ("", words[0]))
        yield Alarm(f"only the {which} translation is negated (“{words[0]}”)", spans)
    numbers = [
        [word.folded for word in reading.words if word.folded.isdigit()] for reading in (first, second)
    ]
    if all(numbers) and sorted(numbers[0]) != sorted(numbers[1]) and not any(map(str.isdigit, changed)):
        one, other = (", ".join(found) for found in numbers)
        yield Alarm(f"the numbers differ: {one} and {other}", (one, other))


def _untranslated(case: Case, changed: set[str], first: Reading, second: Reading) -> Iterator[Alarm]:
    """Words that one translation leaves in the source language and the other does not have."""
    possessive = {word for word in set(case.words[0]) & set(case.words[1]) if word.endswith("'s")}
    copied_in = [set(source_words(reading.text)) & possessive for reading in (first, second)]
    for whose in sorted(copied_in[0] ^ copied_in[1]):
        which, spans = ("first", (whose, "")) if whose in copied_in[0] else ("second", ("", whose))
        yield Alarm(f"“{whose}” is left untranslated in the {which} translation", spans)
    names = _names(case.sample.source)
    common = set(case.words[0]) & set(case.words[1]) - changed - names
    for mine, theirs, is_first in ((first, second, True), (second, first, False)):
        for word in mine.content:
            copied = (
                word.folded in common
                and len(word.folded) >= _SHORTEST
                and word.folded.isalpha()
                and not given_gender(word.folded)  # *peter* beside *Pedro*
                and len(word.forms) == 1  # otherwise it is a form of a word of the target language
                and not (word.text.islower() and case.reader.knows(word.folded))
                and word.folded not in theirs.folded
                and not any(case.reader.same(word, other) for other in theirs.content)
            )
            if copied:
                spans = (word.text, "") if is_first else ("", word.text)
                which, without = ("first", "second") if is_first else ("second", "first")
                if _looks_like_a_name(word.text, case.sample.source):
                    yield Alarm(f"the name “{word.text}” is missing from the {without} translation", spans)
                else:
                    yield Alarm(f"“{word.text}” is left untranslated in the {which} translation", spans)


def _looks_like_a_name(word: str, source: str) -> bool:
    """A word with a capital letter that was copied as it is."""
    return word[:1].isupper() and not word.isupper() and word in ENGLISH_WORD.findall(source)


def _names(source: str) -> set[str]:
    """Words with a capital letter inside the sentence; none where everything is in capitals."""
    words = ENGLISH_WORD.findall(source)
    if source.isupper():
        return set()
    return {
        folded for word in words[1:] if word[:1].isupper() and len(word) > 1 for folded in source_words(word)
    }


def _polarity_is_clear(case: Case) -> bool:
    """Both languages' negation is known, and both sources have it or neither: *hardly* may become *not* or *rarely*."""
    lexicon = case.source
    if not lexicon.known or not case.reader.lexicon.negation:
        return False
    negated = [bool(lexicon.negations(words)) for words in case.words]
    vague = any(lexicon.nearly_negations(words) for words in case.words)
    return negated[0] == negated[1] and not vague
