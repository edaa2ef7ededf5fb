from __future__ import annotations

import csv
import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pytest

import mtprobe.records
from mtprobe.gates.judge import Decision, GateResult
from mtprobe.methods.audit_pairs.outcome import Audit, Offset
from mtprobe.methods.verdict import Evidence, Outcome, Verdict, first_repeat
from mtprobe.metrics import Measure
from mtprobe.records import (
    FailedSuite,
    ModelFacts,
    Recorder,
    RecordError,
    Run,
    RunFacts,
    SuiteRun,
    Unjudged,
    read_run,
    write_run,
)
from tests.metrics.results import result
from tests.report.factory import a_gate, a_run, a_suite


@pytest.fixture
def run():
    one = dataclasses.replace(
        result(1, "incorrect", stereotype="pro", rank=3),
        focus=(2, 5),
        verdict=Verdict(
            Outcome.INCORRECT,
            "",
            0.25,
            (Evidence("correct", "A “quoted”\u2028 text", -1.5, tokens=((0, 1, -2.0), (2, 2, -1.0))),),
        ),
    )
    suite = SuiteRun(
        suite="s", about="?", path="s.mt.yaml", digest="abc", method="m", categories=("male",), source="en", target="pt",
        model=ModelFacts("demo", "demo:1", "greedy", "fp32", "CPU"), evaluator=None, judges_itself=True, partial=False,
        seed=0, results=(one, result(2, "error", p=None)),
        gates=(GateResult("accuracy", ">= 0.60", "s.mt.yaml", 3, Measure(0.5, 0.1, 0.9, 2), Decision.FAILED),),
    )  # fmt: skip
    return Run(
        RunFacts("0.1.0", "2026-01-01T00:00:00+00:00"),
        (suite, dataclasses.replace(suite, suite="t")),
    )


def test_a_record_reads_back_as_it_was(run, tmp_path):
    write_run(tmp_path / "new" / "run.jsonl", run)
    assert read_run(tmp_path / "new" / "run.jsonl") == run
    assert read_run(str(tmp_path / "new" / "run.jsonl")) == run


