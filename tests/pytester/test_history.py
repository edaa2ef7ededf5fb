"""--mt-history DIR"""

from __future__ import annotations

import re

import pytest

from mtprobe.cli import main
from mtprobe.pytest_plugin import session
from mtprobe.records import RunFacts, read_run
from mtprobe.records.history import records_in


def kept(project):
    return records_in(project.path / "history")


def test_every_run_is_kept_under_its_date_beside_the_usual_record(project):
    result = project.pytest("--mt-history=history")
    result.stdout.fnmatch_lines(["history: history"])
    project.pytest("--mt-history=history", model="always_male")
    first, second = kept(project)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d{6}Z-[0-9a-f]{8}\.jsonl\.gz", first.name)
    runs = sorted((read_run(first), read_run(second)), key=lambda run: run.passed)
    assert runs[0] == read_run(project.path / ".mtprobe/last-run.jsonl")
    assert [run.passed for run in runs] == [False, True]
    assert first.stat().st_size < (project.path / ".mtprobe/last-run.jsonl").stat().st_size / 3


def test_runs_of_the_same_second_do_not_replace_each_other(project, monkeypatch):
    facts = RunFacts("0.1.0", "2026-03-01T09:05:00+00:00")
    monkeypatch.setattr(session, "new_facts", lambda: facts)
    for _ in range(3):
        project.pytest("--mt-history=history")
    names = [path.name for path in kept(project)]
    assert len(names) == 3
    assert all(name.startswith("2026-03-01T090500Z-") for name in names)


def test_a_run_that_was_stopped_is_kept_as_not_whole(project, capsys):
    text = (project.path / "suites/occupations.mt.yaml").read_text(encoding="utf-8")
    project.suite("second", text.replace("name: occupations", "name: second"))
    project.pytest("--mt-history=history")
    project.pytest("--mt-history=history", "-x", model="always_male")
    capsys.readouterr()
    assert main(["trend", str(project.path / "history"), "--given-order"]) == 0
    out = capsys.readouterr().out
    assert "was not judged" in out
    assert re.search(r"gap .*(-\.|\.-)", out)


def test_gates_that_were_not_selected_are_not_part_of_the_trend(project, capsys):
    project.pytest("--mt-history=history")
    project.pytest("--mt-history=history", "-k", "gap", model="always_male")
    capsys.readouterr()
    assert main(["trend", str(project.path / "history"), "--given-order", "--one-model"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"gap .*(\.F|F\.)", out)
    assert re.search(r"minimum_accuracy .*(\.-|-\.)", out)


@pytest.mark.slow
def test_the_folder_may_be_in_the_ini_file_and_under_xdist(project):
    project.pytester.makeini("[pytest]\nmt_history = history\n")
    project.pytest("-n2", alone=True)
    (path,) = kept(project)
    assert read_run(path).whole


def test_a_file_of_that_name_is_a_usage_error(project):
    (project.path / "history").write_text("")
    result = project.pytest("--mt-history=history")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--mt-history: history is a file; name a folder"])


def test_nothing_is_kept_without_it(project):
    project.pytest()
    assert not (project.path / "history").exists()
