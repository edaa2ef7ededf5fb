"""Creates counterfactual translations for the samples of a suite: by gender for persons, by sense for words with lemmas."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from mtprobe.errors import Failure, MtprobeError
from mtprobe.language.alignment import DEFAULT, SentencePair, aligned_to, open_aligner, tokens_in
from mtprobe.language.gender.agreeing import Unclear
from mtprobe.language.gender.exchange import Exchanged, exchange
from mtprobe.language.lemmatizers import Token, open_lemmatizer
from mtprobe.language.lexeme import GAP, read_lexeme
from mtprobe.language.word_exchange.exchange import Matched, exchange_word
from mtprobe.methods import Outcome, Preparation
from mtprobe.methods.gender_morphology import GenderMorphology
from mtprobe.methods.lexicon import Lexicon
from mtprobe.methods.method import Ask, Scores, Translated
from mtprobe.methods.verdict import Verdict
from mtprobe.suite.sample import Sample

ExchangeForm: TypeAlias = Callable[[str, Matched, Sequence[str], Callable[[str], str]], str | Unclear]
"""As `exchange_word`."""
Preferred: TypeAlias = Callable[[Sample, Sequence[str]], Sequence[str]]

_OTHER = {"male": "female", "female": "male"}
_OPPOSITE = {"correct": "incorrect", "incorrect": "correct"}


@dataclass(frozen=True, slots=True)
class Exchange:
    """A translation and its counterfactual with the other reading."""

    sample: Sample
    translation: str
    reading: str  # of the translation, as sides of evidence are named: `correct`, `incorrect` or a choice
    counterfactual: str
    other: str  # the reading of the counterfactual


def exchanges(samples: Sequence[Translated], preparation: Preparation) -> Iterator[Exchange]:
    """The exchanges of all samples whose translation can be changed to the other reading."""
    gender, target = GenderMorphology(), preparation.languages.target
    yield from gender_exchanges(samples, preparation)
    things = [translated for translated in samples if gender.lacks(translated.sample, target)]
    yield from sense_exchanges(things, preparation)


def gender_exchanges(samples: Sequence[Translated], preparation: Preparation) -> Iterator[Exchange]:
    """Gender exchanges of the samples about persons."""
    gender, target = GenderMorphology(), preparation.languages.target
    yield from _by_gender(
        [item for item in samples if gender.lacks(item.sample, target) is None], preparation
    )


def sense_exchanges(
    samples: Sequence[Translated],
    preparation: Preparation,
    exchange_form: ExchangeForm = exchange_word,
    preferred: Preferred | None = None,
) -> Iterator[Exchange]:
    """Sense exchanges of the samples with lemmas; none if there is no lemmatizer for the language.

    `preferred` reduces the lemmas of the other sense to those that are wanted.
    """
    lexicon, target = Lexicon(), preparation.languages.target
    words = [item for item in samples if lexicon.lacks(item.sample, target) is None]
    if words:
        try:
            yield from _by_sense(words, preparation, lexicon, (exchange_form, preferred or _all))
        except MtprobeError:
            return


def _by_gender(samples: Sequence[Translated], preparation: Preparation) -> Iterator[Exchange]:
    """All translations are aligned at once: the aligner learns from all of them."""
    if not samples:
        return
    known = preparation.translated_pairs
    asked = [SentencePair(sample.source, text or "") for sample, text in samples]
    pairs = list(dict.fromkeys([*known, *asked]))
    links = dict(zip(pairs, open_aligner(DEFAULT).align(pairs), strict=True))
    for (sample, text), pair in zip(samples, asked, strict=True):
        alignment = links[pair]
        if text is None or sample.focus is None or isinstance(alignment, Failure):
            continue
        aligned = aligned_to(alignment, tokens_in(sample.source, sample.focus))
        exchanged = exchange(preparation.languages.target, text, aligned)
        if isinstance(exchanged, Exchanged):
            reading, other = (
                _side(sample, gender) for gender in (_OTHER[exchanged.gender], exchanged.gender)
            )
            if reading and other:
                yield Exchange(sample, text, reading, exchanged.text, other)


def _side(sample: Sample, gender: str) -> str | None:
    if sample.choices:
        return gender if gender in sample.choices else None
    if sample.category not in _OTHER:
        return None  # neither is right
    return "correct" if gender == sample.category else "incorrect"


def _by_sense(
    samples: Sequence[Translated],
    preparation: Preparation,
    lexicon: Lexicon,
    how: tuple[ExchangeForm, Preferred],
) -> Iterator[Exchange]:
    """The word by which the lexicon decides; what it becomes has to be decided the other way."""
    languages = preparation.languages
    exchange_form, preferred = how
    ask = Ask(preparation.suite, languages, _no_scores)
    lemma_of = partial(_lemma, open_lemmatizer("auto", languages.target).lemmatize)
    made: list[tuple[Translated, str, str]] = []
    for translated, verdict in zip(samples, lexicon.judge(samples, ask), strict=True):
        if (found := _matched(translated, verdict)) is None:
            continue
        side, matched = found
        others = preferred(translated.sample, _other_lemmas(translated.sample, languages.target, side))
        exchanged = exchange_form(languages.target, matched, others, lemma_of)
        if isinstance(exchanged, str):
            made.append((translated, side, exchanged))
    again = lexicon.judge([Translated(translated.sample, text) for translated, _, text in made], ask)
    for (translated, side, text), verdict in zip(made, again, strict=True):
        if verdict.outcome.value == _OPPOSITE[side]:
            yield Exchange(translated.sample, translated.text or "", side, text, _OPPOSITE[side])


def _all(_sample: Sample, lemmas: Sequence[str]) -> Sequence[str]:
    return lemmas


def _no_scores(_pairs: Sequence[object]) -> Scores:
    return {}


def _matched(translated: Translated, verdict: Verdict) -> tuple[str, Matched] | None:
    """The reading that the lexicon finds, and the word by which it does."""
    if verdict.outcome not in (Outcome.CORRECT, Outcome.INCORRECT):
        return None
    side = verdict.outcome.value
    word = next(item for item in verdict.evidence if item.side == side)
    start, _, end = str(word.attributes["at"]).partition("–")
    lexeme = read_lexeme(str(word.attributes["lemma"]))
    lemma = " ".join(part.text for run in lexeme for part in run)
    text = unicodedata.normalize("NFC", translated.text or "")
    return side, Matched(text, int(start), int(end), lemma)


def _other_lemmas(sample: Sample, target: str, side: str) -> list[str]:
    """The lemmas of the other sense, without parts of speech."""
    lemmas = sample.lemmas_in(target)
    if lemmas is None:
        return []
    others = lemmas.incorrect if side == "correct" else lemmas.correct
    return [
        " ".join(part.text for run in read_lexeme(other) for part in run)
        for other in others
        if GAP not in other
    ]


def _lemma(lemmatize: Callable[[Sequence[str]], list[list[Token]]], word: str) -> str:
    tokens = lemmatize([word])[0]
    return tokens[0].lemma.casefold() if len(tokens) == 1 else word
