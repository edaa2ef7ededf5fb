"""Related sources in a suite: written out, or made by perturbations"""

from __future__ import annotations

import pytest

from mtprobe.suite.content import content_digest
from mtprobe.suite.lint import warnings
from mtprobe.suite.sample import Variant

HEAD = """\
mtprobe: 1
name: relations
about: Do the translations belong together?
languages: {source: en, targets: any}
method: relation
gates: {accuracy: ">= 0.9"}
"""


def test_further_sources_are_written_out_with_their_own_focus(load):
    suite = load(
        HEAD + "samples:\n  - source: I <agree>.\n    against: I <disagree>.\n    relation: negated\n"
    )
    (sample,) = suite.samples
    assert sample.against == (Variant("I disagree.", (2, 10)),)
    assert sample.sentences == ("I agree.", "I disagree.")


def test_slots_are_filled_in_further_sources_as_in_the_source(load):
    text = """\
generate:
  - source: "A {animal} sleeps."
    against: "{animal.more} sleeps with a {animal}."
    relation: same
    slots: {animal: {dog: {more: cat}, owl: {more: apple}}}
"""
    samples = load(HEAD + text).samples
    assert [sample.against[0].text for sample in samples] == [
        "Cat sleeps with a dog.",
        "Apple sleeps with an owl.",
    ]


def test_several_perturbations_are_as_many_samples_of_one_cluster(load):
    suite = load(
        HEAD + "samples:\n  - source: We left.\n    perturb: [upper-case, lower-start]\n    relation: same\n"
    )
    assert [sample.id for sample in suite.samples] == ["we-left@upper-case", "we-left@lower-start"]
    assert [sample.attributes["perturbation"] for sample in suite.samples] == ["upper-case", "lower-start"]
    assert {sample.cluster for sample in suite.samples} == {"we-left"}


def test_a_sample_takes_from_the_suite_what_it_does_not_say_itself(load):
    text = "relation: same\nperturb: no-final-stop\nsamples:\n  - source: We left.\n  - {source: We ate., against: We drank., relation: differs-in}\n"
    one, other = load(HEAD + text).samples
    assert (one.relation, one.against) == ("same", (Variant("We left", None, "no-final-stop"),))
    assert (other.relation, other.against) == ("differs-in", (Variant("We drank."),))


def test_perturbations_depend_on_seed_and_id_and_on_nothing_else(load):
    samples = "  - {source: The doctor visited another patient yesterday., id: one, perturb: typo, relation: same}\n"
    other = "  - {source: Somebody bought a bicycle., id: two, perturb: typo, relation: same}\n"
    alone = load(HEAD + "samples:\n" + samples).samples[0].against
    together = load(HEAD + "samples:\n" + other + samples).samples[1].against
    assert alone == together
    seeds = {load(HEAD + f"seed: {seed}\nsamples:\n" + samples).samples[0].against for seed in range(8)}
    assert len(seeds) > 1


def test_a_further_source_is_part_of_a_samples_content(load):
    digests = {
        content_digest(load(HEAD + f"samples:\n  - {{source: We left., {more}}}\n").samples[0], "pt")
        for more in (
            "relation: same, against: we left.",
            "relation: same, against: We went.",
            "relation: differs-in, against: We went.",
        )
    }
    assert len(digests) == 3


@pytest.mark.parametrize(
    ("sample", "column", "message"),
    [
        ("relation: sam, perturb: upper-case", 5, 'relation: there is no "sam"; did you mean "same"?'),
        ("relation: same, perturb: upper", 40, 'perturb: there is no perturbation "upper"; did you mean "upper-case"?'),
        ("relation: same", 5, 'sample "we-left": relation needs `against` or `perturb` for `relation: same`'),
        ("against: We went.", 5, 'sample "we-left": relation needs `relation`: same, differs-in, contains, negated, symmetric, round-trip'),
        ("relation: same, against: We left.", 40, "against: 'We left.' is the same as the source itself"),
        ("relation: same, perturb: name-swap", 40, "perturb: name-swap changes nothing in 'We left.'; it needs a given name of names.yaml"),
        ("relation: same, against: 'We <went.'", 40, "against: the focus is opened with < and closed with >"),
        ("relation: symmetric, against: We went.", 5, 'sample "we-left": relation needs two `names`, those that are exchanged, for `relation: symmetric`'),
        ("relation: contains, against: a cat", 5, 'sample "we-left": relation needs a phrase of the source in `against`, for `relation: contains`; "a cat" is not in it'),
    ],
)  # fmt: skip
def test_mistakes_are_located(problem, sample, column, message):
    found = problem(HEAD + f"samples:\n  - {{source: We left., {sample}}}\n")
    assert (found.place.line, found.place.column) == (8, column)
    assert message in found.message


def test_contractions_of_another_language_are_a_mistake(problem):
    text = (
        HEAD.replace("source: en", "source: de")
        + "samples:\n  - {source: Wir gehen., relation: same, perturb: contraction}\n"
    )
    found = problem(text)
    assert "contraction changes only sentences in en, and the sources are in de" in found.message


def test_false_alarms_cannot_be_gated_without_controls(problem):
    text = HEAD.replace('accuracy: ">= 0.9"', 'false_alarms: "<= 0.02"')
    found = problem(text + "samples:\n  - {source: We left., relation: same, perturb: upper-case}\n")
    assert "false_alarms needs controls, samples with `control: true`; there are none" in found.message


def linted(load, text):
    return [problem.message for problem in warnings(load(text))]


def test_lint_warns_of_a_relation_without_controls_and_of_controls_without_a_gate(load):
    sample = "samples:\n  - {source: We left early., relation: same, perturb: upper-case}\n"
    (warning,) = linted(load, HEAD + sample)
    assert warning.startswith("relation: same has no controls")
    control = "  - {source: We ate., relation: same, perturb: upper-case, control: true}\n"
    assert linted(load, HEAD + sample + control) == [
        "gates: there are controls, but no gate on `false_alarms`"
    ]
    gated = HEAD.replace('">= 0.9"', '">= 0.9", false_alarms: "<= 0.02"')
    assert linted(load, gated + sample + control) == []


def test_lint_warns_of_a_further_source_that_a_comma_split(load):
    sample = "samples:\n  - {source: 'Before we left, we ate the bread.', relation: same, against: [Before we left, we ate the soup.]}\n"
    messages = linted(load, HEAD + sample)
    assert any("did a comma inside […] split it?" in message for message in messages)
