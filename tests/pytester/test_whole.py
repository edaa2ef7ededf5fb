"""A record is whole when every gate that was collected was judged; otherwise it says what is missing, and why."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from mtprobe.cli import main
from mtprobe.records import RecordError, read_run
from tests.pytester.running import PATIENCE, running
from tests.soak import soak_only

GATES = ("accuracy[male]", "accuracy[female]", "minimum_accuracy", "gap")


@pytest.fixture
def three(project):
    """Three suites, in this order: first, second, third."""
    text = (project.path / "suites/occupations.mt.yaml").read_text(encoding="utf-8")
    (project.path / "suites/occupations.mt.yaml").unlink()
    for name, place in (("first", "harbour"), ("second", "library"), ("third", "station")):
        other = text.replace("name: occupations", f"name: {name}").replace("harbour", place)
        project.suite(name, other)
    return project


def end_line(project):
    return project.record()[-1]


def missing(project):
    """The gates that the record says are missing, by suite; it must say that it is not whole."""
    path = project.path / ".mtprobe/last-run.jsonl"
    assert end_line(project) == {"kind": "end", "whole": False}
    with pytest.raises(RecordError, match="incomplete record"):
        read_run(path)
    run = read_run(path, whole=False)
    assert not run.passed
    return {suite.suite: suite.gates for suite in run.unjudged}


def bless(project, capsys):
    code = main(["bless", str(project.path / ".mtprobe/last-run.jsonl"), "-o", str(project.path / "b.jsonl")])
    return code, capsys.readouterr().err


def at_the_second_suite(hook, action):
    """A conftest whose hook does this at the second suite's second gate."""
    return f"""
import pytest

def pytest_{hook}:
    nodeid = getattr(locals().get("item") or locals().get("report"), "nodeid")
    if "second.mt.yaml" in nodeid and "female" in nodeid:
        {action}
"""


