"""Echo, empty and constant backends fail every accuracy gate of every suite that we ship"""

from __future__ import annotations

import shutil

import pytest

from mtprobe.cli import main
from mtprobe.methods import METHODS
from mtprobe.suites import load_suite
from tests.conftest import ROOT

ACCURACY = ("accuracy", "weighted_accuracy", "minimum_accuracy", "minimum_weighted_accuracy")


@pytest.mark.slow
@pytest.mark.parametrize("pair", ["en-pt", "pt-en"])
@pytest.mark.parametrize("model", ["echo", "empty", "constant"])
def test_no_accuracy_gate_of_a_shipped_suite_lets_them_through(project, shipped_suites, model, pair):
    root = ROOT / "suites"
    # Those of public/ bring no data; minimal pairs judge targets, whatever the model writes.
    source, target = pair.split("-")
    ours = [
        path
        for path in shipped_suites
        if path.parent.name != "public" and judges_translations(path, source, target)
    ]
    assert len(ours) >= 2
    shutil.rmtree(project.path / "suites")
    for path in ours:
        shutil.copytree(
            path.parent, project.path / "suites" / path.parent.relative_to(root), dirs_exist_ok=True
        )
    named = [f"--mt-model=python:toys:{model}", f"--mt-source={source}", f"--mt-target={target}"]
    result = project.pytest("--mt-evaluator=python:toys:fair", *named, model=None)
    assert result.ret == 1
    gates = [line for line in project.record() if line["kind"] == "gate"]
    assert {line["path"] for line in gates} == {f"suites/{path.relative_to(root)}" for path in ours}
    accuracy = [gate for gate in gates if gate["key"].split("[")[0] in ACCURACY]
    assert len({gate["path"] for gate in accuracy}) >= 2
    assert {gate["decision"] for gate in accuracy} == {"failed"}
    chosen = [gate for gate in gates if gate["key"].startswith("chosen")]
    assert {gate["decision"] for gate in chosen} <= {"empty"}  # no translation is no choice, and no pass
    samples = [line for line in project.record() if line["kind"] == "sample"]
    spared = {line["source"] for line in samples if line["verdict"]["outcome"] != "degenerate"}
    assert all(
        sum(word.islower() for word in source.split()) < 2 for source in spared
    )  # names are rightly copied


def judges_translations(path, source, target):
    suite = load_suite(path)
    judged = any(METHODS[name].judges == "translations" for name in suite.methods)
    alone = any(not METHODS[name].needs_back(sample) for name in suite.methods for sample in suite.samples)
    return judged and alone and suite.fits(source, target)


def test_the_reason_is_told(project):
    result = project.pytest("-v", "--mt-evaluator=python:toys:fair", model="echo")
    result.stdout.fnmatch_lines(["*degenerate: source copied*"])


def test_the_summary_and_bless_say_how_many_outputs_are_degenerate(project, capsys):
    result = project.pytest("--mt-evaluator=python:toys:fair", model="echo")
    result.stdout.fnmatch_lines(["*: 24 of 24 outputs are degenerate (source copied)"])
    record, baseline = project.path / ".mtprobe/last-run.jsonl", project.path / "baseline.jsonl"
    assert main(["bless", str(record), "-o", str(baseline)]) == 0
    assert "warning: occupations, " in (told := capsys.readouterr().out)
    assert "24 of 24 outputs are degenerate (source copied)" in told
