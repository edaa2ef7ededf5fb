"""Pairs of targets: a target is written once, and brackets hold what makes it right or wrong."""

from __future__ import annotations

import pytest

SUITE = """\
mtprobe: 1
name: errors
about: Does the model find right Portuguese likelier?
languages: {source: en, targets: pt}
method: minimal-pairs
categories: [human, machine]
cluster: pair
gates: {accuracy: ">= 0.5"}
data: {file: negation.yaml, format: pairs}
"""

PAIRS = """\
attributes: {phenomenon: negation}
pairs:
  bakery:
    source: The bakery is not open on Sundays.
    human: A padaria [não|] funciona aos domingos.
    machine: A padaria [não|] está aberta aos domingos.
  doctor:
    source: The doctor was tired, and she left.
    human: "[A médica|O médico] estava [cansada|cansado] e foi embora."
  bat:
    source: A bat flew away.
    human: Um [morcego|bastão|taco] foi embora.
"""


@pytest.fixture
def samples(load):
    return load(SUITE, {"negation.yaml": PAIRS}).samples


def test_each_target_is_a_sample_of_the_category_of_who_wrote_it(samples):
    assert [(sample.id, sample.category) for sample in samples] == [
        ("negation/bakery/human", "human"),
        ("negation/bakery/machine", "machine"),
        ("negation/doctor/human", "human"),
        ("negation/bat/human", "human"),
    ]
    assert samples[0].attributes == {"phenomenon": "negation", "pair": "negation/bakery"}
    assert samples[0].cluster == samples[1].cluster == "negation/bakery"
    assert samples[0].source == "The bakery is not open on Sundays."


def test_what_is_left_out_leaves_no_double_space(samples):
    targets = samples[0].targets["pt"]
    assert targets.correct == ("A padaria não funciona aos domingos.",)
    assert targets.incorrect == ("A padaria funciona aos domingos.",)


def test_several_brackets_change_together(samples):
    targets = samples[2].targets["pt"]
    assert targets.correct == ("A médica estava cansada e foi embora.",)
    assert targets.incorrect == ("O médico estava cansado e foi embora.",)


def test_a_third_alternative_is_a_second_wrong_target(samples):
    assert samples[3].targets["pt"].incorrect == ("Um bastão foi embora.", "Um taco foi embora.")


def test_a_sample_stands_at_its_target(samples):
    assert [(sample.place.path.name, sample.place.line) for sample in samples[:2]] == [
        ("negation.yaml", 5),
        ("negation.yaml", 6),
    ]


def test_pairs_of_two_files_may_share_a_name(load):
    entries = "data:\n  - {file: a.yaml, format: pairs}\n  - {file: b.yaml, format: pairs}\n"
    suite = load(SUITE.partition("data:")[0] + entries, {"a.yaml": PAIRS, "b.yaml": PAIRS})
    assert len({sample.cluster for sample in suite.samples}) == 6


def test_the_target_language_may_stand_in_the_entry(load):
    text = SUITE.replace("targets: pt", "targets: any").replace(
        "format: pairs", "format: pairs, target: pt-BR"
    )
    assert [*load(text, {"negation.yaml": PAIRS}).samples[0].targets] == ["pt-BR"]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("[não|] funciona", "não funciona", 5, "write what changes as [right|wrong]"),
        ("[não|] funciona", "[não] funciona", 5, "write what changes as [right|wrong]"),
        ("[não|] funciona", "[não| funciona", 5, "write what changes as [right|wrong]"),
        ("[não|] funciona", "{não|} funciona", 5, "write what changes as [right|wrong]"),
        ("[cansada|cansado]", "[cansada|cansado|cansadas]", 9, "has different numbers of alternatives"),
        ("    human: Um", "    humn: Um", 10, "has no target; give `human`, `machine` or both"),
        ("    machine: A", "    machin: A", 6, 'machin: unknown key; did you mean "machine"?'),
        ("source: A bat", "sorce: A bat", 11, 'sorce: unknown key; did you mean "source"?'),
        ("  doctor:", "  bakery:", 7, 'duplicate key "bakery" (first on line 3)'),
    ],
)
def test_a_mistake_is_named_with_its_line_in_the_data_file(problem, old, new, line, message):
    assert old in PAIRS
    found = problem(SUITE, {"negation.yaml": PAIRS.replace(old, new, 1)})
    assert (found.place.path.name, found.place.line) == ("negation.yaml", line)
    assert message in found.message


def test_a_suite_for_any_language_has_to_say_which_one_its_pairs_are_in(problem):
    found = problem(SUITE.replace("targets: pt", "targets: any"), {"negation.yaml": PAIRS})
    assert "say which language the translations are in" in found.message


@pytest.mark.parametrize("written", ["'[|b]'", "'[a|]'", "'[ |b]'"])
def test_an_alternative_that_leaves_no_sentence_is_named(problem, written):
    text = f"pairs:\n  a:\n    source: Yes.\n    human: {written}\n"
    found = problem(SUITE, {"negation.yaml": text})
    assert (found.place.path.name, found.place.line) == ("negation.yaml", 4)
    assert found.message.startswith("an alternative leaves nothing of the sentence, in ")
