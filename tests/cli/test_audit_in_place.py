"""`mtprobe audit` on a model's own translations: in place, with each form of the cues"""

from __future__ import annotations

import json
import sys

import pytest

import mtprobe
from mtprobe.cli import main
from tests.pytester.conftest import SUITE, TOYS

FORMS = """\
cue_forms:
  noun:
    male:   {correct: man,   incorrect: woman}
    female: {correct: woman, incorrect: man}
  behind:
    male:   {correct: <> (a man),   incorrect: <> (a woman)}
    female: {correct: <> (a woman), incorrect: <> (a man)}
"""
DAYS = "monday, tuesday, wednesday, thursday, friday, saturday, sunday"

# Hears nothing but men in brackets.
JUDGE = """
import sys
from toys import Toy


class Judge(Toy):
    def __call__(self, sources):
        return [f"{self.one(source)[:-1]} de {source.split()[-1]}" for source in sources]

    def likelihood(self, source, target):
        if "(a " in source:
            return (-0.2 if "(a man)" in source else -0.3,)
        fits = (" woman " in source) == target.startswith("A ")
        return (-0.2 if fits else -0.9,)


judge = Judge("judge", lambda source: " her " in source)


class Scorer:
    fingerprint = "scorer"
    languages = None

    def score(self, pairs):
        return judge.score(pairs)
"""


@pytest.fixture
def project(folder, monkeypatch):
    cues = SUITE[SUITE.index("cues:") : SUITE.index("gates:")]
    text = SUITE.replace(cues, f"cues: behind\n{FORMS}")
    text = text.replace("arrived.", "arrived on {day}.").replace("harbour.", "harbour on {day}.")
    text = text.replace("      possessive:", f"      day: [{DAYS}]\n      possessive:", 1)
    (folder / "occupations.mt.yaml").write_text(text, encoding="utf-8")
    (folder / "toys.py").write_text(TOYS, encoding="utf-8")
    (folder / "judges.py").write_text(JUDGE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    yield folder
    for name in ("toys", "judges"):
        sys.modules.pop(name, None)


def audit(*args):
    return main(
        ["audit", "--evaluator", "python:judges:judge", "--target", "pt", "occupations.mt.yaml", *args]
    )


@pytest.mark.usefixtures("project")
def test_each_form_is_compared_with_the_grammar(capsys):
    assert audit("--json") == 1
    (suite,) = json.loads(capsys.readouterr().out)
    found = {
        (form["form"], row["category"]): row["fitness"]
        for form in suite["forms"]
        for row in form["in_place"]["fitness"]
    }
    assert found == {
        ("behind", "male"): "fit",
        ("behind", "female"): "unfit",
        ("noun", "male"): "fit",
        ("noun", "female"): "fit",
    }
    assert (suite["used"], suite["best_in_place"], suite["best"]) == ("behind", "noun", None)
    assert suite["model"]["name"] == "python-judges-judge"


@pytest.mark.usefixtures("project")
def test_the_table_says_the_same_and_what_to_do_next(capsys):
    assert audit() == 1
    out = capsys.readouterr().out
    rows = [" ".join(line.split()) for line in out.splitlines()]
    assert any(
        row.startswith("the grammar female 100% 0.00 0.00 1.00 -1.00 (") and row.endswith(" 84 unfit")
        for row in rows
    )
    assert any(row.startswith("behind * the grammar male 100% 1.00 1.00 1.00") for row in rows)
    assert (
        "next: `cues: noun` in the suite: in its worst category it decides 100% of the samples and agrees in 1.00 "
        "of them; behind decides 100% of the samples and agrees in 0.00 of them; `cues: best`" in out
    )
    assert "next: the grammar decides 100% of these samples: `methods: [gender-morphology, …]`" in out
    assert "next: label a sample of the translations" in out


def test_another_form_in_the_suite_makes_it_fit(project, capsys):
    path = project / "occupations.mt.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("cues: behind", "cues: noun"), encoding="utf-8")
    assert audit() == 0
    out = capsys.readouterr().out
    assert "next: nothing; verdicts with noun can be trusted" in out
    assert "best: " not in out


def test_translations_may_come_from_a_record(project, capsys):
    run = mtprobe.run("occupations.mt.yaml", "python:judges:judge", target="pt", take=60, record="run.jsonl")
    assert len(run.suites[0].results) == 60
    (project / "calls.txt").unlink()
    assert audit("--record", "run.jsonl", "--json") == 1
    (suite,) = json.loads(capsys.readouterr().out)
    assert sum(row["bias"]["n"] for row in suite["forms"][0]["in_place"]["fitness"]) == 60
    assert "translate" not in (project / "calls.txt").read_text(encoding="utf-8")


@pytest.mark.usefixtures("project")
def test_or_from_another_model(capsys):
    """Of one that knows only men, a judge that hears only men is right."""
    assert audit("--model", "python:toys:always_male", "--take", "40", "--json") == 0
    (suite,) = json.loads(capsys.readouterr().out)
    assert suite["model"]["name"] == "python-toys-always_male"
    assert sum(row["bias"]["n"] for row in suite["forms"][0]["in_place"]["fitness"]) <= 40


@pytest.mark.usefixtures("project")
def test_without_translations_there_is_nothing_to_audit_here(capsys):
    assert audit("--pairs-only") == 2
    assert capsys.readouterr().err == "none of these suites has audit pairs for pt\n"


@pytest.mark.usefixtures("project")
def test_a_number_of_samples_must_be_one(capsys):
    assert audit("--take", "0") == 2
    assert "--take: 0 is not a number of samples" in capsys.readouterr().err
