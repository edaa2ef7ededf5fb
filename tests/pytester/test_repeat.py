"""--mt-repeat N"""

from __future__ import annotations

import csv
import json

import pytest

import mtprobe
from mtprobe.cli import main

# Takes the right gender for doctors and lawyers, and mostly for the others: by chance, but the same one next time.
SAMPLING = """
import random
from toys import Toy, fair, note


class Sampling:
    takes_requests = True
    fingerprint = "sampling"
    score = fair.score

    def __call__(self, requests):
        return [self.one(request) for request in requests]

    def one(self, request):
        note(f"translate {request.repeat} {request.text}")
        wrong = random.Random(f"{request.text} {request.repeat}").random() < 0.3
        sure = "doctor" in request.text or "lawyer" in request.text
        right = " her " in request.text
        return Toy("", lambda _: right if sure else right != wrong).one(request.text)


sampling = Sampling()
still = Sampling()
still.deterministic = True


def strings(sources):
    return [sampling.one(request) for request in numbered(sources)]


strings.fingerprint = "strings"
strings.score = fair.score
"""

NUMBERED = """
from collections import Counter
from mtprobe.backends import Request

times = Counter()


def numbered(sources):
    for source in sources:
        yield Request(source, repeat=times[source])
        times[source] += 1
"""


@pytest.fixture
def sampled(project):
    (project.path / "sampled.py").write_text(NUMBERED + SAMPLING, encoding="utf-8")
    return project


def run(project, *args, model="sampling", **rest):
    named = [f"--mt-model=python:sampled:{model}", "--mt-target=pt"]
    return project.pytest(*named, "--mt-counterfactuals=0", *args, model=None, **rest)


def samples(project):
    return [line for line in project.record() if line["kind"] == "sample"]


def gates(project):
    return {line["key"]: line for line in project.record() if line["kind"] == "gate"}


def test_each_sentence_is_translated_so_often_and_every_translation_is_judged(sampled):
    run(sampled, "--mt-repeat=5")
    assert len(sampled.calls("translate")) == 5 * 24
    lines = samples(sampled)
    assert len(lines) == 5 * 24
    assert [line["repeat"] for line in lines[:6]] == [1, 2, 3, 4, 5, 1]
    assert {line["id"] for line in lines[:5]} == {lines[0]["id"]}


def test_gates_are_decided_on_the_mean_and_count_samples(sampled):
    run(sampled, "--mt-repeat=5")
    rows = [line for line in samples(sampled) if line["category"] == "female"]
    mean = sum(line["verdict"]["outcome"] == "correct" for line in rows) / len(rows)
    measure = gates(sampled)["accuracy[female]"]["measure"]
    assert measure["value"] == pytest.approx(mean)
    assert measure["n"] == 12


def test_the_spread_is_one_line_and_flaky_samples_are_named(sampled):
    result = run(sampled, "--mt-repeat=5")
    [line] = [line for line in result.outlines if " by repeat" in line]
    assert "5 repeats: accuracy 0." in line
    assert "standard deviation 0." in line
    assert " of 24 samples are flaky: " in line
    assert "(correct 3/5, incorrect 2/5)" in line
    assert "doctor" not in line


def test_all_flaky_samples_are_listed_with_v(sampled):
    result = run(sampled, "--mt-repeat=5", "-v")
    listed = [line for line in result.outlines if line.startswith("    flaky: ")]
    suite = next(line for line in sampled.record() if line["kind"] == "suite")
    assert len(listed) == len(suite["repeats"]["flaky"]) > 3
    assert all("suites/occupations.mt.yaml:" in line for line in listed)


def test_the_record_markdown_report_rows_and_show_have_repeats(sampled, capsys):
    run(sampled, "--mt-repeat=3", "--mt-markdown=run.md", "--mt-report=run.html")
    path = sampled.path / ".mtprobe/last-run.jsonl"
    suite = next(line for line in sampled.record() if line["kind"] == "suite")
    assert suite["repeats"]["count"] == 3
    assert len(suite["repeats"]["accuracies"]) == 3
    flaky = next(iter(suite["repeats"]["flaky"]))
    finished = mtprobe.read_run(path)
    assert [row["repeat"] for row in finished.to_rows()[:4]] == [1, 2, 3, 1]
    finished.to_csv(sampled.path / "run.csv")
    with (sampled.path / "run.csv").open(encoding="utf-8", newline="") as stream:
        assert next(iter(csv.DictReader(stream)))["repeat"] == "1"
    assert "3 repeats: accuracy" in (sampled.path / "run.md").read_text(encoding="utf-8")
    page = (sampled.path / "run.html").read_text(encoding="utf-8")
    assert "Each sentence was translated 3 times" in page
    assert "samples are flaky" in page
    assert main(["show", str(path), flaky]) == 0
    shown = capsys.readouterr().out
    assert [line for line in shown.splitlines() if line.startswith("  repeat ")] == [
        f"  repeat       {number} of 3 ("
        + ", ".join(f"{name} {count}/3" for name, count in verdicts.items())
        + ")"
        for verdicts in [suite["repeats"]["flaky"][flaky]]
        for number in (1, 2, 3)
    ]


def test_repeats_are_stored_and_a_later_run_asks_only_for_more(sampled):
    run(sampled, "--mt-repeat=2")
    run(sampled, "--mt-repeat=4")
    assert len(sampled.calls("translate")) == 4 * 24
    first = [line for line in samples(sampled) if line["repeat"] <= 2]
    run(sampled, "--mt-repeat=2")
    assert len(sampled.calls("translate")) == 4 * 24
    assert [line["translation"] for line in samples(sampled)] == [line["translation"] for line in first]


