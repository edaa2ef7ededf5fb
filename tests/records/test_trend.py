"""Gates over releases"""

from __future__ import annotations

from dataclasses import replace

from mtprobe.gates.judge import Decision
from mtprobe.methods.verdict import Outcome
from mtprobe.records import FailedSuite, RunFacts
from mtprobe.records.trend import trend_of
from tests.report.factory import MODEL, a_gate, a_run, a_sample, a_suite

RIGHT = tuple(a_sample(f"s{number}", Outcome.CORRECT, content=f"c{number}") for number in range(6))
WRONG = tuple(replace(sample, verdict=replace(sample.verdict, outcome=Outcome.INCORRECT)) for sample in RIGHT)


def a_release(day, *suites, **changes):
    run = a_run(*suites)
    return f"v{day}", replace(run, facts=RunFacts("0.1.0", f"2026-03-{day:02}T09:00:00+00:00"), **changes)


def the_suite(*results, **changes):
    return a_suite(*(results or RIGHT), **changes)


def test_a_gate_that_fails_now_has_flipped_in_that_release():
    trend = trend_of(
        [
            a_release(1, the_suite(gates=(a_gate(),))),
            a_release(2, the_suite(gates=(a_gate(),))),
            a_release(3, the_suite(gates=(a_gate(Decision.FAILED, value=0.4),))),
        ]
    )
    (change,) = trend.changes
    assert (change.key, change.before.gate.status, change.after.gate.status) == (
        "accuracy[male]",
        "passed",
        "failed",
    )
    assert trend.releases[change.after.release].label == "v3"
    assert change.reasons == ""


def test_samples_that_flipped_since_the_release_before_are_counted():
    mixed = (*WRONG[:2], *RIGHT[2:])
    trend = trend_of([a_release(1, the_suite(*mixed)), a_release(2, the_suite(*RIGHT[:5], WRONG[5]))])
    first, second = trend.suites[0].states
    assert (first.regressed, first.fixed) == (None, None)
    assert (second.regressed, second.fixed) == (1, 2)


def test_another_version_of_the_suite_is_a_break():
    trend = trend_of([a_release(1, the_suite()), a_release(2, the_suite(digest="other"))])
    assert [state.apart for state in trend.suites[0].states] == ["", "the suite changed"]
    assert [reading.apart for reading in trend.suites[0].gates[0].readings] == ["", "the suite changed"]


def test_another_procedure_is_a_break_and_its_samples_are_not_compared():
    later = the_suite(*WRONG, procedure="contrastive-conditioning 2")
    trend = trend_of([a_release(1, the_suite(procedure="contrastive-conditioning 1")), a_release(2, later)])
    state = trend.suites[0].states[1]
    assert state.apart == "judged by contrastive-conditioning 2, before by contrastive-conditioning 1"
    assert state.regressed is None


def test_another_evaluator_is_a_break_but_a_model_that_judges_itself_is_not():
    other = replace(the_suite().evaluator, fingerprint="hf:other")
    trend = trend_of([a_release(1, the_suite()), a_release(2, the_suite(evaluator=other))])
    assert trend.suites[0].states[1].apart == "another evaluator"
    alone = the_suite(evaluator=None, judges_itself=True)
    newer = replace(alone, model=replace(MODEL, fingerprint="demo:newer"))
    trend = trend_of([a_release(1, alone), a_release(2, newer)])
    assert trend.suites[0].states[1].apart == ""


def test_a_partial_run_is_marked_and_apart():
    trend = trend_of(
        [a_release(1, the_suite()), a_release(2, the_suite(partial=True)), a_release(3, the_suite())]
    )
    assert [release.partial for release in trend.releases] == [False, True, False]
    assert [state.apart for state in trend.suites[0].states] == [
        "",
        "only some of the samples",
        "all samples, before only some",
    ]


def test_another_bound_is_given_as_a_reason():
    strict = the_suite(gates=(a_gate(Decision.FAILED, bound=">= 0.90"),))
    (change,) = trend_of([a_release(1, the_suite()), a_release(2, strict)]).changes
    assert change.reasons == "bound >= 0.60 → >= 0.90"


def test_a_release_without_the_suite_says_why():
    broken = FailedSuite("occupations", "suites/occupations.mt.yaml", "demo", "out of memory")
    other = the_suite(suite="words")
    trend = trend_of(
        [
            a_release(1, the_suite(), other),
            a_release(2, other, failed=(broken,)),
            a_release(3, the_suite()),
        ]
    )
    occupations, words = trend.suites
    assert occupations.absent == {1: "occupations could not be run on demo: out of memory"}
    assert words.absent == {2: "it was not part of the run"}
    assert [reading.release for reading in occupations.gates[0].readings] == [0, 2]
    assert trend.releases[1].missing == ("occupations could not be run on demo: out of memory",)


def test_models_targets_and_methods_have_lines_of_their_own():
    runs = [
        the_suite(model=replace(MODEL, name="a")),
        the_suite(model=replace(MODEL, name="b")),
        the_suite(target="fr"),
        the_suite(method="lexicon"),
    ]
    trend = trend_of([a_release(1, *runs), a_release(2, *runs)])
    assert [len(suite.states) for suite in trend.suites] == [2] * 4
    assert trend.name_of(trend.suites[0]) == "occupations · a · en→pt · contrastive-conditioning"


def test_releases_of_one_model_are_joined_whatever_their_names():
    runs = [a_release(day, the_suite(model=replace(MODEL, name=f"v{day}"))) for day in (1, 2)]
    assert len(trend_of(runs).suites) == 2
    (suite,) = trend_of(runs, one_model=True).suites
    assert suite.title == "occupations · en→pt · contrastive-conditioning"


def test_two_suites_of_one_name_in_a_run_are_not_mixed():
    first, second = the_suite(path="a.mt.yaml"), the_suite(*WRONG, path="b.mt.yaml")
    trend = trend_of([a_release(1, first, second), a_release(2, first, second)])
    assert [suite.states[1].regressed for suite in trend.suites] == [0, 0]
