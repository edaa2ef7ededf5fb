"""From a suite and a model to what its gates catch."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from mtprobe.authoring.power.measure import PowerOptions, suite_power
from mtprobe.backends.protocols import LanguagePair
from mtprobe.plan import Planner, open_models
from mtprobe.progress import Silent
from mtprobe.settings import read_settings
from mtprobe.store import Store

from .test_simulate import exact_power

SUITE = """\
mtprobe: 1
name: numbers
about: Do numbers survive?
languages: {source: en, targets: any}
method: preserve
preserve: numbers
gates:
  accuracy: ">= 0.95"
  degenerate: "<= 0.02"
generate:
  - id: cars
    source: We sold {n} red cars in June.
    slots:
      n: [NUMBERS]
""".replace("NUMBERS", ", ".join(f'"{number}"' for number in range(20, 80)))


class Model:
    """Translates numbers, or loses every tenth of them; and counts what it is asked."""

    fingerprint = "a model of the tests"
    languages = LanguagePair("en", "pt")

    def __init__(self, loses: str = "") -> None:
        self.asked = 0
        self._loses = loses
        self.fingerprint = f"a model of the tests that loses {loses}"

    def translate(self, sources: Sequence[str]) -> list[str]:
        self.asked += len(sources)
        numbers = [re.search(r"\d+", source)[0] for source in sources]
        return [
            f"Vendemos {'' if self._loses and number.endswith(self._loses) else number} carros vermelhos em junho."
            for number in numbers
        ]


@pytest.fixture
def measured(tmp_path):
    path = tmp_path / "numbers.mt.yaml"

    def measure(model: Model, *mutators: str, suite: str = SUITE):
        path.write_text(suite, encoding="utf-8")
        settings = read_settings()
        models = open_models(settings, model=model)
        plan = Planner(settings, models, has_baseline=False).plan([path])
        options = PowerOptions(runs=200, mutators=mutators)
        with Store(tmp_path / "store.db") as store:
            [power] = suite_power(plan.running[0], models.tested[0], options, store, Silent())
        return power

    return measure


def of(power, gate, mutator):
    return next(catch for catch in power.of(gate) if catch.mutator == mutator)


def test_wrong_digits_are_caught_at_the_rate_of_known_power(measured):
    power = measured(Model(), "digits", "punctuation", "copying", "spacing")
    [accuracy, _] = power.gates
    assert (accuracy.start, accuracy.value, accuracy.n) == ("model", 1.0, 60)
    for point in of(power, "accuracy", "digits").points:
        if 0.01 < point.rate < 1:
            low, high = point.interval()
            assert low <= exact_power(60, 0.95, point.rate) <= high
    found = of(power, "accuracy", "digits").smallest
    assert found.low <= 0.0902 <= found.high  # where 60 samples have four errors or more in 80 % of the runs
    assert [facts.name for facts in power.uncaught] == ["punctuation"]
    assert power.false_alarms == ()
    assert of(power, "degenerate", "copying").smallest is not None
    assert of(power, "degenerate", "digits").smallest is None


def test_a_gate_that_fails_starts_from_repaired_translations(measured):
    power = measured(Model(loses="7"), "digits")
    accuracy, degenerate = power.gates
    assert (accuracy.start, accuracy.value, accuracy.n) == ("repaired", 1.0, 60)
    assert degenerate.start == "model"
    assert (power.repaired, power.dropped) == (6, 0)
    assert of(power, "accuracy", "digits").smallest is not None


def test_what_was_translated_is_not_asked_for_again(measured):
    first, second = Model(), Model()
    power = measured(first, "digits")
    assert first.asked == 60
    assert measured(second, "digits") == power
    assert second.asked == 0


def test_of_related_sources_only_the_first_is_corrupted(measured):
    related = SUITE.replace(
        "method: preserve\npreserve: numbers", "method: relation\nrelation: same\nperturb: no-final-stop"
    )
    power = measured(Model(), "digits", suite=related)
    assert [(facts.name, facts.applies, facts.worse) for facts in power.mutators] == [("digits", 60, 60)]
    assert of(power, "accuracy", "digits").smallest is not None
