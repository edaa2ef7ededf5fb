from __future__ import annotations

from dataclasses import replace

import pytest

from mtprobe.cli import main
from mtprobe.methods.verdict import Outcome
from mtprobe.records import FailedSuite, read_run, write_run
from tests.report.factory import a_run, a_sample, a_suite


@pytest.fixture
def record(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(run):
        write_run(tmp_path / "run.jsonl", run)
        return "run.jsonl"

    return write


def test_a_complete_run_becomes_the_baseline(record, capsys, tmp_path):
    run = a_run(a_suite(a_sample(p=0.2), a_sample("b", Outcome.CORRECT)))
    assert main(["bless", record(run), "-o", "base/line.jsonl"]) == 0
    assert read_run(tmp_path / "base/line.jsonl") == run
    assert "base/line.jsonl: demo, 1 suite, 2 verdicts" in capsys.readouterr().out


def test_the_default_place_is_baseline_jsonl(record, tmp_path):
    assert main(["bless", record(a_run())]) == 0
    assert (tmp_path / "baseline.jsonl").exists()


@pytest.mark.parametrize(
    ("run", "said"),
    [
        (a_run(a_suite(partial=True)), "occupations was run on only some of its samples"),
        (
            a_run(a_suite(a_sample("x", Outcome.ERROR, reason="timeout"))),
            "1 of 1 samples were not judged (x: timeout)",
        ),
        (replace(a_run(), whole=False), "the run was stopped before its end"),
        (
            replace(a_run(), failed=(FailedSuite("words", "words.mt.yaml", "demo", "no weights"),)),
            "words could not be run on demo: no weights",
        ),
        (replace(a_run(), suites=()), "the record has no suites"),
    ],
    ids=["partial", "errors", "interrupted", "failed", "empty"],
)
def test_an_incomplete_run_is_refused(run, said, record, capsys, tmp_path):
    assert main(["bless", record(run)]) == 2
    error = capsys.readouterr().err
    assert "run.jsonl: cannot be a baseline" in error
    assert said in error
    assert not (tmp_path / "baseline.jsonl").exists()


def test_a_file_that_is_not_a_record_is_an_error(tmp_path, capsys):
    assert main(["bless", str(tmp_path / "nothing.jsonl")]) == 2
    assert "cannot be read" in capsys.readouterr().err
