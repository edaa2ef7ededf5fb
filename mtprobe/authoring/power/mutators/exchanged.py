"""Changes a translation to the other reading: a person's gender by the grammars, a word's sense by the lexicon."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from mtprobe.audit.exchanges import Exchange, gender_exchanges, sense_exchanges
from mtprobe.authoring.power.mutators.mutator import Material, Mutant, Mutator
from mtprobe.language.english.inflection import NOUN, VERB, inflected
from mtprobe.language.gender.agreeing import Unclear
from mtprobe.language.word_exchange.exchange import Matched, exchange_word
from mtprobe.language.word_exchange.inflect import inflection_of
from mtprobe.suite.sample import Sample


class GenderSwap(Mutator):
    name = "gender"
    about = "the person in the focus gets the other gender, with everything that agrees"

    def mutants(self, material: Material) -> Iterator[Mutant]:
        exchanges = material.once(
            "gender", lambda: list(gender_exchanges(material.samples, material.preparation))
        )
        for exchange in exchanges:
            if self.wants(exchange):
                yield Mutant(exchange.sample, exchange.counterfactual)

    def wants(self, exchange: Exchange) -> bool:  # noqa: ARG002 - a default
        return True


class Masculine(GenderSwap):
    name = "masculine"
    about = "a woman in the focus becomes a man: the masculine as a default"
    gender = "male"

    def wants(self, exchange: Exchange) -> bool:
        return _gender(exchange) == self.gender


class Feminine(Masculine):
    name = "feminine"
    about = "a man in the focus becomes a woman"
    gender = "female"


def _gender(exchange: Exchange) -> str:
    """The gender of the counterfactual. If an answer is right, sides are named after it."""
    category = exchange.sample.category or ""
    if exchange.other == "correct":
        return category
    return {"male": "female", "female": "male"}[category] if exchange.other == "incorrect" else exchange.other


class SenseSwap(Mutator):
    name = "sense"
    about = "the word in the focus gets a word of its other sense, in the same form"

    def mutants(self, material: Material) -> Iterator[Mutant]:
        target = material.languages.target
        preferred = partial(self.preferred, target)
        for exchange in sense_exchanges(material.samples, material.preparation, exchange_form, preferred):
            yield Mutant(exchange.sample, exchange.counterfactual)

    def preferred(self, target: str, sample: Sample, others: Sequence[str]) -> Sequence[str]:  # noqa: ARG002
        """The lemmas that may replace the word."""
        return others


class CommonestSense(SenseSwap):
    name = "commonest-sense"
    about = "a word in a rarer sense gets a word of its commonest sense"

    def preferred(self, target: str, sample: Sample, others: Sequence[str]) -> Sequence[str]:
        lemmas, ranks = sample.lemmas_in(target), sample.senses or {}
        if lemmas is None or not ranks or sample.attributes.get("sense_rank") == 1:
            return ()
        first = {sense for sense, rank in ranks.items() if rank == 1}
        return [other for other in others if first & set(lemmas.senses.get(other, ()))]


def exchange_form(
    language: str, matched: Matched, others: Sequence[str], lemma_of: Callable[[str], str]
) -> str | Unclear:
    """By the language's tables; without tables, by English forms or by substituting a lemma."""
    if inflection_of(language) is not None:
        return exchange_word(language, matched, others, lemma_of)
    word = matched.text[matched.start : matched.end]
    for other in others:
        if not re.fullmatch(r"[\w-]+", other):
            continue
        form = _like(word, matched.lemma, other, english=language.startswith("en"))
        if form is not None:
            return matched.text[: matched.start] + form + matched.text[matched.end :]
    return Unclear(f"no form of the other sense corresponds to “{word}”")


def _like(word: str, lemma: str, other: str, *, english: bool) -> str | None:
    low = word.casefold()
    forms = (inflected(other, form) for form in (*NOUN, *VERB) if inflected(lemma, form).casefold() == low)
    form = next(forms, None) if english else other if low == lemma.casefold() else None
    if form is None:
        return None
    return form[0].upper() + form[1:] if word[0].isupper() else form