def test_an_audit_reads_back_and_a_record_without_one_loads(run, tmp_path):
    offset = Offset("female", Measure(0.1, 0.0, 0.2, 8))
    audit = Audit(
        "cues", "pt", Measure(0.9, 0.8, 1.0, 8), Measure(1.0, 0.9, 1.0, 8), Measure.nothing("x"), (offset,)
    )
    audited = dataclasses.replace(
        run, suites=(dataclasses.replace(run.suites[0], audit=audit), run.suites[1])
    )
    path = tmp_path / "run.jsonl"
    write_run(path, audited)
    assert read_run(path) == audited
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [line["audit"] and line["audit"]["verdict"] for line in lines if line["kind"] == "suite"] == [
        "fit",
        None,
    ]
    for line in lines:
        line.pop("audit", None)
        for one in line.get("verdict", {}).get("evidence", ()):
            del one["offset"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert read_run(path) == run


def test_lines_and_fields_of_a_newer_minor_version_are_ignored(run, tmp_path):
    path = tmp_path / "run.jsonl"
    write_run(path, run)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    lines[0]["record"] = "1.8"
    for line in lines:
        line["new_field"] = [1, 2]
    lines.insert(3, {"kind": "weather", "sun": True})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    read = read_run(path)
    assert read.suites == run.suites


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "incomplete record"),
        ('{"kind": "run", "record": "1.0", "version": "1", "created": "x"}\n', "incomplete record"),
        ('{"kind": "run", "record": "2.0", "version": "1", "created": "x"}\n', "version 2.0"),
        ("<html>\n", "run.jsonl:1: not a line of a run record"),
        ('{"kind": "suite"}\n', "not the first line"),
    ],
)
def test_an_incomplete_record_is_refused(text, message, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text(text)
    with pytest.raises(RecordError) as error:
        read_run(path)
    assert message in str(error.value)


def test_a_missing_record_is_an_error(tmp_path):
    with pytest.raises(RecordError, match="cannot be read"):
        read_run(tmp_path / "nothing.jsonl")


def test_a_byte_order_mark_is_ignored(run, tmp_path):
    path = tmp_path / "run.jsonl"
    write_run(path, run)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert read_run(path) == run


def test_another_major_version_may_have_other_fields(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text('{"kind": "run", "record": "2.0", "versions": {}}\n')
    with pytest.raises(RecordError, match=r"a record of version 2\.0; this mtprobe reads 1\."):
        read_run(path)


def test_rows_are_flat_and_make_csv(run, tmp_path):
    rows = run.to_rows()
    assert len(rows) == 4
    assert rows[0]["attribute.stereotype"] == "pro"
    assert rows[0]["probability"] == 0.25
    run.to_csv(tmp_path / "rows.csv")
    header, *lines = (tmp_path / "rows.csv").read_text(encoding="utf-8").splitlines()
    assert header.startswith(
        "model,suite,method,source_language,target_language,evaluator,id,category,source,focus,"
    )
    assert len(lines) == 4


def test_passed_needs_every_gate(run):
    assert not run.passed
    suite = run.suites[0]
    accepted = dataclasses.replace(suite.gates[0], xfail="known")
    assert Run(run.facts, (dataclasses.replace(suite, gates=(accepted,)),)).passed
    assert not Run(run.facts, (dataclasses.replace(suite, gates=()),)).passed


def test_a_choice_reads_back_and_an_older_record_without_choices_loads(run, tmp_path):
    one = run.suites[0].results[0]
    chose = dataclasses.replace(
        one, choices=("male", "female"), verdict=Verdict(Outcome.OPEN, "", 0.7, (), "male")
    )
    path = tmp_path / "run.jsonl"
    write_run(path, dataclasses.replace(run, suites=(dataclasses.replace(run.suites[0], results=(chose,)),)))
    assert read_run(path).suites[0].results == (chose,)
    assert read_run(path).to_rows()[0]["choice"] == "male"

    write_run(path, run)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    lines[0]["record"] = "1.0"
    for line in lines:
        if line["kind"] == "sample":
            del line["choices"], line["verdict"]["choice"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert read_run(path).suites == run.suites


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parent / "versions").glob("*.jsonl")), ids=lambda path: path.stem
)
def test_the_record_of_every_version_loads(path, tmp_path):
    read = read_run(path)
    assert read.facts.record == path.stem
    (suite,) = read.suites
    once = first_repeat(suite.results)
    assert [one.verdict.outcome for one in once].count(Outcome.CORRECT) == 4
    assert all(one.verdict.evidence[0].score < 0 for one in suite.results)
    assert [gate.decision for gate in suite.gates[:4]] == [Decision.PASSED, *[Decision.FAILED] * 3]
    assert len(once) == 8
    assert len(read.to_rows()) == len(suite.results)
    write_run(tmp_path / "again.jsonl", read)
    assert read_run(tmp_path / "again.jsonl") == read


def test_there_is_a_record_of_every_version():
    major, minor = mtprobe.records.VERSION.split(".")
    names = {path.stem for path in (Path(__file__).parent / "versions").glob("*.jsonl")}
    assert names == {f"{major}.{number}" for number in range(int(minor) + 1)}


def test_a_regression_reads_back():
    read = read_run(Path(__file__).parent / "versions" / "1.4.jsonl")
    regression = read.suites[0].gates[-1].regression
    assert len(regression.regressed) == 4
    assert regression.regressed[0].translation.startswith("A ")
    assert regression.p_adjusted == pytest.approx(0.25)


def test_a_record_is_written_as_the_run_goes_on(run, tmp_path):
    path = tmp_path / "new" / "run.jsonl"
    recorder = Recorder(path, run.facts)
    recorder.add(run.suites[0])
    unfinished = tmp_path / "new" / "run.jsonl.unfinished"
    assert read_run(unfinished, whole=False) == Run(run.facts, run.suites[:1], whole=False)
    with pytest.raises(RecordError, match="incomplete record"):
        read_run(unfinished)
    recorder.add(FailedSuite("t", "t.mt.yaml", "demo", "no weights"))
    assert read_run(unfinished, whole=False).failed[0].reason == "no weights"
    recorder.finish(run)
    assert read_run(path) == run
    assert not unfinished.exists()


