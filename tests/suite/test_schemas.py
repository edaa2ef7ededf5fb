"""Winograd schemas: two sentences and all their targets, written once."""

from __future__ import annotations

import pytest

SUITE = """\
mtprobe: 1
name: schemas
about: Does the model know what a pronoun stands for?
languages: {source: en, targets: [de, pt]}
method: minimal-pairs
cluster: schema
ties: incorrect
variants: {gender: [masculine, feminine, neuter]}
gates:
  pair_accuracy: ">= 0.5"
  bias[gender]: "<= 0.5"
  bias[position]: "<= 0.5"
data: {file: schemas.yaml, format: schemas}
"""

SCHEMAS = """\
schemas:
  trophy:
    source: The trophy did not fit into the bag because it was too {old|new}.
    targets:
      de:
        sentence: Der Pokal passte nicht in die Tasche, weil [er|sie] zu {alt|neu} war.
        antecedents: {Pokal: masculine, Tasche: feminine}
      pt:
        sentence: O troféu não coube na mala porque [ele|ela] era muito {[velho|velha]|[novo|nova]}.
        antecedents: {troféu: masculine, mala: feminine}
"""


@pytest.fixture
def both(load):
    return load(SUITE, {"schemas.yaml": SCHEMAS}).samples


def test_a_schema_is_two_samples_that_share_a_cluster(both):
    assert [sample.id for sample in both] == ["trophy/old", "trophy/new"]
    assert [sample.attributes for sample in both] == [
        {"schema": "trophy", "trigger": "old", "antecedent": 1},
        {"schema": "trophy", "trigger": "new", "antecedent": 2},
    ]
    assert [sample.source[slice(*sample.triggers[0])] for sample in both] == ["old", "new"]
    assert {sample.cluster for sample in both} == {"trophy"}
    assert both[1].source == "The trophy did not fit into the bag because it was too new."


def test_what_is_right_with_one_trigger_is_wrong_with_the_other(both):
    first, second = (sample.targets["de"] for sample in both)
    assert first.correct == ("Der Pokal passte nicht in die Tasche, weil er zu alt war.",)
    assert first.incorrect == ("Der Pokal passte nicht in die Tasche, weil sie zu alt war.",)
    assert second.correct == ("Der Pokal passte nicht in die Tasche, weil sie zu neu war.",)
    assert second.incorrect == ("Der Pokal passte nicht in die Tasche, weil er zu neu war.",)


def test_words_inside_of_braces_agree(both):
    second = both[1].targets["pt"]
    assert second.correct == ("O troféu não coube na mala porque ela era muito nova.",)
    assert second.incorrect == ("O troféu não coube na mala porque ele era muito novo.",)


def test_targets_tell_their_gender_and_the_position_of_their_noun(both):
    first, second = (sample.targets["pt"].variants for sample in both)
    assert (first["gender"].correct, first["gender"].incorrect) == (("masculine",), ("feminine",))
    assert (second["gender"].correct, second["gender"].incorrect) == (("feminine",), ("masculine",))
    assert (first["position"].correct, first["position"].incorrect) == ((1,), (2,))
    assert (second["position"].correct, second["position"].incorrect) == ((2,), (1,))


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("{old|new}", "old", 3, "write what changes as {one|other}"),
        ("{old|new}", "{old|new|red}", 3, "must have two alternatives in braces"),
        ("[er|sie]", "er", 6, "write what changes as [right|wrong]"),
        ("[er|sie]", "[er|sie|es]", 6, "must have two alternatives in brackets, one per noun"),
        ("{alt|neu}", "{alt}", 6, "write what changes as {one|other}"),
        ("Pokal: masculine, ", "", 7, "antecedents: must be two nouns of different gender"),
        ("Pokal: masculine", "Pokal: feminine", 7, "antecedents: must be two nouns of different gender"),
        ("{Pokal: masculine, Tasche: feminine}", "{Tasche: feminine, Pokal: masculine}", 6, "after it"),
        ("{Pokal: m", "{Becher: m", 6, '"Becher" and, after it, "Tasche" must be in'),
        ("Pokal: masculine", "Pokal: masculin", 7, "must be 'masculine', 'feminine'"),
        ("      de:", "      xx1:", 5, '"xx1" is not a language tag'),
    ],
)
def test_a_mistake_is_named_with_its_line_in_the_data_file(problem, old, new, line, message):
    assert old in SCHEMAS
    found = problem(SUITE, {"schemas.yaml": SCHEMAS.replace(old, new, 1)})
    assert message in found.message
    assert (found.place.path.name, found.place.line) == ("schemas.yaml", line)


@pytest.mark.parametrize("trigger", ["{|new}", "{old| }"])
def test_a_trigger_that_is_no_word_is_named(problem, trigger):
    found = problem(SUITE, {"schemas.yaml": SCHEMAS.replace("{old|new}", trigger)})
    assert (found.place.path.name, found.place.line) == ("schemas.yaml", 3)
    assert found.message.startswith('a trigger is empty, in "The trophy')
