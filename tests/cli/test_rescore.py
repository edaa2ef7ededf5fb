from __future__ import annotations

import sys

import pytest

import mtprobe
from mtprobe.cli import main
from mtprobe.gates.judge import Decision
from mtprobe.methods.verdict import Outcome
from mtprobe.records import read_run
from tests.pytester.conftest import SUITE, TOYS

# An evaluator of the opposite opinion, which cannot translate.
CONTRARY = """

class Contrary:
    fingerprint = "contrary"

    def __call__(self, sources):
        raise AssertionError("nothing is to be translated")

    def score(self, pairs):
        return [tuple(-1.0 - one for one in fair.likelihood(*pair)) for pair in pairs]


contrary = Contrary()
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "opinions.py").write_text(TOYS + CONTRARY, encoding="utf-8")
    (tmp_path / "jobs.mt.yaml").write_text(SUITE, encoding="utf-8")
    mtprobe.run("jobs.mt.yaml", "python:opinions:fair", target="pt", record="run.jsonl")
    (tmp_path / "calls.txt").unlink()
    yield tmp_path
    sys.modules.pop("opinions", None)


def translated(folder):
    path = folder / "calls.txt"
    return "translate" in path.read_text(encoding="utf-8") if path.exists() else False


def test_the_same_evaluator_gives_the_same_verdicts(here, capsys):
    assert main(["rescore", "run.jsonl", "--evaluator", "python:opinions:fair"]) == 0
    before, after = (read_run(here / name) for name in ("run.jsonl", "run.rescored.jsonl"))
    assert [one.verdict for one in after.suites[0].results] == [
        one.verdict for one in before.suites[0].results
    ]
    assert after.suites[0].model == before.suites[0].model
    assert (after.suites[0].evaluator.name, after.suites[0].judges_itself) == ("python-opinions-fair", False)
    assert [gate.decision for gate in after.suites[0].gates] == [
        gate.decision for gate in before.suites[0].gates
    ]
    assert not translated(here)
    out = capsys.readouterr().out
    assert "run.rescored.jsonl is equal to run.jsonl: all 24 verdicts" in out
    assert "record: run.rescored.jsonl" in out


def test_another_evaluator_judges_the_same_translations_otherwise(here, capsys):
    assert (
        main(
            [
                "rescore",
                "run.jsonl",
                "--mt-evaluator",
                "python:opinions:contrary",
                "-o",
                "new.jsonl",
                "--no-store",
            ]
        )
        == 0
    )
    (suite,) = read_run(here / "new.jsonl").suites
    assert {one.verdict.outcome for one in suite.results} == {Outcome.INCORRECT}
    assert [one.translation for one in suite.results] == [
        one.translation for one in read_run(here / "run.jsonl").suites[0].results
    ]
    out = capsys.readouterr().out
    # Every verdict changed, but there are only six occupations, and the samples of each belong together.
    assert "new.jsonl may be worse than run.jsonl: 24 of 24 verdicts flipped" in out
    assert "(smallest Holm-adjusted p = 0.0938, cluster sign-flip test)" in out
    assert "judged by different evaluators" in out


def test_a_changed_suite_is_refused_unless_requested(here, capsys):
    path = here / "jobs.mt.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("lawyer, ", "baker, "), encoding="utf-8")
    assert main(["rescore", "run.jsonl", "--evaluator", "python:opinions:fair"]) == 2
    error = capsys.readouterr().err
    assert "jobs.mt.yaml: the suite or a file that it names has changed since the run" in error
    assert "--changed" in error
    assert main(["rescore", "run.jsonl", "--evaluator", "python:opinions:fair", "--changed"]) == 0
    (suite,) = read_run(here / "run.rescored.jsonl").suites
    assert len(suite.results) == 20
    assert "4 samples without a translation in the record were skipped" in suite.notes


COMBINED = """\
methods: [gender-morphology, contrastive-conditioning]
combine: first-decided
"""


def combine(folder):
    path = folder / "jobs.mt.yaml"
    text = path.read_text(encoding="utf-8").replace("method: contrastive-conditioning\n", COMBINED)
    path.write_text(text.replace("  gap:", '  regression: "<= 0.02"\n  gap:'), encoding="utf-8")


def test_a_baseline_is_renewed_for_another_procedure(here, capsys):
    combine(here)
    (suite,) = mtprobe.run("jobs.mt.yaml", "python:opinions:fair", target="pt", baseline="run.jsonl").suites
    (gate,) = [gate for gate in suite.gates if gate.key == "regression"]
    assert gate.decision is Decision.ERROR
    assert "`mtprobe rescore`" in gate.reason
    arguments = ["--evaluator", "python:opinions:fair", "--changed", "-o", "renewed.jsonl"]
    assert main(["rescore", "run.jsonl", *arguments]) == 0
    assert "judged by contrastive-conditioning 1, then by first-decided: gender-" in capsys.readouterr().out
    (suite,) = mtprobe.run(
        "jobs.mt.yaml", "python:opinions:fair", target="pt", baseline="renewed.jsonl"
    ).suites
    (gate,) = [gate for gate in suite.gates if gate.key == "regression"]
    assert (gate.decision, gate.measure.value) == (Decision.PASSED, 0.0)


def test_a_comparison_across_procedures_is_an_error(here, capsys):
    combine(here)
    mtprobe.run(
        "jobs.mt.yaml", "python:opinions:fair", target="pt", record="new.jsonl", overrides={}, baseline="none"
    )
    assert main(["compare", "run.jsonl", "new.jsonl"]) == 2
    assert "`mtprobe rescore`" in capsys.readouterr().err
    assert main(["compare", "run.jsonl", "new.jsonl", "--fail-if-worse"]) == 1


def test_without_an_evaluator_only_methods_that_ask_no_model_judge_again(here, capsys):
    assert main(["rescore", "run.jsonl"]) == 2
    assert "contrastive-conditioning needs an evaluator: name one (--evaluator)" in capsys.readouterr().err
    combine(here)
    mtprobe.run(
        "jobs.mt.yaml", "python:opinions:fair", target="pt", method="gender-morphology", record="run.jsonl"
    )
    assert main(["rescore", "run.jsonl"]) == 0
    (suite,) = read_run(here / "run.rescored.jsonl").suites
    assert (suite.method, suite.evaluator) == ("gender-morphology", None)


def test_a_missing_suite_is_an_error(here, capsys):
    (here / "jobs.mt.yaml").unlink()
    assert main(["rescore", "run.jsonl", "--evaluator", "python:opinions:fair"]) == 2
    assert "jobs.mt.yaml: there is no such suite" in capsys.readouterr().err


def test_a_part_of_the_samples_stays_that_part(here):
    mtprobe.run("jobs.mt.yaml", "python:opinions:fair", target="pt", take=5, record="run.jsonl")
    assert main(["rescore", "run.jsonl", "--evaluator", "python:opinions:fair"]) == 0
    before, after = (read_run(here / name) for name in ("run.jsonl", "run.rescored.jsonl"))
    assert {one.id for one in after.suites[0].results} == {one.id for one in before.suites[0].results}
    assert after.partial


def test_an_evaluator_that_cannot_score_is_an_error(here, capsys):
    assert main(["rescore", "run.jsonl", "--evaluator", "python:opinions:echo"]) == 2
    assert not translated(here)
    assert "cannot score" in capsys.readouterr().err


def test_what_was_not_translated_is_not_judged(here):
    (here / "table.tsv").write_text("", encoding="utf-8")
    mtprobe.run("jobs.mt.yaml", "file:table.tsv", "python:opinions:fair", target="pt", record="run.jsonl")
    assert main(["rescore", "run.jsonl", "--evaluator", "python:opinions:fair"]) == 0
    (suite,) = read_run(here / "run.rescored.jsonl").suites
    assert {one.verdict.outcome for one in suite.results} == {Outcome.ERROR}
    assert "table.tsv has no translation" in suite.results[0].verdict.reason


def test_a_run_for_several_targets_is_judged_by_the_evaluator_of_each(here):
    (here / "speakers.py").write_text(
        "import opinions\n\n\n"
        "class Many:\n"
        "    def __call__(self, sources):\n        raise AssertionError\n\n"
        "    def for_languages(self, source, target):\n"
        "        return opinions.Toy(f'toy-{target}', opinions.fair.gender)\n\n\n"
        "many = Many()\n"
    )
    mtprobe.run("jobs.mt.yaml", "m=python:speakers:many", target=["pt", "gl"], record="run.jsonl")
    evaluators = ["--evaluator", "pt=one=python:opinions:fair", "--evaluator", "gl=python:opinions:contrary"]
    assert main(["rescore", "run.jsonl", *evaluators]) == 0
    again = read_run(here / "run.rescored.jsonl")
    assert [(suite.target, suite.evaluator.name) for suite in again.suites] == [
        ("pt", "one"),
        ("gl", "python-opinions-contrary"),
    ]
    assert [suite.results[0].verdict.outcome for suite in again.suites] == [
        Outcome.CORRECT,
        Outcome.INCORRECT,
    ]
    sys.modules.pop("speakers", None)
