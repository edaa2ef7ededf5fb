"""Echo, empty and constant backends fail every accuracy gate of every suite that we ship"""

from __future__ import annotations

import shutil

import pytest

from mtprobe.methods import METHODS
from mtprobe.suites import load_suite
from tests.conftest import ROOT

ACCURACY = ("accuracy", "weighted_accuracy", "minimum_accuracy", "minimum_weighted_accuracy")


@pytest.mark.parametrize("model", ["echo", "empty", "constant"])
def test_no_accuracy_gate_of_a_shipped_suite_lets_them_through(project, shipped_suites, model):
    root = ROOT / "suites"
    # Those of public/ bring no data; minimal pairs judge targets, whatever the model writes.
    ours = [path for path in shipped_suites if path.parent.name != "public" and judges_translations(path)]
    assert len(ours) >= 2
    shutil.rmtree(project.path / "suites")
    for path in ours:
        shutil.copytree(
            path.parent, project.path / "suites" / path.parent.relative_to(root), dirs_exist_ok=True
        )
    result = project.pytest("--mt-evaluator=python:toys:fair", model=model)
    assert result.ret == 1
    gates = [line for line in project.record() if line["kind"] == "gate"]
    assert {line["path"] for line in gates} == {f"suites/{path.relative_to(root)}" for path in ours}
    accuracy = [gate for gate in gates if gate["key"].split("[")[0] in ACCURACY]
    assert len({gate["path"] for gate in accuracy}) >= 2
    assert {gate["decision"] for gate in accuracy} == {"failed"}
    chosen = [gate for gate in gates if gate["key"].startswith("chosen")]
    assert {gate["decision"] for gate in chosen} == {"empty"}  # no translation is no choice, and no pass
    outcomes = {line["verdict"]["outcome"] for line in project.record() if line["kind"] == "sample"}
    assert outcomes == {"degenerate"}


def judges_translations(path):
    return any(METHODS[name].judges == "translations" for name in load_suite(path).methods)


def test_the_reason_is_told(project):
    result = project.pytest("--mt-evaluator=python:toys:fair", model="echo")
    result.stdout.fnmatch_lines(["*degenerate: source copied*"])