HOOKS = {
    "a hook that raises in pytest_runtest_protocol": ("runtest_protocol(item)", "raise RuntimeError('boom')", 3),
    "a hook that raises in pytest_runtest_logstart": ("runtest_logreport(report)", "raise RuntimeError('boom')", 3),
    "a hook that raises in pytest_runtest_makereport": ("runtest_makereport(item, call)", "raise RuntimeError('boom')", 3),
    "pytest.exit(returncode=1)": ("runtest_setup(item)", "pytest.exit('enough', returncode=1)", 1),
    "pytest.exit(returncode=0)": ("runtest_setup(item)", "pytest.exit('enough', returncode=0)", 1),
    "pytest.exit()": ("runtest_call(item)", "pytest.exit('enough')", 2),
    "SystemExit in a hook": ("runtest_protocol(item)", "raise SystemExit(0)", 3),
    "a plugin that swallows items": ("runtest_protocol(item)", "return True", 1),
    "session.shouldstop": ("runtest_setup(item)", "item.session.shouldstop = 'enough'", 2),
    "session.shouldfail": ("runtest_setup(item)", "item.session.shouldfail = 'enough'", 1),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("how", HOOKS)
def test_a_session_that_ends_early_says_what_is_missing(three, capsys, how):
    hook, action, code = HOOKS[how]
    (three.path / "conftest.py").write_text(at_the_second_suite(hook, action), encoding="utf-8")
    result = three.pytest()
    assert result.ret == code
    rest = missing(three)
    assert rest.pop("third", GATES) == GATES
    (gates,) = rest.values()
    assert set(gates) <= set(GATES[1:])
    reason = "boom" if "boom" in action else "enough" if "enough" in action else ""
    second = read_run(three.path / ".mtprobe/last-run.jsonl", whole=False).unjudged[0]
    assert second.suite == "second"
    assert reason in second.reason
    result.stdout.fnmatch_lines([f"mtprobe: {second}".replace("[", "[[]")])
    refused, why = bless(three, capsys)
    assert refused != 0
    assert "second" in why
    assert not (three.path / "b.jsonl").exists()


@pytest.mark.parametrize(
    "option", [["-x"], ["--maxfail=2"], ["--stepwise"]], ids=lambda option: option[0].strip("-")
)
def test_stopping_at_a_failure_leaves_gates_unjudged(three, option):
    result = three.pytest(*option, model="always_male")
    assert result.ret != 0
    names = missing(three)
    assert names["second"] == names["third"] == GATES
    assert "gap" in names["first"]
    reason = "Test failed, continuing from this test" if "--stepwise" in option else "stopping after"
    result.stdout.fnmatch_lines([f"mtprobe: second on python-toys-always_male was not judged: *{reason}*"])


SELECTIONS = {
    "keyword": (["-k", "female"], ""),
    "gate": (["suites/first.mt.yaml::gap", "suites/third.mt.yaml"], ""),
    "deselected": (["--deselect=suites/second.mt.yaml"], ""),
    "plugin": ([], "def pytest_collection_modifyitems(items):\n    del items[5:]\n"),
    "skipped": (
        [],
        "import pytest\ndef pytest_collection_modifyitems(items):\n"
        "    for item in items[5:]: item.add_marker(pytest.mark.skip)\n",
    ),
    "skipped in a hook": (
        [],
        "import pytest\ndef pytest_runtest_setup(item):\n    if 'female' in item.name: pytest.skip()\n",
    ),
}


@pytest.mark.parametrize("how", SELECTIONS)
def test_a_selection_is_the_users_choice_and_whole(three, capsys, how):
    args, conftest = SELECTIONS[how]
    (three.path / "conftest.py").write_text(conftest, encoding="utf-8")
    named = any(arg.startswith("suites") for arg in args)
    assert three.pytest(*args, where="" if named else "suites").ret == 0
    run = read_run(three.path / ".mtprobe/last-run.jsonl")
    assert run.whole
    for suite in run.suites:  # whatever was selected of a suite, all of it is there
        assert len(suite.results) == 24
        assert tuple(gate.key for gate in suite.gates) == GATES
    assert bless(three, capsys)[0] == 0


def test_running_the_last_failures_only_is_a_selection_too(three):
    three.pytest("-x", model="always_male")
    three.pytest("--lf", model="always_male")
    run = read_run(three.path / ".mtprobe/last-run.jsonl")
    assert [suite.suite for suite in run.suites] == ["first"]


def test_a_run_that_is_completed_afterwards_is_whole(three):
    three.pytest("-x", model="always_male")
    three.pytest(model="always_male")
    assert [suite.suite for suite in read_run(three.path / ".mtprobe/last-run.jsonl").suites] == [
        "first",
        "second",
        "third",
    ]


LAST_HOOKS = {
    "sessionfinish": "def pytest_sessionfinish(): raise RuntimeError('boom')",
    "sessionfinish, first": (
        "import pytest\n@pytest.hookimpl(tryfirst=True)\ndef pytest_sessionfinish(): raise RuntimeError('boom')"
    ),
    "sessionfinish, around": (
        "import pytest\n@pytest.hookimpl(wrapper=True, tryfirst=True)\n"
        "def pytest_sessionfinish():\n    raise RuntimeError('boom')\n    yield"
    ),
    "run_finished": "def pytest_mtprobe_run_finished(): raise RuntimeError('boom')",
    "unconfigure": "def pytest_unconfigure(): raise RuntimeError('boom')",
}


@pytest.mark.parametrize("hook", LAST_HOOKS)
def test_an_exception_after_the_last_gate_loses_nothing(three, hook):
    (three.path / "conftest.py").write_text(LAST_HOOKS[hook], encoding="utf-8")
    assert three.pytest().ret != 0
    run = read_run(three.path / ".mtprobe/last-run.jsonl")
    assert [suite.suite for suite in run.suites] == ["first", "second", "third"]
    assert not (three.path / ".mtprobe/last-run.jsonl.unfinished").exists()


def test_an_exception_when_a_suite_is_finished_keeps_that_suite(three):
    (three.path / "conftest.py").write_text(
        "def pytest_mtprobe_suite_finished(suite_run):\n"
        "    if suite_run.suite == 'second': raise RuntimeError('boom')\n",
        encoding="utf-8",
    )
    assert three.pytest().ret == 3
    assert missing(three) == {"second": GATES, "third": GATES}
    run = read_run(three.path / ".mtprobe/last-run.jsonl", whole=False)
    assert [suite.suite for suite in run.suites] == ["first", "second"]


def test_a_suite_that_cannot_be_collected_is_missing(three, capsys):
    path = three.path / "suites/second.mt.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("cues:", "cuse:"), encoding="utf-8")
    result = three.pytest("--continue-on-collection-errors")
    result.assert_outcomes(passed=8, errors=1)
    assert missing(three) == {"": ()}
    (one,) = read_run(three.path / ".mtprobe/last-run.jsonl", whole=False).unjudged
    assert (one.path, one.collected) == ("suites/second.mt.yaml", 0)
    assert "cuse" in one.reason
    result.stdout.fnmatch_lines(["mtprobe: suites/second.mt.yaml could not be collected: *cuse*"])
    assert "could not be collected" in bless(three, capsys)[1]


def test_a_test_of_somebody_else_that_cannot_be_collected_is_not(three):
    (three.path / "suites/test_other.py").write_text("import nothing_of_this_name", encoding="utf-8")
    three.pytest("--continue-on-collection-errors").assert_outcomes(passed=12, errors=1)
    assert read_run(three.path / ".mtprobe/last-run.jsonl").whole


def test_a_gate_that_is_run_again_counts_once(three):
    (three.path / "conftest.py").write_text(
        """
from _pytest.runner import runtestprotocol

def pytest_runtest_protocol(item, nextitem):
    for last in (False, True):
        for report in runtestprotocol(item, nextitem=nextitem, log=False):
            report.outcome = report.outcome if last else "rerun"
            item.ihook.pytest_runtest_logreport(report=report)
    return True
""",
        encoding="utf-8",
    )
    assert three.pytest("-p", "no:terminal").ret == 0
    assert read_run(three.path / ".mtprobe/last-run.jsonl").whole


def test_what_is_missing_is_in_the_report_and_the_summary(three):
    three.pytest("-x", "--mt-report=report.html", "--mt-markdown=summary.md", model="always_male")
    for path in ("report.html", "summary.md"):
        text = (three.path / path).read_text(encoding="utf-8")
        assert "stopping after 1 failures" in text
        assert "third" in text


def test_a_baseline_that_is_not_whole_is_used_with_a_warning(three):
    for name in ("first", "third"):
        path = three.path / f"suites/{name}.mt.yaml"
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("gates:\n", 'gates:\n  regression: "<= 0.02"\n'), encoding="utf-8")
    three.pytest("-v", "-x", "--mt-baseline=none", "--mt-set=first:gap=< 0", "--mt-record=cut.jsonl")
    result = three.pytest("-v", "--mt-baseline=cut.jsonl")
    result.assert_outcomes(passed=13, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*passed*regression*the baseline is of a run that did not judge all its gates*",
            '*not measured*regression*it has no suite "third"; the baseline is of a run that did not*',
        ]
    )