def test_the_first_repeat_is_the_run_without_repeats(sampled):
    run(sampled, "--mt-repeat=3")
    first = [line for line in samples(sampled) if line["repeat"] == 1]
    run(sampled)
    assert [line["verdict"] for line in samples(sampled)] == [line["verdict"] for line in first]
    assert not any("repeat" in line for line in samples(sampled))


def test_a_model_that_takes_strings_is_asked_again(sampled):
    run(sampled, "--mt-repeat=3", model="strings")
    assert len(sampled.calls("translate")) == 3 * 24
    assert len({line["translation"] for line in samples(sampled)}) > 24 / 2


def test_a_deterministic_model_is_asked_once_and_a_note_says_so(sampled):
    result = run(sampled, "-v", "--mt-repeat=5", model="still")
    assert len(sampled.calls("translate")) == 24
    assert not any("repeat" in line for line in samples(sampled))
    [note] = [line for line in result.outlines if "note: repeats change nothing" in line]
    assert note.strip() == (
        "note: repeats change nothing: python-sampled-still always gives the same translation, so it is called only once"
    )


@pytest.mark.slow
@pytest.mark.parametrize("args", [[], ["-q"], ["-n2"]])
def test_the_note_is_shown_once_without_being_asked_for(sampled, args):
    result = run(sampled, *args, "--mt-repeat=5", model="still")
    said = [line for line in (*result.outlines, *result.errlines) if "repeats change nothing" in line]
    assert len(said) == 1


def test_the_demo_model_costs_no_more_with_repeats(project):
    result = project.pytest(
        "-v", "--mt-model=demo", "--mt-repeat=5", "--mt-take=2", "--mt-counterfactuals=0", model=None
    )
    result.stdout.fnmatch_lines(["*repeats change nothing: demo always gives the same translation*"])
    assert len(samples(project)) == 2


def test_given_targets_are_judged_once(sampled):
    sampled.suite(
        "occupations",
        """\
        mtprobe: 1
        name: pairs
        about: Is the right target likelier?
        languages: {source: en, targets: any}
        method: minimal-pairs
        gates: {accuracy: ">= 0.1"}
        samples:
          - source: The woman doctor slept.
            targets: {pt: {correct: A médica dormiu., incorrect: O médico dormiu.}}
        """,
    )
    result = run(sampled, "-v", "--mt-repeat=5")
    assert len(samples(sampled)) == 1
    result.stdout.fnmatch_lines(["*repeats change nothing: the method judges given targets*"])


def test_a_sample_that_must_be_correct_must_be_so_every_time(sampled):
    sampled.change("gates:", "expect: each\ngates:")
    result = run(sampled, "-v", "--mt-repeat=5", "-k", "shift/writer or shift/doctor")
    passed = result.parseoutcomes()["passed"]
    assert passed >= 2  # the doctors
    assert result.parseoutcomes()["failed"] == 4 - passed
    result.stdout.fnmatch_lines(["*repeats      *correct */5*"])


@pytest.mark.slow
def test_workers_give_the_same_numbers(sampled):
    pytest.importorskip("xdist")
    run(sampled, "--mt-repeat=3")
    alone = samples(sampled)
    run(sampled, "--mt-repeat=3", "-n2")
    assert samples(sampled) == alone


def test_a_part_of_the_samples_is_repeated(sampled):
    run(sampled, "--mt-repeat=3", "--mt-take=5")
    assert len(samples(sampled)) == 15
    assert len(sampled.calls("translate")) == 15


def test_a_regression_is_measured_on_means_against_a_baseline_without_repeats(sampled):
    sampled.change("gates:", 'gates:\n  regression: "<= 0.02"')
    run(sampled, "--mt-record=earlier.jsonl", "--mt-baseline=none")
    earlier = sampled.record("earlier.jsonl")
    run(sampled, "--mt-repeat=5", "--mt-baseline=earlier.jsonl")
    before = [line["verdict"]["outcome"] == "correct" for line in earlier if line["kind"] == "sample"]
    after = [line["verdict"]["outcome"] == "correct" for line in samples(sampled)]
    loss = gates(sampled)["regression"]["measure"]
    assert loss["value"] == pytest.approx(sum(before) / 24 - sum(after) / 120)
    assert loss["n"] == 24


def test_a_record_with_repeats_is_rescored_with_all_of_them(sampled, monkeypatch, capsys):
    run(sampled, "--mt-repeat=3")
    before = samples(sampled)
    monkeypatch.chdir(sampled.path)
    evaluator = ["--evaluator", "python:toys:fair", "--target", "pt"]
    assert main(["rescore", ".mtprobe/last-run.jsonl", *evaluator, "-o", "again.jsonl"]) in (0, 1), (
        capsys.readouterr()
    )
    lines = [
        json.loads(line) for line in (sampled.path / "again.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    again = [line for line in lines if line["kind"] == "sample"]
    assert [(line["id"], line["repeat"], line["translation"]) for line in again] == [
        (line["id"], line["repeat"], line["translation"]) for line in before
    ]


def test_the_ini_file_may_say_so(sampled):
    (sampled.path / "pytest.ini").write_text("[pytest]\nmt_repeat = 2\n", encoding="utf-8")
    run(sampled)
    assert len(samples(sampled)) == 48


def test_what_is_no_number_is_a_usage_error(project):
    for bad in ("many", "0", "-3"):
        result = project.pytest(f"--mt-repeat={bad}")
        assert result.ret == 4
        result.stderr.fnmatch_lines([f"*--mt-repeat: {bad} is not a number of repeats"])
