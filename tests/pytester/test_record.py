"""--mt-record PATH"""

from __future__ import annotations

from mtprobe.record import read_run


def test_the_record_holds_everything(project):
    project.pytest("--mt-record=run.jsonl", model="always_male")
    lines = project.record("run.jsonl")
    assert lines[0]["kind"] == "run"
    assert lines[-1]["kind"] == "end"
    run = read_run(project.path / "run.jsonl")
    (suite,) = run.suites
    assert len(suite.results) == 24
    assert {gate.key: gate.decision.value for gate in suite.gates} == {
        "accuracy[male]": "passed",
        "accuracy[female]": "failed",
        "minimum_accuracy": "failed",
        "gap": "failed",
    }
    assert not run.passed


def test_a_spec_never_stands_in_the_record(project):
    command = 'cmd:python3 -c "print(input())" --key=secret'
    project.pytest(
        f"--mt-model={command}",
        "--mt-target=pt",
        "--mt-evaluator=python:toys:fair",
        "--mt-take=1",
        model=None,
    )
    assert "secret" not in (project.path / ".mtprobe" / "last-run.jsonl").read_text(encoding="utf-8")


def test_the_default_place_keeps_out_of_version_control(project):
    project.pytest()
    assert (project.path / ".mtprobe" / ".gitignore").read_text() == "*\n"