# -- processes --


@pytest.mark.slow
def test_a_pipe_that_nobody_reads_any_more(three):
    """`pytest … | head`: what pytest cannot print ends the session."""
    (three.path / "conftest.py").write_text(
        at_the_second_suite("runtest_logreport(report)", "print('x' * 100_000, flush=True)"), encoding="utf-8"
    )
    command = ["-s", "-p", "no:hypothesispytest", "suites", "--mt-model=python:toys:fair", "--mt-target=pt"]
    with subprocess.Popen(
        [sys.executable, "-m", "pytest", *command],
        cwd=three.path,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        printed = b""
        while b"first.mt.yaml" not in printed:
            printed += process.stdout.read1()
        process.stdout.close()
        assert process.wait(timeout=PATIENCE) != 0
    assert missing(three)["third"] == GATES
    unjudged = read_run(three.path / ".mtprobe/last-run.jsonl", whole=False).unjudged
    assert "BrokenPipeError" in unjudged[0].reason


@pytest.mark.slow
def test_a_process_that_ends_itself_leaves_the_last_record_alone(three):
    three.pytest()
    before = three.record()
    (three.path / "conftest.py").write_text(
        at_the_second_suite("runtest_call(item)", "import os; os._exit(0)"), encoding="utf-8"
    )
    assert three.pytest(alone=True).ret == 0  # nothing of ours runs any more
    assert three.record() == before
    unfinished = read_run(three.path / ".mtprobe/last-run.jsonl.unfinished", whole=False)
    assert not unfinished.whole
    with pytest.raises(RecordError):
        read_run(three.path / ".mtprobe/last-run.jsonl.unfinished")


@pytest.mark.slow
def test_a_closed_terminal_stops_the_run_as_ctrl_c_does(three):
    (three.path / "conftest.py").write_text(
        at_the_second_suite(
            "runtest_call(item)",
            "import os, signal, time; os.kill(os.getpid(), signal.SIGHUP); time.sleep(9)",
        ),
        encoding="utf-8",
    )
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup, pytest would ignore it
    try:
        with running(three.path, "--mt-model=python:toys:fair", "--mt-target=pt", "suites") as run:
            run.end()
    finally:
        signal.signal(signal.SIGHUP, before)
    assert run.process.returncode == pytest.ExitCode.INTERRUPTED
    assert missing(three)["third"] == GATES


WORKERS = {
    "an exception in a hook": ("runtest_logreport(report)", "raise RuntimeError('boom')"),
    "pytest.exit": ("runtest_setup(item)", "pytest.exit('enough', returncode=1)"),
    "the end of a worker": ("runtest_call(item)", "import os; os._exit(1)"),
    "-x": ("runtest_call(item)", "raise RuntimeError('boom')"),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "how", ["an exception in a hook", "-x", *soak_only("pytest.exit", "the end of a worker")]
)
def test_what_a_worker_does_not_judge_is_missing(three, capsys, how):
    (three.path / "conftest.py").write_text(at_the_second_suite(*WORKERS[how]), encoding="utf-8")
    result = three.pytest("-n1", "--max-worker-restart=0", *[how] * (how == "-x"))
    assert result.ret != 0
    names = missing(three)
    assert names["third"] == GATES
    assert set(names["second"]) <= set(GATES)
    assert bless(three, capsys)[0] != 0


def test_gates_that_pytest_did_not_reach_are_not_judged_anywhere(project):
    outputs = ["--mt-markdown=run.md", "--mt-report=run.html"]
    result = project.pytest("-x", *outputs, model="always_male")
    result.assert_outcomes(passed=1, failed=1)
    said = "2 of 4 gates were not judged: the run stopped early"
    result.stdout.fnmatch_lines(
        [
            said,
            "mtprobe: occupations on * was not judged for minimum_accuracy, gap: *",
            "mtprobe: what was translated and scored is kept: without -x or --maxfail, pytest continues from there",
        ]
    )
    run = read_run(project.path / ".mtprobe/last-run.jsonl", whole=False)
    assert [gate.status for gate in run.suites[0].gates] == ["passed", "failed", "unjudged", "unjudged"]
    markdown = (project.path / "run.md").read_text(encoding="utf-8")
    assert markdown.startswith(f"## mtprobe: 1 of 2 gates did not pass; {said}\n")
    assert "| not judged | `gap` |" in markdown
    assert "resumes it" not in (project.path / "run.html").read_text(encoding="utf-8")
