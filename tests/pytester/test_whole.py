"""A record is whole when every gate that was collected was judged; otherwise it says what is missing, and why."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from mtprobe.cli import main
from mtprobe.records import RecordError, read_run
from tests.pytester.running import running

GATES = ("accuracy[male]", "accuracy[female]", "minimum_accuracy", "gap")


@pytest.fixture
def three(project):
    """Three suites, and a test of pytest's own between the first and the second."""
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
    (second, *_) = [one for one in read_run(three.path / ".mtprobe/last-run.jsonl", whole=False).unjudged]
    assert second.suite == "second"
    assert reason in second.reason
    result.stdout.fnmatch_lines([f"mtprobe: {second}".replace("[", "[[]")])
    refused, why = bless(three, capsys)
    assert refused != 0
    assert "second" in why
    assert not (three.path / "b.jsonl").exists()
