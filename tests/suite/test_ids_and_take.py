"""Ids come from words and values, never from the position; `take` keeps the same samples each time."""

from __future__ import annotations

import pytest

from mtprobe.suite.samples.build import slug, slug_of_value

TEMPLATE = """\
generate:
  - id: keys
    source: The <{job}> lost {whose} keys.
    slots:
      job: [doctor, flight attendant]
      whose: {her: {category: female}, his: {category: male}}
"""


def ids(suite) -> list[str]:
    return [sample.id for sample in suite.samples]


def plain(number: int) -> str:
    return f"  - {{source: The <doctor> found {number} keys., category: male}}\n"


def test_an_id_is_made_from_the_words(good, load):
    assert ids(load(good)) == ["the-doctor-lost-her-keys"]


def test_an_id_may_be_given(good, load):
    assert ids(load(good.replace("  - source", "  - id: 'lost: keys'\n    source"))) == ["lost: keys"]


def test_a_templates_ids_are_made_from_its_id_and_the_values(head, load):
    assert ids(load(head + TEMPLATE)) == [
        "keys/doctor/her",
        "keys/doctor/his",
        "keys/flight-attendant/her",
        "keys/flight-attendant/his",
    ]


def test_a_template_without_an_id_is_named_by_the_words_around_its_slots(head, load):
    assert ids(load(head + TEMPLATE.replace("id: keys\n    ", "")))[0] == "the-lost-keys/doctor/her"


def test_adding_and_reordering_samples_and_values_renames_none(good, load):
    before = load(good + plain(1) + TEMPLATE)
    after = load(
        good.replace("samples:\n", "samples:\n" + plain(2))
        + plain(1)
        + TEMPLATE.replace("[doctor, flight attendant]", "[nurse, flight attendant, doctor]")
    )
    by_id = {sample.id: sample.source for sample in after.samples}
    assert {sample.id: sample.source for sample in before.samples}.items() <= by_id.items()


def test_values_that_differ_only_in_signs_or_capitals_have_different_ids(head, load):
    words = "[Polish, polish, C, C++, 'C#', well known, well-known, 'कि', 'की', …]"
    suite = load(
        head + f"generate:\n  - source: The <{{x}}> one.\n    category: male\n    slots: {{x: {words}}}\n"
    )
    assert len({*ids(suite)}) == 10
    assert ids(suite)[:3] == ["the-one/Polish", "the-one/polish", "the-one/C"]


def test_values_of_neighbouring_slots_do_not_run_together(head, load):
    text = (
        "generate:\n  - source: A <{a}> {b} man.\n    category: male\n    slots: {a: [x, x y], b: [y z, z]}\n"
    )
    assert len(load(head + text).samples) == 4


@pytest.mark.parametrize("text", ["X-ray", "a b", "A", "…", "", "ç", "O'Brien", "a/b", "a  b", " a"])
def test_the_slug_of_a_value_tells_it_apart(text):
    others = ["a-b", "a b", "a", "X ray", "x-ray", "OBrien", "O Brien", "ab", "c"]
    assert slug_of_value(text) not in [slug_of_value(other) for other in others if other != text]
    assert "/" not in slug_of_value(text)


def test_a_long_sentence_is_cut_at_a_word_and_told_apart_by_a_hash():
    one, other = "word " * 30 + "one", "word " * 30 + "other"
    assert slug(one) != slug(other)
    assert slug(one).startswith("word-word-")
    assert len(slug(one)) < 75
    assert slug("字" * 100).startswith("字" * 60 + "-")


def test_two_samples_with_one_id_name_both_lines(good, problem):
    found = problem(good + "  - source: The doctor lost her <keys>!\n    category: female\n")
    assert found.place.line == 16
    assert 'duplicate id "the-doctor-lost-her-keys" (first at ' in found.message
    assert "test.mt.yaml:13:5); give one of the samples its own `id`" in found.message


@pytest.fixture
def hundred(good, load):
    def hundred(take: int, count: int = 100, seed: int = 0) -> list[str]:
        samples = "".join(plain(number) for number in range(count))
        return ids(load(good + samples + f"take: {take}\nseed: {seed}\n"))

    return hundred


def test_take_keeps_so_many_in_the_order_of_the_file(hundred):
    taken = hundred(10)
    assert len(taken) == 10
    everything = hundred(1000)
    assert len(everything) == 101
    assert taken == [id for id in everything if id in taken]


def test_taking_less_takes_a_part_of_the_same(hundred):
    assert {*hundred(5)} < {*hundred(10)} < {*hundred(50)}


def test_adding_samples_changes_little_of_what_is_taken(hundred):
    before, after = {*hundred(50, count=100)}, {*hundred(50, count=105)}
    assert len(before - after) <= 5
    assert {*hundred(50, count=105)} == after


def test_another_seed_takes_others(hundred):
    assert {*hundred(20, seed=1)} != {*hundred(20)}


@pytest.mark.parametrize(
    ("key", "value"), [("take", "0"), ("take", "-1"), ("seed", "-1"), ("take", "1.5"), ("take", "many")]
)
def test_take_and_seed_are_whole_numbers(good, problem, key, value):
    found = problem(good + f"{key}: {value}\n")
    assert found.place.line == 16
    assert found.message.startswith(f"{key}: must be ")
