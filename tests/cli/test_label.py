"""mtprobe label: what it draws, what it writes, and how labels come back into a run."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections import Counter
from dataclasses import replace

import pytest

import mtprobe
from mtprobe.cli import main
from mtprobe.gates import Decision
from mtprobe.records import read_run, write_run
from mtprobe.suite.labels import half_of, read_label_file, write_label_file
from tests.metrics.results import result
from tests.report.factory import MODEL, a_run, a_suite


def a_record(path, *suites):
    write_run(path, a_run(*suites))
    return str(path)


def judged(*groups, start=0):
    """Groups of (how many, outcome, category)."""
    numbers = iter(range(start, 100_000))
    return [
        result(next(numbers), outcome, category=category) for n, outcome, category in groups for _ in range(n)
    ]


RESULTS = judged(
    (300, "correct", "male"),
    (20, "incorrect", "male"),
    (60, "correct", "female"),
    (130, "incorrect", "female"),
    (10, "undecided", "female"),
)


@pytest.fixture
def record(folder):
    return a_record(folder / "run.jsonl", a_suite(*RESULTS, suite="jobs"))


def label(*arguments):
    assert main(["label", *map(str, arguments)]) == 0


def test_a_draw_is_shared_equally_between_categories_and_each_verdict_is_in_it(record, folder):
    label(record, "-n", 100)
    lines = read_label_file(folder / "jobs.pt.tsv")
    results = {one.id: one for one in RESULTS}
    strata = Counter((results[line.id].category, results[line.id].verdict.outcome.value) for line in lines)
    assert sum(strata.values()) == 100
    assert strata["male", "correct"] + strata["male", "incorrect"] == 50
    assert all(
        strata[key] > 0 for key in [("male", "incorrect"), ("female", "undecided"), ("female", "correct")]
    )


def test_probabilities_are_those_of_the_strata(record, folder):
    label(record, "-n", 100)
    lines = read_label_file(folder / "jobs.pt.tsv")
    sizes = Counter((one.category, one.verdict.outcome) for one in RESULTS)
    results = {one.id: one for one in RESULTS}
    totals = Counter()
    for line in lines:
        one = results[line.id]
        totals[one.category, one.verdict.outcome] += 1 / line.probability
    assert totals == pytest.approx(sizes)


def test_the_sheet_is_blind_and_its_order_says_nothing(record, folder):
    label(record, "-n", 60)
    page = (folder / "jobs.pt.html").read_text(encoding="utf-8")
    packed = re.search(r'id="sheet"[^>]*>([^<]+)<', page)[1]
    samples = json.loads(b64decode(packed))["samples"]
    told = {"cells", "source", "translation", "category", "answers", "label", "by"}
    assert all(set(sample) == told and sample["label"] == sample["by"] == "" for sample in samples)
    assert all(
        line.label == "" and line.labelled_by == "" for line in read_label_file(folder / "jobs.pt.tsv")
    )
    results = {one.id: one for one in RESULTS}
    order = [results[line.id].verdict.outcome for line in read_label_file(folder / "jobs.pt.tsv")]
    assert order != sorted(order)


def test_every_line_says_which_half_its_word_belongs_to(record, folder):
    label(record, "-n", 40)
    clusters = {one.id: one.cluster for one in RESULTS}
    for line in read_label_file(folder / "jobs.pt.tsv"):
        assert line.half == half_of(clusters[line.id])


def test_the_same_samples_are_drawn_again_and_a_larger_draw_contains_a_smaller_one(record, folder):
    for n, name in ((40, "small"), (40, "again"), (90, "large")):
        label(record, "-n", n, "-o", folder / f"{name}.tsv")
    small, again, large = (read_label_file(folder / f"{name}.tsv") for name in ("small", "again", "large"))
    assert small == again
    assert {line.id for line in small} <= {line.id for line in large}


def test_labels_are_kept_in_a_larger_draw(record, folder):
    label(record, "-n", 40, "-o", folder / "small.tsv")
    done = [
        replace(line, label="correct", labelled_by="anna") for line in read_label_file(folder / "small.tsv")
    ]
    write_label_file(folder / "small.tsv", done)
    label(record, "-n", 90, "-o", folder / "large.tsv", "--keep", folder / "small.tsv")
    large = read_label_file(folder / "large.tsv")
    assert sum(line.label == "correct" and line.labelled_by == "anna" for line in large) == 40
    assert len({line.probability for line in large}) > 1


def test_a_tiny_draw_has_one_of_each_category_and_verdict(record, folder):
    """Otherwise the labels could say nothing about the rest, and the numbers would not be corrected."""
    label(record, "-n", 3)
    lines = read_label_file(folder / "jobs.pt.tsv")
    results = {one.id: one for one in RESULTS}
    strata = [(results[line.id].category, results[line.id].verdict.outcome) for line in lines]
    assert len(strata) == len(set(strata)) == 5
    assert sum(1 / line.probability for line in lines) == pytest.approx(len(RESULTS))


def test_a_small_suite_is_drawn_completely(folder):
    record = a_record(folder / "run.jsonl", a_suite(*judged((7, "correct", "male")), suite="jobs"))
    label(record)
    assert [line.probability for line in read_label_file(folder / "jobs.pt.tsv")] == [1.0] * 7


def test_a_sheet_that_exists_is_not_replaced(record, folder, capsys):
    label(record, "-n", 10)
    assert main(["label", record, "-n", "10"]) != 0
    assert "it may have labels" in capsys.readouterr().err
    label(record, "-n", 20, "--force")
    assert len(read_label_file(folder / "jobs.pt.tsv")) == 20


def test_a_run_on_some_of_the_samples_is_not_drawn_from(folder, capsys):
    record = a_record(folder / "run.jsonl", a_suite(*RESULTS, suite="jobs", partial=True))
    assert main(["label", record]) != 0
    assert "jobs was run on only some of its samples" in capsys.readouterr().err


def test_two_models_are_not_drawn_at_once(folder, capsys):
    suite = a_suite(*RESULTS, suite="jobs")
    record = a_record(folder / "run.jsonl", suite, replace(suite, model=replace(MODEL, name="other")))
    assert main(["label", record]) != 0
    assert "choose one with --model" in capsys.readouterr().err
    label(record, "--model", "other")


def test_missing_without_a_draw_says_what_to_do(record, capsys):
    assert main(["label", record, "--missing"]) != 0
    assert "name the label file in the suite" in capsys.readouterr().err


SUITE = """\
mtprobe: 1
name: doctors
about: Does the translation keep the doctor's gender?
languages: {source: en, targets: any}
method: lexicon
categories: [male, female]
gates:
  accuracy: ">= 0.60"
  degenerate: "<= 0.1"
