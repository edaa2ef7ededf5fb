"""Repairs by changing a translation to the other reading, with the same exchanges as the mutators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mtprobe.audit.exchanges import Exchange, gender_exchanges, sense_exchanges
from mtprobe.authoring.power.mutators import Material
from mtprobe.authoring.power.mutators.exchanged import exchange_form
from mtprobe.authoring.power.mutators.pronoun import Pronoun
from mtprobe.methods import Outcome, Preparation
from mtprobe.methods.method import Translated
from mtprobe.methods.verdict import Result


def other_reading(results: Sequence[Result], preparation: Preparation) -> Iterator[tuple[str, str]]:
    """Exchanges wrong translations; in open samples, every other one by hash."""
    samples = {sample.id: sample for sample in preparation.suite.samples}
    wrong = [
        Translated(samples[result.id], result.translation)
        for result in results
        if result.verdict.outcome is Outcome.INCORRECT and result.translation
    ]
    for exchange in _exchanges(wrong, preparation):
        yield exchange.sample.id, exchange.counterfactual
    for mutant in Pronoun().mutate_all(Material(wrong, preparation)):
        yield mutant.sample.id, mutant.text
    chosen = [
        Translated(samples[result.id], result.translation)
        for result in results
        if result.verdict.outcome is Outcome.OPEN and result.translation
    ]
    for exchange in _exchanges(chosen, preparation):
        wanted = preparation.suite.rank(exchange.sample)[0] % len(exchange.sample.choices)
        if exchange.other == exchange.sample.choices[wanted]:
            yield exchange.sample.id, exchange.counterfactual


def _exchanges(samples: Sequence[Translated], preparation: Preparation) -> Iterator[Exchange]:
    yield from gender_exchanges(samples, preparation)
    yield from sense_exchanges(samples, preparation, exchange_form)
