"""A hunt: what it asks for, and what it ends with."""

from __future__ import annotations

from random import Random

import pytest

from .conftest import NUMBERS, Shop, every_sentence


def millions(number, _source):
    return number >= 1_000_000


def test_a_number_that_breaks_is_found_in_the_smallest_sentence(hunted):
    hunt = hunted(Shop(millions))
    assert {str(found.cause): found.sample.source for found in hunt.found} == {
        "number 2,200,112": "They sold 2,200,112 cars.",
        "number 1,500,340": "They sold 1,500,340 cars.",
    }


def test_each_cause_is_reported_once(hunted):
    def breaks(number, source):
        return number == 148 or "bicycles" in source

    hunt = hunted(Shop(breaks))
    assert {str(found.cause): found.sample.source for found in hunt.found} == {
        "number 148": "They sold 148 cars.",
        "what old bicycles": "They sold 18 old bicycles.",
    }


def test_a_cause_that_only_one_template_shows_names_it(hunted):
    hunt = hunted(Shop(lambda _number, source: "neighbours" in source))
    (found,) = hunt.found
    assert found.sample.source == "The shop sold 18 cars to our neighbours."
    assert [name for name, _ in found.cause.parts] == ["template"]


def test_a_clause_that_is_to_blame_is_kept(hunted):
    hunt = hunted(Shop(lambda _number, source: "Last year" in source))
    assert hunt.found[0].sample.source == "Last year the shop sold 18 cars to our neighbours."


def test_a_suite_that_never_fails_says_how_much_was_tried(hunted):
    model = Shop(lambda *_: False)
    hunt = hunted(model, budget=500)
    assert (hunt.found, hunt.failing, hunt.every) == ((), 0, True)
    assert hunt.tried == len(set(model.asked)) == len(every_sentence())


def test_values_that_take_left_out_are_tried_too(hunted):
    model = Shop(lambda *_: False)
    hunted(model, budget=60)
    assert {number for number in NUMBERS if any(f" {number} " in source for source in model.asked)} == {
        *NUMBERS
    }


def test_a_budget_that_is_used_up_still_ends_with_a_failing_sentence(hunted):
    model = Shop(lambda *_: True)
    hunt = hunted(model, budget=8)
    assert len(model.asked) == 8
    assert hunt.found
    assert hunt.spent.over


@pytest.mark.parametrize("case", range(3))
def test_every_sentence_that_is_asked_is_one_that_a_template_makes(hunted, case):
    """… and is asked once, within the budget; the same seed asks for the same ones; what is found fails."""
    random = Random(case)
    seed, budget = random.randrange(1000), random.randint(5, 150)
    least = int(random.choice(NUMBERS).replace(",", ""))
    word = random.choice(["", "shop", "again", "corner", "houses"])

    def breaks(number, source):
        return number >= least and word in source

    model, again = Shop(breaks), Shop(breaks)
    hunt = hunted(model, budget, seed)
    assert {*model.asked} <= every_sentence()
    assert len({*model.asked}) == len(model.asked) <= budget
    assert hunt.spent.asked == len(model.asked)
    same = hunted(again, budget, seed)
    assert again.asked == model.asked
    assert [found.sample for found in same.found] == [found.sample for found in hunt.found]
    for found in hunt.found:
        source = found.sample.source
        assert breaks(int("".join(filter(str.isdigit, source))), source)
        assert len(source.split()) <= len(found.first.split())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_no_sentence_is_found_twice_however_wild_the_failures_are(hunted, seed):
    hunt = hunted(Shop(lambda _number, source: sum(map(ord, source)) % 3 == 0), 150, seed, causes=8)
    sources = [found.sample.source for found in hunt.found]
    assert len(sources) > 3
    assert len(sources) == len({*sources})
    assert len({found.cause for found in hunt.found}) == len(sources)
