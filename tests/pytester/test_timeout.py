"""--mt-timeout, and timeouts that other plugins set for items"""

from __future__ import annotations

import pytest

import mtprobe
from mtprobe.methods.verdict import Outcome
from mtprobe.records import read_run
from mtprobe.settings import SettingError, read_settings
from tests.pytester.running import running

HANGS = """
import time
from toys import fair, note

HANGING = 100.0


class Hangs:
    chunk = 6

    def __init__(self, when):
        self.when = when
        self.fingerprint = when

    def __call__(self, sources):
        if self.when == "translating" and any("house" in source for source in sources):
            note("hangs")
            time.sleep(HANGING)
        return fair(sources)

    def score(self, pairs):
        if self.when == "scoring":
            note("hangs")
            time.sleep(HANGING)
        return fair.score(pairs)


translating, scoring = Hangs("translating"), Hangs("scoring")
"""

# As pytest-timeout does it: a timer around the whole item, whose signal fails what the main thread does.
TIMER = """
import signal
import pytest


def late(*_):
    pytest.fail("Timeout (>3.0s) from pytest-timeout.")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, 3)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
"""


@pytest.fixture
def hangs(project):
    (project.path / "hangs.py").write_text(HANGS, encoding="utf-8")
    return project


def args(when):
    return [f"--mt-model=python:hangs:{when}", "--mt-target=pt"]


def record(project):
    return read_run(project.path / ".mtprobe/last-run.jsonl")


@pytest.mark.slow
def test_a_function_that_hangs_fails_for_its_sentences(hangs):
    """It is not called again; the process ends although the call goes on."""
    with running(hangs.path, *args("translating"), "--mt-timeout=2", "suites") as run:
        said, seconds = run.end()
    assert seconds < 60
    assert run.process.returncode == pytest.ExitCode.TESTS_FAILED
    assert "python:hangs:translating: it took longer than 2 s (--mt-timeout)" in said
    assert "it took longer than 2 s before and is not called again (--mt-timeout)" in said
    assert len(hangs.calls("hangs")) == 1
    (suite,) = record(hangs).suites
    failed = [result for result in suite.results if result.verdict.outcome is Outcome.ERROR]
    assert [result.id.partition("/")[0] for result in failed].count("house") == 12
    assert len(hangs.calls("translate")) == 12
    (hangs.path / "hangs.py").write_text(HANGS.replace("100.0", "0.0"), encoding="utf-8")
    hangs.pytest(*args("translating"), model=None).assert_outcomes(passed=4)
    assert len(hangs.calls("translate")) == 24  # none a second time


def test_scoring_has_the_deadline_too_and_the_ini_file_may_set_it(hangs):
    (hangs.path / "hangs.py").write_text(HANGS.replace("100.0", "4.0"), encoding="utf-8")
    (hangs.path / "pytest.ini").write_text("[pytest]\nmt_timeout = 0.5\n", encoding="utf-8")
    result = hangs.pytest(*args("scoring"), model=None)
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(
        ["*24 × could not be scored: python:hangs:scoring: it took longer than 0.5 s*"]
    )


@pytest.mark.slow
def test_a_program_that_hangs_is_killed(hangs):
    evaluator = "--mt-evaluator=python:toys:fair"
    result = hangs.pytest(
        "--mt-model=cmd:sleep 100", "--mt-target=pt", "--mt-timeout=1", evaluator, model=None
    )
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(
        ["*24 × cmd:sleep took longer than 1 s (--mt-timeout) for 24 sentences and was killed"]
    )


@pytest.mark.parametrize("given", ["soon", "-1", "nan", "inf", "1e300"])
def test_what_is_not_a_number_of_seconds_is_a_usage_error(project, given):
    result = project.pytest(f"--mt-timeout={given}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*--mt-timeout: {given} is not a number of seconds*"])


def test_it_is_a_setting_from_python_as_well(project, monkeypatch):
    monkeypatch.syspath_prepend(project.path)
    (project.path / "sleepy.py").write_text(
        "import time\nfrom toys import fair\n\ndef sleepy(sources):\n    time.sleep(4)\n\nsleepy.score = fair.score\n",
        encoding="utf-8",
    )
    run = mtprobe.run(project.path / "suites", "python:sleepy:sleepy", target="pt", timeout=0.3)
    assert {gate.decision for gate in run.suites[0].gates} == {"error"}
    assert read_settings(timeout=0).timeout == 0
    with pytest.raises(SettingError, match="True is not a number of seconds"):
        read_settings(timeout=True)


@pytest.mark.slow
def test_the_timeout_of_an_item_ends_its_suite_on_its_model_only(hangs):
    (hangs.path / "conftest.py").write_text(TIMER, encoding="utf-8")
    with running(hangs.path, "-v", *args("translating"), "--mt-model=python:toys:fair", "suites") as run:
        said, seconds = run.end()
    assert seconds < 60
    assert "INTERNALERROR" not in said
    assert "4 passed, 4 errors" in said
    assert said.count("Timeout (>3.0s) from pytest-timeout.") >= 4
    assert run.process.returncode == pytest.ExitCode.TESTS_FAILED
    found = record(hangs)
    assert [(suite.model, suite.reason) for suite in found.failed] == [
        ("python-hangs-translating", "Timeout (>3.0s) from pytest-timeout.")
    ]
    assert [suite.model.name for suite in found.suites] == ["python-toys-fair"]
