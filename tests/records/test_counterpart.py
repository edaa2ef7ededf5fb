from __future__ import annotations

from dataclasses import replace

from mtprobe.records.comparison import counterpart, judge_warning
from tests.report.factory import MODEL, a_suite

LATER = a_suite(model=replace(MODEL, name="demo"))


def named(name):
    return a_suite(model=replace(MODEL, name=name))


def test_the_model_of_the_same_name_is_chosen():
    earlier = [named("other"), named("demo")]
    assert counterpart(earlier, LATER, only=True) is earlier[1]


def test_the_only_model_may_have_another_name():
    earlier = [named("release-3")]
    assert counterpart(earlier, LATER, only=True) is earlier[0]
    assert counterpart(earlier, LATER, only=False) == "occupations was run on release-3, not on demo"


def test_of_several_models_none_is_guessed():
    assert "run on a, b, not on demo" in counterpart([named("a"), named("b")], LATER, only=True)


def test_the_message_says_what_is_missing():
    earlier = [a_suite()]
    assert counterpart(earlier, replace(LATER, suite="words"), only=True) == 'it has no suite "words"'
    assert "judged by contrastive-conditioning, not by lexicon" in counterpart(
        earlier, replace(LATER, method="lexicon"), only=True
    )
    assert "run for en→pt, not for en→de" in counterpart(earlier, replace(LATER, target="de"), only=True)


def test_a_region_is_the_same_language():
    earlier = [a_suite()]
    assert counterpart(earlier, replace(LATER, target="pt-BR"), only=True) is earlier[0]


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
