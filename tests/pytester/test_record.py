"""--mt-record PATH"""

from __future__ import annotations

import pytest

from mtprobe.records import RecordError, read_run


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


def test_a_run_that_was_stopped_leaves_what_it_has_and_says_that_it_is_not_whole(project):
    text = (project.path / "suites/occupations.mt.yaml").read_text(encoding="utf-8")
    project.suite("second", text.replace("name: occupations", "name: second"))
    project.pytest("-x", model="always_male").assert_outcomes(passed=1, failed=1)
    path = project.path / ".mtprobe/last-run.jsonl"
    with pytest.raises(RecordError, match="incomplete record"):
        read_run(path)
    assert [suite.suite for suite in read_run(path, whole=False).suites] == ["occupations"]


@pytest.mark.slow
def test_a_killed_run_leaves_the_suites_that_it_finished(project):
    text = (project.path / "suites/occupations.mt.yaml").read_text(encoding="utf-8")
    project.suite("second", text.replace("name: occupations", "name: second"))
    project.pytester.makeconftest(
        """
        import os, pytest, signal

        class Kill:
            @pytest.hookimpl(wrapper=True, tryfirst=True)
            def pytest_runtest_protocol(self, item):
                if "second" in item.nodeid:
                    os.kill(os.getpid(), signal.SIGKILL)
                return (yield)

        def pytest_configure(config):
            config.pluginmanager.register(Kill())
        """
    )
    assert project.pytest(alone=True).ret != 0
    run = read_run(project.path / ".mtprobe/last-run.jsonl.unfinished", whole=False)
    assert [(suite.suite, len(suite.results), len(suite.gates)) for suite in run.suites] == [
        ("occupations", 24, 4)
    ]
    (project.path / "conftest.py").unlink()
    project.pytest().assert_outcomes(passed=8)
    assert not (project.path / ".mtprobe/last-run.jsonl.unfinished").exists()
    assert read_run(project.path / ".mtprobe/last-run.jsonl").whole


@pytest.mark.slow
def test_a_suite_that_could_not_be_run_is_in_the_record(project):
    project.suite(
        "broken",
        (project.path / "suites/occupations.mt.yaml")
        .read_text(encoding="utf-8")
        .replace("name: occupations", "name: broken"),
    )
    project.pytester.makeconftest(
        """
        import mtprobe.pytest_plugin.session as session
        real = session.run_suite
        def run_suite(plan, *args, **options):
            if plan.suite.name == "broken":
                raise session.MtprobeError("out of memory")
            return real(plan, *args, **options)
        session.run_suite = run_suite
        """
    )
    project.pytest(alone=True).assert_outcomes(errors=4, passed=4)
    run = read_run(project.path / ".mtprobe/last-run.jsonl")
    assert [(one.suite, one.reason) for one in run.failed] == [("broken", "out of memory")]
    assert not run.passed


@pytest.mark.slow
def test_an_interrupted_run_is_recorded_as_not_whole(project):
    text = (project.path / "suites/occupations.mt.yaml").read_text(encoding="utf-8")
    project.suite("second", text.replace("name: occupations", "name: second").replace("doctor", "baker"))
    toys = project.path / "toys.py"
    toys.write_text(
        toys.read_text(encoding="utf-8").replace(
            "        noun = next(",
            '        if "baker" in source:\n            raise KeyboardInterrupt\n        noun = next(',
        ),
        encoding="utf-8",
    )
    result = project.pytest("--mt-report=report.html", "--mt-markdown=summary.md", alone=True)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    path = project.path / ".mtprobe/last-run.jsonl"
    with pytest.raises(RecordError, match="interrupted"):
        read_run(path)
    assert [suite.suite for suite in read_run(path, whole=False).suites] == ["occupations"]
    assert "stopped before its end" in (project.path / "summary.md").read_text(encoding="utf-8")
