from __future__ import annotations

from dataclasses import replace

import pytest

from mtprobe.methods.conditioning.noise import NoiseFloor
from mtprobe.records.baseline import compacted
from mtprobe.records.counterpart import (
    NoCounterpart,
    counterpart,
    judge_warning,
    same_judge,
    with_duplicates_noted,
)
from tests.report.factory import MODEL, a_run, a_suite

LATER = a_suite(model=replace(MODEL, name="demo"))


def named(name):
    return a_suite(model=replace(MODEL, name=name))


def why_not(earlier, later, *, only=True):
    """The reason; the suite is missing, not ambiguous."""
    found = counterpart(earlier, later, only=only)
    assert isinstance(found, NoCounterpart)
    assert not found.ambiguous
    return found.reason


def test_the_model_of_the_same_name_is_chosen():
    earlier = [named("other"), named("demo")]
    assert counterpart(earlier, LATER, only=True) is earlier[1]


@pytest.mark.parametrize("only", [True, False])
def test_the_only_model_of_the_earlier_run_serves_every_model_of_the_later_one(only):
    earlier = [named("release-3")]
    assert counterpart(earlier, LATER, only=only) is earlier[0]


def test_the_only_model_that_ran_a_suite_serves_the_only_later_one():
    earlier = [named("release-3"), replace(named("release-4"), suite="words")]
    assert counterpart(earlier, LATER, only=True) is earlier[0]
    assert why_not(earlier, LATER, only=False) == "occupations was run on release-3, not on demo"


def test_of_several_models_none_is_guessed():
    assert "run on a, b, not on demo" in why_not([named("a"), named("b")], LATER)


def test_the_message_says_what_is_missing():
    earlier = [a_suite()]
    assert why_not(earlier, replace(LATER, suite="words")) == 'it has no suite "words"'
    assert "judged by contrastive-conditioning, not by lexicon" in why_not(
        earlier, replace(LATER, method="lexicon")
    )
    assert "run for en→pt, not for en→de" in why_not(earlier, replace(LATER, target="de"))


def test_a_region_is_the_same_language():
    earlier = [a_suite()]
    assert counterpart(earlier, replace(LATER, target="pt-BR"), only=True) is earlier[0]


def test_of_two_regions_the_same_one_is_chosen():
    earlier = [replace(LATER, target="pt-PT"), replace(LATER, target="pt-BR"), replace(LATER, target="pt")]
    assert counterpart(earlier, replace(LATER, target="pt-BR"), only=True) is earlier[1]


FIRST = replace(LATER, path="suites/a.mt.yaml", digest="aaaa")
SECOND = replace(LATER, path="suites/b.mt.yaml", digest="bbbb")


def test_of_two_suites_of_one_name_the_one_with_the_same_content_is_chosen():
    assert counterpart([FIRST, SECOND], SECOND, only=True) is SECOND
    moved = replace(SECOND, path="suites/moved.mt.yaml")
    assert counterpart([FIRST, SECOND], moved, only=True) is SECOND


def test_a_suite_that_changed_is_known_by_its_path():
    changed = replace(SECOND, digest="cccc")
    assert counterpart([FIRST, SECOND], changed, only=True) is SECOND


def test_the_content_says_more_than_the_path():
    swapped = replace(SECOND, path=FIRST.path)
    assert counterpart([FIRST, SECOND], swapped, only=True) is SECOND


@pytest.mark.parametrize(
    "earlier",
    [
        [FIRST, SECOND],
        [named("release-3"), replace(named("release-3"), path="suites/b.mt.yaml")],
        [replace(FIRST, digest="cccc"), replace(SECOND, digest="cccc")],
    ],
)
def test_what_neither_content_nor_path_tells_apart_is_ambiguous(earlier):
    found = counterpart(earlier, replace(LATER, path="elsewhere.mt.yaml", digest="cccc"), only=True)
    assert isinstance(found, NoCounterpart)
    assert found.ambiguous
    assert f'2 of its suites are named "occupations" ({earlier[0].path}, {earlier[1].path})' in found.reason
    assert "which of them elsewhere.mt.yaml is: give each suite a name of its own" in found.reason


def test_suites_that_share_a_name_get_a_note_once():
    lone = replace(LATER, suite="words", notes=("2 samples were skipped",))
    other_method = replace(FIRST, method="lexicon")
    noted = with_duplicates_noted([FIRST, lone, SECOND, other_method])
    assert [suite.path for suite in noted] == [FIRST.path, lone.path, SECOND.path, FIRST.path]
    assert [len(suite.notes) for suite in noted] == [1, 1, 1, 0]
    assert (
        noted[0]
        .notes[0]
        .startswith('2 suites of this run are named "occupations" (suites/a.mt.yaml, suites/b.mt.yaml)')
    )
    assert with_duplicates_noted(noted) == noted


def judged_by(fingerprint, **changes):
    return a_suite(evaluator=replace(MODEL, name="judge", fingerprint=fingerprint), **changes)


def by_itself(fingerprint, **changes):
    model = replace(MODEL, fingerprint=fingerprint)
    return a_suite(model=model, evaluator=None, judges_itself=True, **changes)


def test_another_judge_gives_a_warning():
    assert "different evaluators" in judge_warning(judged_by("a"), judged_by("b"))
    assert "different evaluators" in judge_warning(by_itself("a"), judged_by("b"))
    assert "each model judged itself" in judge_warning(by_itself("a"), by_itself("b"))


def test_the_same_judge_is_the_same_in_either_role():
    assert judge_warning(judged_by("a"), judged_by("a")) is None
    assert judge_warning(by_itself("a"), judged_by("a")) is None
    assert judge_warning(by_itself("a"), by_itself("a")) is None


def test_a_method_that_judges_the_models_own_scores_has_no_other_judge():
    assert (
        judge_warning(by_itself("a", method="minimal-pairs"), by_itself("b", method="minimal-pairs")) is None
    )


def test_identical_translations_get_identical_verdicts_from_the_same_judge_only():
    assert same_judge(judged_by("a"), judged_by("a"))
    assert same_judge(by_itself("a"), judged_by("a"))
    assert not same_judge(judged_by("a"), judged_by("b"))
    assert not same_judge(judged_by("a", details="simplemma 1.1"), judged_by("a", details="simplemma 1.2"))
    bf16 = replace(judged_by("a"), evaluator=replace(MODEL, fingerprint="a", dtype="bf16"))
    assert not same_judge(judged_by("a"), bf16)


def test_where_the_models_own_scores_are_judged_the_model_is_the_judge():
    assert same_judge(by_itself("a", method="minimal-pairs"), by_itself("a", method="minimal-pairs"))
    assert not same_judge(by_itself("a", method="minimal-pairs"), by_itself("b", method="minimal-pairs"))


def test_a_compact_baseline_has_the_same_judge_although_noise_floors_differ():
    floors = [NoiseFloor(margin, "placebos", samples=60) for margin in (0.41, 0.52)]
    one, other = (judged_by("a", details=f"scoring focus; {floor}") for floor in floors)
    before, after = (replace(run, noise=(floor,)) for run, floor in zip((one, other), floors, strict=True))
    assert same_judge(before, after)
    [compact] = compacted(a_run(before)).suites
    assert same_judge(compact, after)
    assert not same_judge(compact, replace(after, details=f"scoring sentence; {floors[1]}"))
