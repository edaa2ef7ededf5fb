"""What a run may cost"""

from __future__ import annotations

import pytest

import mtprobe
from mtprobe.backends.concat import ScoringConcatenating
from mtprobe.backends.costs import Cost, check_budget, costs_of, hold_budget
from mtprobe.backends.ensemble import Ensemble
from mtprobe.backends.model import Model
from mtprobe.backends.protocols import Estimate, LanguagePair
from mtprobe.errors import ModelError
from mtprobe.store import Store


class Paid:
    """A cent a character."""

    languages = LanguagePair("en", "de")
    fingerprint = "paid"

    def translate(self, sources):
        return list(sources)

    def estimate(self, sources):
        characters = sum(map(len, sources))
        return Estimate(characters, characters / 100, "a cent a character")


class Free:
    languages = LanguagePair("en", "de")
    fingerprint = "free"

    def translate(self, sources):
        return list(sources)


def test_a_sentence_of_two_suites_is_paid_once(tmp_path):
    model = Model("paid", Paid())
    with Store(tmp_path / "store.sqlite") as store:
        store.add_translations("paid", {"known before": "…"})
        (cost,) = costs_of([(model, ["one", "two", "known before"]), (model, ["two", "three"])], store)
    assert cost.estimate.characters == len("onetwothree")


def test_every_target_of_a_model_is_paid():
    models = [Model("paid", Paid(), into=target) for target in ("de", "fr")]
    costs = costs_of([(model, ["one", "two"]) for model in models], None)
    assert [cost.estimate.characters for cost in costs] == [6, 6]
    assert costs[0].model == "paid (en→de)"


def test_what_is_free_is_not_listed():
    assert costs_of([(Model("free", Free()), ["one"]), (Model("paid", Paid()), [])], None) == []


def test_a_price_that_is_not_known_cannot_be_held_to_a_budget():
    costs = [Cost("chat", Estimate(1200, None, "say it with price="))]
    check_budget(costs, None)
    with pytest.raises(
        ModelError, match=r"a price is not known:\n  chat: 1,200 characters, at an unknown price .say it"
    ):
        check_budget(costs, 100.0)


def test_the_whole_run_counts():
    costs = [Cost(name, Estimate(100, 0.6, "")) for name in ("a", "b")]
    check_budget(costs, 1.2)
    with pytest.raises(
        ModelError, match=r"about 1\.20 USD, more than the budget of 1\.00 USD; nothing was sent"
    ):
        check_budget(costs, 1.0)


PAIRS = """
mtprobe: 1
name: pronouns
about: Does the pronoun agree with what it stands for?
languages: {source: en, targets: any}
method: minimal-pairs
gates: {accuracy: ">= 0"}
samples:
  - id: doctor
    source: The doctor came because her colleague called.
    targets:
      de:
        correct: Die Ärztin kam, weil ihre Kollegin rief.
        incorrect: Der Arzt kam, weil ihre Kollegin rief.
"""


class Judge:
    languages = LanguagePair("en", "de")
    fingerprint = "judge"

    def translate(self, sources):
        return list(sources)

    def score(self, pairs):
        return [(-1.0, -float(len(pair.target))) for pair in pairs]


def test_sentences_whose_translations_nothing_needs_cost_nothing(tmp_path):
    path = tmp_path / "pronouns.mt.yaml"
    path.write_text(PAIRS, encoding="utf-8")
    (suite,) = mtprobe.run(path, Paid(), Judge(), budget=0.0).suites
    assert suite.results[0].translation is None
    path.write_text(PAIRS.replace('">= 0"}', '">= 0", discrepancy: "<= 9"}'), encoding="utf-8")
    with pytest.raises(ModelError, match="more than the budget"):
        mtprobe.run(path, Paid(), Judge(), budget=0.0)


# -- scores --


class PaidJudge(Free):
    """Remembers what it may spend."""

    fingerprint = "judge"
    budget = None

    def score(self, pairs):
        return [(-1.0,)] * len(pairs)

    def hold_budget(self, dollars):
        self.budget = dollars


def test_scorers_share_what_translations_leave_of_the_budget():
    one, other = PaidJudge(), PaidJudge()
    other.fingerprint = "other"
    together = Model("both", Ensemble([one, other]))
    costs = [Cost("paid", Estimate(100, 4.0, ""))]
    hold_budget([Model("free", Free()), together, Model("one", one)], costs, 10.0, workers=3)
    assert (one.budget, other.budget) == (pytest.approx(1.0), pytest.approx(1.0))


def test_without_a_budget_scorers_may_spend_anything():
    judge = PaidJudge()
    hold_budget([Model("judge", judge)], [], None)
    assert judge.budget is None


def test_a_budget_reaches_a_scorer_that_is_given_context():
    judge = PaidJudge()
    hold_budget([Model("judge", ScoringConcatenating(judge, " "))], [], 2.0)
    assert judge.budget == 2.0
