"""The sentences of a suite, and the smaller ones that a failing sentence may become."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtprobe.authoring.hunt.explore import explore
from mtprobe.authoring.hunt.shrink import sentences_up_to, shrink
from mtprobe.authoring.hunt.space import Candidate, Space, simplest_first
from mtprobe.suite.samples.slots import Value
from mtprobe.suites import load_suite

from .conftest import NUMBERS, every_sentence

PERTURBED = """\
mtprobe: 1
name: same
about: Is a sentence the same in capitals?
languages: {source: en, targets: any}
method: relation
relation: same
perturb: [upper-case, no-final-stop]
categories: [any]
gates: {accuracy: ">= 0.9"}
slots: {who: [judge, cook]}
generate:
  - source: "The {who} [always] laughs."
    category: any
"""


@pytest.fixture(scope="module")
def space(suite) -> Space:
    return Space(load_suite(suite, None), lambda _sample: None)


def candidates(space: Space) -> list[Candidate]:
    return sorted(explore(space, 0), key=space.size)


def test_exploring_proposes_every_sentence_once(space):
    sources = [space.sample(candidate).source for candidate in explore(space, 7)]
    assert len(sources) == len({*sources})
    assert {*sources} == every_sentence()


def test_another_seed_is_another_order(space):
    first, second = (list(islice(explore(space, seed), 20)) for seed in (1, 2))
    assert first != second
    assert first == list(islice(explore(space, 1), 20))


def test_every_template_is_tried_early(space):
    assert {candidate.pattern for candidate in islice(explore(space, 3), 2)} == {0, 1}


@given(data=st.data())
@settings(max_examples=60)
def test_whatever_a_failing_sentence_becomes_a_template_makes(space, data):
    failing = data.draw(st.sampled_from(candidates(space)))
    smaller = data.draw(sentences_up_to(space, failing))
    if smaller is not None:
        assert space.sample(smaller).source in every_sentence()
        assert space.size(smaller) <= space.size(failing) or smaller.pattern != failing.pattern
        assert len(space.sample(smaller).source.split()) <= len(space.sample(failing).source.split())


@pytest.mark.parametrize("number", range(3))
def test_shrinking_drops_clauses_and_simplifies_what_does_not_matter(space, number):
    """With one slot that matters, the smallest sentence has its value, and nothing else that could go."""
    values = [value.text for value in space.patterns[0].values[0]]
    wanted = values[number * 3 + 2]
    failing = next(
        candidate
        for candidate in reversed(candidates(space))
        if space.words(candidate)["number"] == wanted and not candidate.dropped
    )
    shrunk = shrink(space, failing, lambda candidate: space.words(candidate)["number"] == wanted, seed=0)
    assert space.sample(shrunk).source == f"They sold {wanted} cars."


def test_an_error_while_shrinking_is_raised_as_it_is(space):
    def broken(_candidate: Candidate) -> bool:
        raise OSError("the service is down")

    with pytest.raises(OSError, match="the service is down"):
        shrink(space, candidates(space)[-1], broken, seed=0)


def test_a_hunt_leaves_no_folder_of_hypothesis(space, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shrink(space, candidates(space)[-1], lambda _candidate: True, seed=0)
    assert list(tmp_path.iterdir()) == []


def test_shorter_values_are_simpler_and_frequent_ones_simplest():
    plain = [Value("crane operator", {}), Value("judge", {}), Value("cook", {}), Value("poet", {})]
    assert [value.text for value in simplest_first("job", plain)] == [
        "cook",
        "poet",
        "judge",
        "crane operator",
    ]
    for name in ("frequency", "job_frequency"):
        counted = [Value("poet", {name: 3}), Value("engineer", {name: 900})]
        assert [value.text for value in simplest_first("job", counted)] == ["engineer", "poet"]


def test_combinations_that_are_excepted_are_not_proposed(suite, tmp_path):
    path = tmp_path / "excepted.mt.yaml"
    text = suite.read_text("utf-8").replace("take: 6", "    except: [{what: cars}]")
    path.write_text(text, encoding="utf-8")
    space = Space(load_suite(path, None), lambda _sample: None)
    sources = {space.sample(candidate).source for candidate in explore(space, 0)}
    assert sources == {one for one in every_sentence() if not (one.startswith("They") and "cars" in one)}
    assert all(any(number in source for source in sources) for number in NUMBERS)


def test_a_sample_is_recognised_by_its_id_and_values(space, suite):
    for sample in load_suite(suite, None).samples:
        assert space.sample(space.candidate_of(sample)) == sample


def test_each_perturbation_of_a_template_is_tried_by_itself(tmp_path):
    path = tmp_path / "same.mt.yaml"
    path.write_text(PERTURBED, encoding="utf-8")
    loaded = load_suite(path, None)
    space = Space(loaded, lambda _sample: None)
    made = {space.group(candidate): space.sample(candidate) for candidate in explore(space, 0)}
    assert [len(sample.against) for sample in made.values()] == [1, 1]
    assert set(made) == {
        (("category", "any"), ("perturbation", name)) for name in ("upper-case", "no-final-stop")
    }
    for sample in loaded.samples:
        candidate = space.candidate_of(sample)
        assert space.sample(candidate).id == sample.id
        assert not space.related_patterns(candidate)
