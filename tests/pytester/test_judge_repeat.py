"""--mt-judge-repeat N"""

from __future__ import annotations

import csv

import pytest

import mtprobe
from mtprobe.cli import main
from tests.methods.question.judges import SUITE

# Hears the right gender in most translations: by chance, but the same one next time.
JUDGES = """
import random
import re
from toys import NOUNS, note


class Model:
    fingerprint = "fair"

    def __call__(self, sources):
        return [self.one(source) for source in sources]

    def one(self, source):
        woman, place = " her " in source, source.split()[-1]
        noun = next(forms[woman] for name, forms in NOUNS.items() if name in source)
        return f"{'A' if woman else 'O'} {noun} vendeu a casa perto do {place}"


class Drawn(Model):
    fingerprint = "drawn"

    def complete(self, prompts):
        return [self.answer(prompt) for prompt in prompts]

    def answer(self, prompt):
        text = prompt.messages[-1].content
        note(f"ask {prompt.repeat}")
        heard = "feminine" if "“A " in text else "masculine"
        if random.Random(f"{text} {prompt.repeat}").random() < 0.1:
            heard = {"feminine": "masculine", "masculine": "feminine"}[heard]
        return re.search(rf"([AB])\\) {heard}", text)[1]


class Greedy(Drawn):
    fingerprint = "greedy"
    deterministic = True


class Broken(Drawn):
    fingerprint = "broken"

    def complete(self, prompts):
        return "A"


fair, drawn, greedy, broken = Model(), Drawn(), Greedy(), Broken()
"""


@pytest.fixture
def judged(project):
    project.suite("occupations", SUITE)
    (project.path / "judges.py").write_text(JUDGES, encoding="utf-8")
    return project


def run(project, *args, judge="drawn", **rest):
    named = ["--mt-model=python:judges:fair", f"--mt-evaluator=python:judges:{judge}", "--mt-target=pt"]
    return project.pytest(*named, "--mt-counterfactuals=0", *args, model=None, **rest)


def lines(project, kind):
    return [line for line in project.record() if line["kind"] == kind]


def test_each_question_is_asked_so_often_and_a_second_run_asks_nothing(judged):
    run(judged, "--mt-judge-repeat=3")
    assert [len(judged.calls(f"ask {repeat}")) for repeat in range(4)] == [72, 72, 72, 0]
    before = lines(judged, "sample")
    run(judged, "--mt-judge-repeat=3")
    assert len(judged.calls("ask")) == 3 * 72
    assert lines(judged, "sample") == before
    run(judged, "--mt-judge-repeat=4")
    assert len(judged.calls("ask")) == 4 * 72


def test_the_terminal_the_record_and_the_report_show_how_far_answers_differ(judged):
    result = run(
        judged,
        "-v",
        "--mt-judge-repeat=4",
        "--mt-report=run.html",
        "--mt-markdown=run.md",
        "--mt-record=a.jsonl",
    )
    [note] = [line for line in result.outlines if "unstable judge" in line]
    (suite,) = [line for line in judged.record("a.jsonl") if line["kind"] == "suite"]
    samples = [line for line in judged.record("a.jsonl") if line["kind"] == "sample"]
    stability = suite["judge_repeats"]
    assert stability["count"] == 4
    differ = {
        line["id"]: item["attributes"]["same answer"]
        for line in samples
        for item in line["verdict"]["evidence"]
        if item["attributes"]["same answer"] < 1
    }
    assert stability["samples"] == differ
    assert stability["unstable"] == pytest.approx(len(differ) / 36)
    assert f"its answers differ in {len(differ)} of 36 samples" in note
    assert any("unstable judge" in text for text in suite["notes"])
    assert "mean of 4 answers" in suite["procedure"]
    assert "unstable judge" in (judged.path / "run.html").read_text(encoding="utf-8")
    assert "position bias" in (judged.path / "run.html").read_text(encoding="utf-8")
    again = mtprobe.read_run(judged.path / "a.jsonl")
    again.to_csv(judged.path / "run.csv")
    with (judged.path / "run.csv").open(encoding="utf-8") as stream:
        assert next(iter(csv.DictReader(stream)))["probability"]