generate:
  - id: keys
    source: The <{job}> lost {whose} keys.
    slots:
      job: [doctor, nurse, cook, poet, judge, king, clerk, guide, agent, actor, lawyer, baker, pilot, sailor, tailor]
      whose: {her: {category: female}, his: {category: male}}
    lemmas: {fr: {good: [bon], bad: [mauvais]}}
"""


class Toy:
    """Translates with the word that the lexicon takes for right, whatever is true; a later version changes some."""

    fingerprint = "toy"

    def __init__(self, changed=()):
        from mtprobe.backends import LanguagePair

        self.languages = LanguagePair("en", "fr")
        self.changed = changed
        self.fingerprint = f"toy-{len(changed)}"

    def translate(self, sources):
        return [
            f"Le {source.split()[1]}{' encore' * self._new(source)} a perdu {source.split()[3]} clés dans la rue, c'est bon."
            for source in sources
        ]

    def _new(self, source):
        return any(word in source for word in self.changed)


@pytest.fixture
def doctors(folder):
    """A suite and its labels: half of what the verdicts call right is wrong."""
    path = folder / "doctors.mt.yaml"
    path.write_text(SUITE, encoding="utf-8")
    run(path, Toy())
    label("run.jsonl", "-n", 20, "-o", folder / "fr.tsv")
    lines = read_label_file(folder / "fr.tsv")
    labels = ["correct" if number % 2 else "incorrect" for number in range(len(lines))]
    done = [replace(line, label=said, labelled_by="anna") for line, said in zip(lines, labels, strict=True)]
    write_label_file(folder / "fr.tsv", done)
    path.write_text(SUITE + "labels: {fr: fr.tsv}\ncorrected: true\n", encoding="utf-8")
    return path


def run(path, model, **settings):
    done = mtprobe.run(path, model, record="run.jsonl", lemmatizer="surface", **settings)
    return {gate.key: gate for gate in done.suites[0].gates}, done.suites[0]


def test_labels_decide_a_gate_that_verdicts_would_pass(doctors):
    gates, suite = run(doctors, Toy())
    accuracy = gates["accuracy"]
    assert (accuracy.raw.value, accuracy.measure.value) == (1.0, pytest.approx(0.5))
    assert accuracy.decision is Decision.FAILED
    assert gates["degenerate"].decision is Decision.PASSED
    assert suite.labelled_by == ("anna",)
    assert read_run("run.jsonl").suites[0] == suite
    rows = mtprobe.read_run("run.jsonl").to_rows()
    assert Counter(row["label"] for row in rows) == {"correct": 10, "incorrect": 10, "": 10}


def test_a_changed_translation_needs_a_new_label_before_gates_are_decided(doctors, folder, capsys):
    lines = {line.id: line for line in read_label_file(folder / "fr.tsv")}
    words = {id.split("/")[1] for id in lines}
    changed = sorted(words)[:2]
    gates, suite = run(doctors, Toy(changed))
    waiting = [id for id in lines if id.split("/")[1] in changed]
    assert gates["accuracy"].decision is Decision.UNDECIDED
    assert not gates["accuracy"].skippable
    assert f"{len(waiting)} of 20 samples drawn" in gates["accuracy"].reason
    assert any("mtprobe label RECORD --missing" in note for note in suite.notes)

    label("run.jsonl", "--missing", "-o", folder / "more.tsv")
    assert "append its lines" in capsys.readouterr().out
    more = read_label_file(folder / "more.tsv")
    assert {line.id for line in more} == set(waiting)
    assert all(line.probability == lines[line.id].probability for line in more)
    write_label_file(
        folder / "more.tsv", [replace(line, label="correct", labelled_by="ben") for line in more]
    )
    text = doctors.read_text(encoding="utf-8")
    doctors.write_text(text.replace("fr.tsv", "[fr.tsv, more.tsv]"), encoding="utf-8")
    gates, suite = run(doctors, Toy(changed))
    assert gates["accuracy"].raw is not None
    assert set(suite.labelled_by) == {"anna", "ben"}
    assert suite.notes == ()


def test_a_suite_that_has_grown_since_the_draw_is_not_corrected(doctors):
    text = doctors.read_text(encoding="utf-8")
    doctors.write_text(text.replace("sailor,", "sailor, writer, farmer,"), encoding="utf-8")
    gates, _ = run(doctors, Toy())
    assert gates["accuracy"].decision is Decision.UNDECIDED
    assert "they were drawn from 30 samples, and there are 34 now" in gates["accuracy"].reason


def test_without_corrected_the_number_is_only_shown(doctors):
    text = doctors.read_text(encoding="utf-8")
    doctors.write_text(text.replace("corrected: true\n", ""), encoding="utf-8")
    gates, _ = run(doctors, Toy(), unfit="warn")
    assert gates["accuracy"].decision is Decision.PASSED
    assert gates["accuracy"].corrected.value == pytest.approx(0.5)


def test_agree_reads_the_label_files(doctors, capsys):
    run(doctors, Toy())
    capsys.readouterr()
    assert main(["agree", "run.jsonl", "--labels", "fr.tsv"]) == 0
    out = capsys.readouterr().out
    assert "agreement" in out
    assert "0.50" in out
    run(doctors, Toy(["doctor", "nurse", "cook"]))
    capsys.readouterr()
    main(["agree", "run.jsonl", "--labels", "fr.tsv"])
    assert "of other translations than this run's" in capsys.readouterr().out