def test_the_last_record_stays_until_the_next_is_finished(run, tmp_path):
    path = tmp_path / "run.jsonl"
    write_run(path, run)
    Recorder(path, run.facts).add(run.suites[0])
    assert read_run(path) == run


def test_a_torn_last_line_loses_only_that_line(run, tmp_path):
    path = tmp_path / "run.jsonl"
    write_run(path, run)
    whole = path.read_bytes()
    suites = set()
    for end in range(len(whole.splitlines()[0]) + 1, len(whole), 7):
        path.write_bytes(whole[:end])
        read = read_run(path, whole=False)
        assert not read.whole
        assert not read.passed
        suites.add(len(read.suites))
    assert suites == {0, 1, 2}


def test_a_run_that_was_stopped_says_so(run, tmp_path):
    path = tmp_path / "run.jsonl"
    write_run(path, dataclasses.replace(run, whole=False))
    with pytest.raises(RecordError, match="interrupted"):
        read_run(path)
    assert read_run(path, whole=False).suites == run.suites


def test_what_was_not_judged_reads_back_and_the_record_is_not_whole(run, tmp_path):
    path = tmp_path / "run.jsonl"
    missing = Unjudged("one", "one.mt.yaml", "demo", ("gap",), 2, 9, "stopping after 1 failures")
    write_run(path, dataclasses.replace(run, unjudged=(missing,)))
    with pytest.raises(
        RecordError, match="one on demo was not judged for gap, 2 of its samples: stopping after"
    ):
        read_run(path)
    read = read_run(path, whole=False)
    assert read.unjudged == (missing,)
    assert not read.whole
    assert not read.passed


def test_a_record_without_its_end_is_not_read_where_it_must_have_one(run, tmp_path):
    path = tmp_path / "run.jsonl"
    write_run(path, dataclasses.replace(run, whole=False))
    assert not read_run(path, whole=False, torn=False).whole
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:-1]), encoding="utf-8")
    assert not read_run(path, whole=False).whole
    with pytest.raises(RecordError, match="incomplete record"):
        read_run(path, whole=False, torn=False)


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process")
def test_a_disk_that_is_full_leaves_the_last_record_alone(run, tmp_path):
    path = tmp_path / "run.jsonl"
    write_run(path, run)
    before = path.read_bytes()
    program = (
        "import resource, signal, sys\nfrom mtprobe.records import read_run, write_run\n"
        "run = read_run(sys.argv[1])\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\nwrite_run(__import__('pathlib').Path(sys.argv[1]), run)"
    )
    done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=False)
    assert "File too large" in done.stderr
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["run.jsonl"]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n=", " =", "＝"])
def test_a_cell_that_a_spreadsheet_would_compute_gets_an_apostrophe(run, tmp_path, start):
    text = f"{start}cmd|' /C calc'!A0"
    suite = run.suites[0]
    result = dataclasses.replace(suite.results[0], translation=text, attributes={"score": -0.5, text: text})
    hostile = dataclasses.replace(run, suites=(dataclasses.replace(suite, results=(result,)),))
    for raw, expected in ((False, f"'{text}"), (True, text)):
        hostile.to_csv(tmp_path / "rows.csv", raw=raw)
        with (tmp_path / "rows.csv").open(encoding="utf-8", newline="") as stream:
            (row,) = csv.DictReader(stream)
        assert row["translation"] == expected
        assert row["attribute.score"] == "-0.5"
        assert row[f"attribute.{text}"] == expected


def test_a_run_shows_itself_in_one_line():
    run = a_run(a_suite(gates=(a_gate(), a_gate(Decision.FAILED))))
    assert repr(run) == "<Run: demo en→pt; suites: 1; gates passed: 1 of 2>"
    assert repr(a_run(a_suite(), a_suite())) == "<Run: demo en→pt; suites: 2; gates passed: 2 of 2>"