def test_show_has_the_repeats_of_a_sample(judged, capsys):
    run(judged, "--mt-judge-repeat=4")
    first = lines(judged, "sample")[0]["id"]
    capsys.readouterr()
    assert main(["show", ".mtprobe/last-run.jsonl", first]) == 0
    assert "same answer" in capsys.readouterr().out


@pytest.mark.parametrize("args", [[], ["-v"]], ids=["brief", "verbose"])
def test_a_judge_that_always_gives_the_same_answer_is_asked_once_and_says_so(judged, args):
    result = run(judged, *args, "--mt-judge-repeat=5", judge="greedy")
    assert len(judged.calls("ask")) == 72
    said = [line for line in (*result.outlines, *result.errlines) if "judge repeats change nothing" in line]
    assert said
    assert "python-judges-greedy always gives the same answer, so it is called only once" in said[0]
    (suite,) = lines(judged, "suite")
    assert "judge_repeats" not in suite
    assert any("judge repeats change nothing" in note for note in suite["notes"])


def test_a_run_without_a_judge_says_that_there_is_nothing_to_repeat(project):
    result = project.pytest("--mt-judge-repeat=5")
    said = "\n".join((*result.outlines, *result.errlines))
    assert (
        said.count("judge repeats change nothing: no suite of this run is judged by the method question") == 1
    )


@pytest.mark.slow
def test_workers_give_the_same_numbers(judged):
    run(judged, "--mt-judge-repeat=3")
    alone = lines(judged, "sample")
    run(judged, "--mt-judge-repeat=3", "--mt-no-store", "-n2")
    assert lines(judged, "sample") == alone


def test_a_sequential_run_is_repeated_too(judged):
    judged.change('accuracy: ">= 0.5"', 'accuracy: ">= 0.5 @95%"')
    run(judged, "--mt-judge-repeat=3", "--mt-sequential")
    counts = [len(judged.calls(f"ask {repeat}")) for repeat in range(3)]
    assert counts[0] == counts[1] == counts[2]
    assert all(
        item["attributes"]["repeats"] == 3
        for line in lines(judged, "sample")
        for item in line["verdict"]["evidence"]
    )


def test_a_record_is_rescored_with_as_many_repeats(judged, monkeypatch, capsys):
    run(judged, "--mt-judge-repeat=3", "--mt-record=run.jsonl")
    monkeypatch.chdir(judged.path)
    command = ["rescore", "run.jsonl", "--evaluator", "python:judges:drawn"]
    assert main([*command, "--store", "none"]) in (0, 1), capsys.readouterr().err
    asked = [len(judged.calls(f"ask {repeat}")) for repeat in range(4)]
    assert asked[0] == asked[1] == asked[2] > 72
    assert asked[3] == 0
    before, after = (mtprobe.read_run(name).suites[0] for name in ("run.jsonl", "run.rescored.jsonl"))
    assert [result.verdict for result in after.results] == [result.verdict for result in before.results]


def test_the_ini_file_says_so_for_every_run(judged):
    (judged.path / "pytest.ini").write_text("[pytest]\nmt_judge_repeat = 2\n", encoding="utf-8")
    run(judged)
    assert len(judged.calls("ask")) == 2 * 72


def test_a_bad_number_is_a_usage_error(judged):
    for bad in ("0", "-1", "two", "1.5"):
        result = run(judged, f"--mt-judge-repeat={bad}")
        assert result.ret == 4
        result.stderr.fnmatch_lines([f"*--mt-judge-repeat: {bad} is not a number of repeats"])


def test_a_judge_that_answers_with_something_else_is_an_error(judged):
    result = run(judged, "--mt-judge-repeat=2", judge="broken")
    assert result.ret == 1
    assert "python:judges:broken answered with a str, not with a list" in str(result.stdout)
