"""What a hunt asks a model for: within a budget of sentences and of money, by any method."""

from __future__ import annotations

from pathlib import Path

import pytest

from mtprobe.authoring.hunt.ask import Asker, Limits
from mtprobe.authoring.hunt.search import Hunt, Search
from mtprobe.backends.protocols import Estimate
from mtprobe.errors import ModelError, MtprobeError
from mtprobe.plan import Planner, open_models
from mtprobe.progress import Silent
from mtprobe.settings import read_settings
from mtprobe.store import Store

from .conftest import Shop


class PaidShop(Shop):
    """A cent per sentence, or a price that nobody knows."""

    price: float | None = 0.01

    def estimate(self, requests):
        dollars = None if self.price is None else self.price * len(requests)
        return Estimate(sum(map(len, requests)), dollars, "1 cent per sentence")


def search_in(
    path: Path, model: Shop, limits: Limits, store: Store | None = None, progress: Silent | None = None
) -> tuple[Asker, Search]:
    models = open_models(read_settings(), model=model)
    planner = Planner(read_settings(), models, has_baseline=False)
    plan = planner.plan_suite(planner.load(path), models.tested[0])
    asker = Asker(plan, store, progress or Silent(), limits)
    return asker, Search(asker)


def hunt_in(
    path: Path, model: Shop, limits: Limits, store: Store | None = None, progress: Silent | None = None
) -> Hunt:
    asker, search = search_in(path, model, limits, store, progress)
    return search.run(asker.fit())


def millions(number, _source):
    return number >= 1_000_000


class Notes(Silent):
    def __init__(self):
        self.texts = []

    def note(self, text):
        self.texts.append(text)


def test_the_cost_is_counted_and_shown_before_the_first_sentence_is_asked(suite):
    model, notes = PaidShop(millions), Notes()
    hunt = hunt_in(suite, model, Limits(60), progress=notes)
    assert hunt.spent.dollars == pytest.approx(0.01 * len(model.asked))
    (note,) = notes.texts
    assert note.startswith("the first 6 of at most 60 sentences cost: PaidShop: ")
    assert "about 0.06 USD (1 cent per sentence)" in note


def test_a_hunt_stops_before_it_costs_too_much(suite):
    model = PaidShop(millions)
    hunt = hunt_in(suite, model, Limits(100, dollars=0.425))
    assert 0.01 * len(model.asked) <= 0.425
    assert hunt.spent.over


def test_what_the_store_has_costs_nothing(suite, tmp_path):
    with Store(tmp_path / "store.sqlite") as store:
        first, second = PaidShop(millions), PaidShop(millions)
        found = [hunt_in(suite, model, Limits(60), store).found for model in (first, second)]
        assert first.asked
        assert not second.asked
        assert [one.sample for one in found[0]] == [one.sample for one in found[1]]
        assert hunt_in(suite, second, Limits(60, dollars=0.0), store).found


def test_an_unknown_price_is_an_error_if_money_is_limited(suite):
    model = PaidShop(millions)
    model.price = None
    with pytest.raises(ModelError, match="a price is not known"):
        hunt_in(suite, model, Limits(60, dollars=5.0))
    assert not model.asked


def test_money_that_is_too_little_to_begin_with_is_an_error(suite):
    with pytest.raises(ModelError, match="costs more than the hunt may cost"):
        hunt_in(suite, PaidShop(millions), Limits(60, dollars=0.01))


def test_a_budget_that_does_not_reach_to_begin_with_is_an_error(suite):
    asker, _ = search_in(suite, Shop(millions), Limits(1))
    with pytest.raises(MtprobeError, match="a budget of 1 is too small"):
        asker.fit()


def test_a_check_of_ones_own_is_hunted_for(tmp_path, monkeypatch, suite):
    (tmp_path / "own_check.py").write_text(
        "def check(source, translation):\n    return 'casas' not in translation, 'houses are not sold here'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "own.mt.yaml"
    text = suite.read_text("utf-8").replace(
        "method: preserve\npreserve: numbers", "method: python:own_check:check"
    )
    path.write_text(text, encoding="utf-8")
    (found,) = hunt_in(path, Shop(lambda *_: False), Limits(120)).found
    assert found.sample.source == "They sold 18 houses."
    assert str(found.cause) == "what houses"


def test_words_that_must_not_be_there_are_hunted_for(tmp_path, suite):
    path = tmp_path / "words.mt.yaml"
    text = suite.read_text("utf-8").replace(
        "method: preserve\npreserve: numbers", "method: word-lists\nmust_not_contain: {pt: /bicicletas/}"
    )
    path.write_text(text, encoding="utf-8")
    (found,) = hunt_in(path, Shop(lambda *_: False), Limits(120)).found
    assert found.sample.source == "They sold 18 old bicycles."
