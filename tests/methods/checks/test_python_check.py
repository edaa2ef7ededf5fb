"""`method: python:pkg.module:check`: a function of the user's own judges translations"""

from __future__ import annotations

import sys

import pytest

import mtprobe
from mtprobe.cli import main

SUITE = """\
mtprobe: 1
name: greetings
about: Is the reader greeted?
languages: {source: en, targets: any}
method: python:own_checks:greets
categories: [letter]
gates: {accuracy: ">= 0.9"}
samples:
  - {id: first, source: Good morning., category: letter}
  - {id: second, source: Good <evening>., category: letter}
"""

CHECKS = """
def greets(source, translation, sample):
    if "Bom" in translation:
        return True
    if not sample["focus"]:
        return None, "nothing to look at"
    return False, f"no greeting for {sample['focus']} ({sample['category']})"

def two(source, translation): return translation != source
def compared(source, translation):
    import numpy

    return numpy.array([1.0])[0] > 0

def odd(source, translation): return "yes"
def broken(source, translation): raise KeyError("formality")
imported = print("own_checks was imported")
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Runs the suite with a check of that name, on translations of its own."""
    (tmp_path / "own_checks.py").write_text(CHECKS, encoding="utf-8")
    (tmp_path / "pt.txt").write_text(
        "Good morning. ||| Olá a todos.\nGood evening. ||| Oi.\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "own_checks", raising=False)

    def run(check):
        (tmp_path / "greet.mt.yaml").write_text(SUITE.replace("greets", check), encoding="utf-8")
        (done,) = mtprobe.run("greet.mt.yaml", "file:pt.txt", source="en", target="pt").suites
        return done, [(result.verdict.outcome, result.verdict.reason) for result in done.results]

    return run


def test_it_returns_true_false_or_none_with_or_without_a_reason(project):
    _, verdicts = project("greets")
    assert verdicts == [
        ("undecided", "nothing to look at"),
        ("incorrect", "no greeting for evening (letter)"),
    ]
    assert project("two")[1] == [("correct", ""), ("correct", "")]


def test_an_exception_is_the_error_of_its_sample(project):
    done, verdicts = project("broken")
    assert verdicts == [("error", "python:own_checks:broken: KeyError: 'formality'")] * 2
    assert done.gates[0].decision == "error"


def test_another_answer_is_an_error_that_says_what_to_return(project):
    _, verdicts = project("odd")
    assert verdicts[0][1] == (
        "python:own_checks:odd: returned str; return True, False or None, or one of them and a reason"
    )


def test_what_numpy_takes_for_a_truth_value_is_one(project):
    assert project("compared")[1] == [("correct", ""), ("correct", "")]


def test_lint_says_that_a_check_needs_a_module_and_a_function(tmp_path, capsys):
    path = tmp_path / "x.mt.yaml"
    path.write_text(SUITE.replace("own_checks:greets", "own_checks"))
    main(["lint", str(path)])
    assert 'unknown method "python:own_checks"; write python:pkg.module:check' in capsys.readouterr().out


def test_the_procedure_changes_with_the_text_of_the_check(project, tmp_path, monkeypatch):
    before = project("two")[0].procedure
    (tmp_path / "own_checks.py").write_text(CHECKS + "# changed\n", encoding="utf-8")
    monkeypatch.delitem(sys.modules, "own_checks")
    assert project("two")[0].procedure != before


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ("missing", "python:own_checks:missing: own_checks has no “missing”"),
        ("imported", "python:own_checks:imported: “imported” is not callable"),
    ],
)
def test_a_check_that_is_not_there_is_named(project, check, message):
    with pytest.raises(mtprobe.MtprobeError, match=message):
        project(check)


def test_lint_and_expand_never_import_it(tmp_path, capsys, monkeypatch):
    (tmp_path / "own_checks.py").write_text(CHECKS, encoding="utf-8")
    (tmp_path / "greet.mt.yaml").write_text(SUITE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "own_checks", raising=False)
    assert main(["lint", "greet.mt.yaml"]) == 0
    assert main(["expand", "greet.mt.yaml"]) == 0
    assert "was imported" not in capsys.readouterr().out
    assert "own_checks" not in sys.modules
