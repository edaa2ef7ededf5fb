"""mtprobe trend RECORD…"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

import mtprobe
from mtprobe.cli import main
from mtprobe.gates.judge import Decision
from mtprobe.records import RunFacts, write_run
from mtprobe.records.history import keep_in_history
from tests.report.code_spans import outside_code
from tests.report.factory import HOSTILE, MODEL, a_gate, a_hostile_run, a_run, a_sample, a_suite


@pytest.fixture
def trend(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def run(*words, code=0):
        assert main(["trend", *words]) == code
        printed = capsys.readouterr()
        return printed.err if code else printed.out

    return run


def release(path, day, *gates, **changes):
    run = a_run(a_suite(gates=gates or (a_gate(),), **changes))
    write_run(Path(path), replace(run, facts=RunFacts("0.1.0", f"2026-03-{day:02}T09:00:00+00:00")))


def test_two_real_runs_of_the_demo_model(suite, capsys):
    for number, model in enumerate(("demo=demo", "demo=demo?beams=4")):
        mtprobe.run(suite, model, record=f"{number}.jsonl")
    assert main(["trend", "0.jsonl", "1.jsonl", "-o", "trend.html"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("1 (demo): ")
    assert "doctors · demo · en→pt · contrastive-conditioning" in out
    assert "accuracy[female]" in out
    assert "page: trend.html" in out
    assert Path("trend.html").read_text("utf-8").count("<svg viewBox") == 1


def test_what_flipped_comes_first_then_every_gate_with_a_letter_per_release(trend):
    release("v1.jsonl", 1)
    release("v2.jsonl", 2, a_gate(Decision.FAILED, value=0.5))
    release("v3.jsonl", 3, a_gate(Decision.UNDECIDED, value=0.6))
    lines = trend("v3.jsonl", "v1.jsonl", "v2.jsonl").splitlines()
    assert lines[:2] == ["v3 (demo): 0 of 1 gates pass", "Since v2: 0 newly failing, 0 newly passing."]
    assert "    occupations: accuracy[male]: passed → failed, 0.75 → 0.50" in lines
    row = next(line for line in lines if line.lstrip().startswith("accuracy[male] "))
    assert row.split() == ["accuracy[male]", ">=", "0.60", ".F?", "0.60", "0.50–0.70", "undecided"]


def test_the_given_order_can_be_kept(trend):
    release("v1.jsonl", 1)
    release("v2.jsonl", 2, a_gate(Decision.FAILED, value=0.5))
    assert " F. " in trend("v2.jsonl", "v1.jsonl", "--given-order")


def test_breaks_partial_and_incomplete_runs_are_marked(trend):
    release("v1.jsonl", 1)
    release("v2.jsonl", 2, digest="new")
    release("v3.jsonl", 3, digest="new", partial=True)
    stopped = replace(a_run(), whole=False, facts=RunFacts("0.1.0", "2026-03-04T09:00:00+00:00"))
    write_run(Path("v4.jsonl"), stopped)
    out = trend("v1.jsonl", "v2.jsonl", "v3.jsonl", "v4.jsonl")
    assert " .|.|.|. " in out
    assert "v3: only some of the samples were used" in out
    assert "v4: the run was stopped before its end" in out
    assert "not comparable: v2: occupations: the suite changed" in out
    assert "not comparable: v4: occupations: the suite changed; all samples, before only some" in out


@pytest.mark.usefixtures("folder")
def test_a_folder_of_records_and_what_is_no_record_there(capsys):
    Path("runs").mkdir()
    release("runs/v1.jsonl", 1)
    keep_in_history(Path("runs"), a_run())
    Path("runs/other.jsonl").write_text("[]\n")
    assert main(["trend", "runs"]) == 0
    printed = capsys.readouterr()
    assert printed.err == "runs/other.jsonl: not a run record; skipped\n"
    assert " .. " in printed.out


def test_a_named_file_that_is_no_record_is_an_error(trend):
    Path("other.jsonl").write_text("[]\n")
    assert "other.jsonl:1: not a" in trend("other.jsonl", code=2)
    assert "missing.jsonl" in trend("missing.jsonl", code=2)


def test_an_empty_folder_is_an_error(trend):
    Path("runs").mkdir()
    assert trend("runs", code=2).endswith("runs: no run records\n")


def test_only_the_last_runs_can_be_shown(trend):
    for day in range(1, 5):
        release(f"v{day}.jsonl", day)
    assert " .. " in trend(".", "--last", "2")
    assert "--last: must be at least 1" in trend(".", "--last", "0", code=2)


def test_models_of_different_names_are_one_line_only_where_no_name_comes_twice(trend):
    release("v1.jsonl", 1, model=replace(MODEL, name="big-1"))
    release("v2.jsonl", 2, model=replace(MODEL, name="big-2"))
    out = trend(".")
    assert "occupations · en→pt" in out
    assert "each with a different name (big-1, big-2): shown as releases of one model" in out
    release("v3.jsonl", 3, model=replace(MODEL, name="big-2"))
    out = trend(".")
    assert "occupations · big-1 · en→pt" in out
    assert "occupations · big-2 · en→pt" in out
    assert "not run" in out
    assert "big-1 ·" not in trend(".", "--one-model")


def test_markdown_for_a_pull_request(trend):
    release("v1.jsonl", 1)
    release("v2.jsonl", 2, a_gate(Decision.FAILED, value=0.5), digest="new")
    out = trend(".", "--markdown")
    assert out.startswith(
        "## mtprobe: `v2 (demo)`: 0 of 1 gates pass\n\nSince `v1`: 1 newly failing, 0 newly passing."
    )
    assert "  - `occupations: accuracy[male]: passed → failed, 0.75 → 0.50 (the suite changed)`" in out
    assert "| `occupations · demo · en→pt · contrastive-conditioning` | 1/1 | ┆ **0/1** |" in out
    assert r"| `accuracy[male]` | `>= 0.60` | `.\|F` | 0.50 |" in out


def test_hostile_texts_are_inert_in_markdown(trend):
    write_run(Path("a.jsonl"), a_hostile_run())
    out = trend("a.jsonl", "--markdown")
    for line in out.splitlines():
        assert HOSTILE[0] not in outside_code(line)
    assert HOSTILE[0] in out


@pytest.mark.slow
def test_fifty_records_of_forty_gates_take_seconds(trend):
    samples = [a_sample(f"s{number}", content=f"{number}") for number in range(300)]
    for day in range(50):
        suites = [
            a_suite(
                *samples,
                suite=f"suite{number}",
                gates=tuple(a_gate(key=f"accuracy[c{gate}]") for gate in range(8)),
            )
            for number in range(5)
        ]
        facts = RunFacts("0.1.0", f"2026-03-01T09:00:{day:02}+00:00")
        keep_in_history(Path("runs"), replace(a_run(*suites), facts=facts))
    start = time.perf_counter()
    trend("runs", "-o", "trend.html")
    assert time.perf_counter() - start < 20
    assert Path("trend.html").stat().st_size < 3_000_000
