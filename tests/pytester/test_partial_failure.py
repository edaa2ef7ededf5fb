"""A backend that fails for some sentences: those samples are errors, their gates say so, and a re-run tries them alone"""

from __future__ import annotations

import pytest

from mtprobe.methods.verdict import Outcome
from mtprobe.records import read_run

# Has no answer for some sentences while there is a file `trouble`.
FAILING = """
from mtprobe.errors import Failure
from toys import HERE, NOUNS, fair, note


def trouble(text):
    path = HERE / "trouble"
    return path.exists() and any(word in text for word in path.read_text().split())


class Failing:
    fingerprint = "failing"
    chunk = 4

    def __call__(self, sources):
        for source in sources:
            note(f"translate {source}")
        return [Failure("429: too many") if trouble(source) else fair.one(source) for source in sources]

    def score(self, pairs):
        for source, target in pairs:
            note(f"score {source} => {target}")
        return [Failure("too long") if trouble(target) else fair.likelihood(source, target) for source, target in pairs]


class Raising(Failing):
    fingerprint = "raising"

    def __call__(self, sources):
        if any(trouble(source) for source in sources):
            raise RuntimeError("the server burst")
        return super().__call__(sources)


failing, raising = Failing(), Raising()
"""
ARGS = ["--mt-model=python:failing:failing", "--mt-target=pt", "--mt-counterfactuals=0"]


@pytest.fixture
def trouble(project):
    """The toys' suite and one that has no trouble."""
    text = (project.path / "suites/occupations.mt.yaml").read_text(encoding="utf-8")
    other = text.replace("name: occupations", "name: second").replace("harbour", "library")
    project.suite("second", other.replace("the others", "the guests").replace("dancer]", "baker]"))
    toys = project.path / "toys.py"
    toys.write_text(
        toys.read_text(encoding="utf-8").replace("NOUNS = {", 'NOUNS = {"baker": ("padeiro", "padeira"),'),
        encoding="utf-8",
    )
    (project.path / "failing.py").write_text(FAILING, encoding="utf-8")
    return project


def outcomes(project):
    run = read_run(project.path / ".mtprobe/last-run.jsonl")
    return {result.id: result.verdict for suite in run.suites for result in suite.results}


def test_samples_without_a_translation_are_errors_and_their_gates_count_them(trouble):
    (trouble.path / "trouble").write_text("dancer")
    result = trouble.pytest("-v", *ARGS, model=None)
    result.assert_outcomes(errors=4, passed=4)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["*occupations: gap cannot be judged: 4 of 24 samples could not be judged: 4 × 429: too many*"]
    )
    verdicts = outcomes(trouble)
    bad = {name for name, verdict in verdicts.items() if verdict.outcome is Outcome.ERROR}
    assert bad == {f"{frame}/dancer/{whose}" for frame in ("shift", "house") for whose in ("her", "his")}
    assert {verdicts[name].reason for name in bad} == {"429: too many"}


def test_a_second_run_tries_only_what_is_missing(trouble):
    (trouble.path / "trouble").write_text("dancer")
    trouble.pytest(*ARGS, model=None)
    before = trouble.calls("")
    trouble.pytest(*ARGS, model=None).assert_outcomes(errors=4, passed=4)
    again = trouble.calls("")[len(before) :]
    assert len(again) == 4
    assert all(call.startswith("translate") and "dancer" in call for call in again)
    (trouble.path / "trouble").unlink()
    before = trouble.calls("")
    trouble.pytest(*ARGS, model=None).assert_outcomes(passed=8)
    again = trouble.calls("")[len(before) :]
    assert len([call for call in again if call.startswith("translate")]) == 4
    assert len([call for call in again if call.startswith("score")]) == 8  # a man and a woman each
    assert all("dancer" in call for call in again)


def test_last_failed_runs_the_gates_that_could_not_be_judged(trouble):
    (trouble.path / "trouble").write_text("dancer")
    trouble.pytest(*ARGS, model=None)
    (trouble.path / "trouble").unlink()
    result = trouble.pytest(*ARGS, "--lf", model=None)
    result.assert_outcomes(passed=4)
    assert [line["suite"] for line in trouble.record() if line["kind"] == "suite"] == ["occupations"]


def test_scores_that_fail_are_errors_too_and_tried_again_alone(trouble):
    (trouble.path / "trouble").write_text("médica")
    result = trouble.pytest(*ARGS, model=None)
    result.assert_outcomes(errors=8)
    result.stdout.fnmatch_lines(["*2 of 24 samples could not be judged: 2 × could not be scored: too long*"])
    (trouble.path / "trouble").unlink()
    before = trouble.calls("")
    trouble.pytest(*ARGS, model=None).assert_outcomes(passed=8)
    again = trouble.calls("")[len(before) :]
    assert len(again) == 8  # two sentences a suite, two contrastive sources a sentence
    assert all(call.startswith("score") and "médica" in call for call in again)


def test_what_was_translated_before_a_backend_burst_is_not_asked_again(trouble):
    (trouble.path / "trouble").write_text("writer")
    args = ["--mt-model=python:failing:raising", "--mt-target=pt"]
    result = trouble.pytest(*args, model=None)
    result.assert_outcomes(errors=8)
    result.stdout.fnmatch_lines(["*the server burst*"])
    run = read_run(trouble.path / ".mtprobe/last-run.jsonl")
    assert [one.suite for one in run.failed] == ["occupations", "second"]
    assert all("raised RuntimeError: the server burst, in failing.py:" in one.reason for one in run.failed)
    kept = trouble.calls("translate")
    assert kept
    (trouble.path / "trouble").unlink()
    trouble.pytest(*args, model=None).assert_outcomes(passed=8)
    assert len(trouble.calls("translate")) == len(set(trouble.calls("translate"))) == 48
