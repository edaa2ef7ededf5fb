"""`mtprobe audit`: an evaluator, measured on translations of known reading"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from mtprobe.cli import main

ROOT = Path(__file__).parents[2]

JOBS = ["doctor", "nurse", "cook", "poet", "judge", "king", "clerk", "guide", "agent", "actor"]

SUITE = """\
mtprobe: 1
name: doctors
about: Does the translation keep the doctor's gender?
languages: {source: en, targets: any}
method: contrastive-conditioning
categories: [male, female]
cue_forms:
  noun:
    male: {correct: man, incorrect: woman}
    female: {correct: woman, incorrect: man}
  commas:
    male: {correct: "<>, a man,", incorrect: "<>, a woman,"}
    female: {correct: "<>, a woman,", incorrect: "<>, a man,"}
  brackets:
    male: {correct: "[male]", incorrect: "[female]"}
    female: {correct: "[female]", incorrect: "[male]"}
gates:
  accuracy[female]: ">= 0.60"
samples:
  - source: The <doctor> lost her keys.
    category: female
audit:
  pt:
""" + "".join(
    f"    - source: The <{job}> left.\n      targets: {{male: O {job}o saiu., female: A {job}a saiu.}}\n"
    for job in JOBS
)

# Understands the noun, overrates every woman between commas, and ignores brackets.
TOY = """\
from pathlib import Path

class Evaluator:
    fingerprint = "toy"

    def __call__(self, sources):
        return list(sources)

    def score(self, pairs):
        with (Path(__file__).parent / "calls.txt").open("a") as calls:
            calls.writelines(f"{source} => {target}\\n" for source, target in pairs)
        return [self.logprobs(source, target) for source, target in pairs]

    def logprobs(self, source, target):
        if "[" in source:
            return (-1.0,)
        fits = ("woman" in source) == target.startswith("A ")
        bias = 2.0 if ", a woman," in source else 0.0
        return (-1.0 + fits + bias - 3.0,)

toy = Evaluator()

class Broken(Evaluator):
    fingerprint = "broken"

    def score(self, pairs):
        from mtprobe.errors import Failure
        return [Failure("too long") for _ in pairs]

broken = Broken()

def mute(sources):
    return list(sources)
"""


@pytest.fixture
def project(folder, monkeypatch):
    (folder / "doctors.mt.yaml").write_text(SUITE, encoding="utf-8")
    (folder / "toy_evaluators.py").write_text(TOY, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    yield folder
    sys.modules.pop("toy_evaluators", None)  # the next test writes another one


def audit(*args: str, evaluator: str = "toy") -> int:
    return main(["audit", "--evaluator", f"python:toy_evaluators:{evaluator}", "--target", "pt", *args])


def forms(capsys):
    (suite,) = json.loads(capsys.readouterr().out)
    return suite, {form["form"]: form for form in suite["forms"]}


@pytest.mark.usefixtures("project")
def test_every_form_gets_its_numbers_and_its_verdict(capsys):
    assert audit("doctors.mt.yaml", "--json") == 0
    suite, by_name = forms(capsys)
    assert (suite["used"], suite["best"]) == ("noun", "noun")
    assert {name: form["verdict"] for name, form in by_name.items()} == {
        "noun": "fit",
        "commas": "fit after calibration",
        "brackets": "unfit",
    }
    assert [by_name["noun"]["accuracy"][key] for key in ("value", "high", "n")] == [1.0, 1.0, 20]
    assert 0.6 < by_name["noun"]["accuracy"]["low"] < 1.0
    assert by_name["commas"]["accuracy"]["value"] == 0.5
    assert by_name["commas"]["calibrated"]["value"] == 1.0
    assert by_name["commas"]["auc"]["value"] == 1.0
    (offset,) = [offset for offset in by_name["commas"]["offsets"] if offset["reading"] == "female"]
    assert offset["measure"]["value"] == pytest.approx(2.0)
    assert by_name["brackets"]["auc"]["value"] == 0.5


@pytest.mark.usefixtures("project")
def test_the_table_says_the_same(capsys):
    assert audit("doctors.mt.yaml") == 0
    out = capsys.readouterr().out
    assert "doctors · en→pt · evaluator python-toy_evaluators-toy" in out
    noun, commas, brackets = (
        next(line for line in out.splitlines() if line.strip().startswith(name))
        for name in ("noun *", "commas", "brackets")
    )
    assert noun.split()[-1] == "fit"
    assert commas.rstrip().endswith("female +2.000 ± 0.000  fit after calibration")
    assert brackets.split()[-1] == "unfit"
    assert "best: noun (* is used in runs)" in out


def test_a_second_audit_scores_nothing(project):
    audit("doctors.mt.yaml")
    before = (project / "calls.txt").read_text()
    assert audit("doctors.mt.yaml") == 0
    assert (project / "calls.txt").read_text() == before
    assert (project / ".mtprobe" / "store.sqlite").exists()
    assert (project / ".mtprobe" / ".gitignore").read_text() == "*\n"


@pytest.mark.parametrize("option", ["--no-store", "--store=none"])
def test_nothing_is_stored_with_no_store(project, option):
    before = set(project.iterdir())
    assert audit("doctors.mt.yaml", option) == 0
    assert set(project.iterdir()) - before <= {project / "calls.txt", project / "__pycache__"}


def test_an_unfit_form_in_use_is_exit_code_1_and_the_better_one_is_named(project, capsys):
    (project / "doctors.mt.yaml").write_text(SUITE + "cues: brackets\n", encoding="utf-8")
    assert audit("doctors.mt.yaml") == 1
    assert "best: noun; `cues: noun` in the suite would use it" in capsys.readouterr().out


def test_a_form_with_an_offset_is_fit_once_the_suite_calibrates(project, capsys):
    path = project / "doctors.mt.yaml"
    path.write_text(SUITE + "cues: commas\n", encoding="utf-8")
    assert audit("doctors.mt.yaml") == 1
    assert "`calibrate: true` in the suite subtracts it" in capsys.readouterr().out
    path.write_text(SUITE + "cues: commas\ncalibrate: true\n", encoding="utf-8")
    assert audit("doctors.mt.yaml") == 0


def test_samples_with_cues_of_their_own_are_audited_too(project, capsys):
    words = "".join(
        f"  - {{id: {job}, source: The <{job}> left., cues: {{correct: woman, incorrect: man}}}}\n"
        for job in JOBS
    )
    pairs = "".join(
        f"    - {{sample: {job}, targets: {{correct: A {job}a saiu., incorrect: O {job}o saiu.}}}}\n"
        for job in JOBS
    )
    head = SUITE.partition("categories")[0]
    text = f"{head}gates: {{accuracy: '>= 0.5'}}\nsamples:\n{words}audit:\n  pt:\n{pairs}"
    (project / "doctors.mt.yaml").write_text(text, encoding="utf-8")
    assert audit("doctors.mt.yaml", "--json") == 0
    _, by_name = forms(capsys)
    assert by_name["own cues"]["verdict"] == "fit"
    assert [offset["reading"] for offset in by_name["own cues"]["offsets"]] == ["correct"]
    assert by_name["own cues"]["accuracy"]["n"] == 20


@pytest.mark.usefixtures("project")
def test_missing_scores_are_reported_and_not_ignored(capsys):
    assert audit("doctors.mt.yaml", "--json", evaluator="broken") == 1
    _, by_name = forms(capsys)
    assert by_name["noun"]["verdict"] == "unknown"
    assert by_name["noun"]["problem"] == "40 scores are missing: too long"


def test_suites_without_pairs_for_the_language_are_named(project, capsys):
    (project / "more.mt.yaml").write_text(
        SUITE.partition("audit")[0].replace("name: doctors", "name: more"), encoding="utf-8"
    )
    assert audit("doctors.mt.yaml", "more.mt.yaml") == 0
    assert (
        "more · en→pt · evaluator python-toy_evaluators-toy: no audit pairs for pt" in capsys.readouterr().out
    )
    assert audit("more.mt.yaml") == 2
    assert capsys.readouterr().err.startswith("none of these suites has audit pairs for pt, and no label or")
    assert audit("more.mt.yaml", "--pairs-only") == 2
    assert capsys.readouterr().err == "none of these suites has audit pairs for pt\n"


def test_a_suite_without_an_evaluator_has_nothing_to_audit(project, capsys):
    (project / "words.mt.yaml").write_text(
        "mtprobe: 1\nname: words\nabout: Which?\nlanguages: {source: en, targets: [pt]}\nmethod: lexicon\n"
        "gates: {accuracy: '>= 0.5'}\nsamples:\n  - source: He <pushed> the door.\n"
        "    lemmas: {pt: {good: empurrar, bad: puxar}}\n",
        encoding="utf-8",
    )
    assert audit("words.mt.yaml") == 2
    assert capsys.readouterr().err.startswith(
        "words.mt.yaml: judged by lexicon, without an evaluator, so there is nothing to audit; to check its verdicts"
    )
    assert audit("doctors.mt.yaml", "words.mt.yaml") == 0


def test_a_suite_whose_data_is_missing_is_skipped_with_a_message(project, capsys):
    text = SUITE.partition("samples:")[0] + "data: {file: nowhere.jsonl, missing: skip}\n"
    (project / "more.mt.yaml").write_text(text, encoding="utf-8")
    assert audit(".") == 0
    assert capsys.readouterr().err.startswith("skipped: more.mt.yaml:19:")


@pytest.mark.usefixtures("project")
def test_a_model_that_cannot_score_cannot_be_an_evaluator(capsys):
    assert audit("doctors.mt.yaml", evaluator="mute") == 2
    assert "cannot score, so it cannot be an evaluator" in capsys.readouterr().err


def test_a_mistake_in_the_suite_is_located(project, capsys):
    path = project / "doctors.mt.yaml"
    path.write_text(SUITE.replace("female: A doctora", "femal: A doctora"), encoding="utf-8")
    assert audit("doctors.mt.yaml") == 2
    assert "doctors.mt.yaml:25:" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_the_demo_model_is_fit_with_some_cues_and_not_with_others(capsys, tmp_path):
    """One cue form per outcome, where whole sentences are compared; the figures are in docs/howto/audit.md."""
    shutil.copytree(ROOT / "suites" / "gender", tmp_path / "gender")
    suite = tmp_path / "gender" / "occupations.mt.yaml"
    text = suite.read_text(encoding="utf-8")
    assert "scoring: focus" in text
    suite.write_text(text.replace("scoring: focus", "scoring: sentence"), encoding="utf-8")
    assert main(["audit", "--evaluator", "demo", "--pairs-only", "--json", str(suite)]) == 0
    _, by_name = forms(capsys)
    assert {name: form["verdict"] for name, form in by_name.items()} == {
        "woman-man": "fit",
        "behind": "fit",
        "commas": "fit after calibration",
        "brackets": "unfit",
        "female-male": "unfit",
    }
    accuracy = {name: form["accuracy"]["value"] for name, form in by_name.items()}
    assert accuracy["woman-man"] > accuracy["behind"] > accuracy["commas"]
    assert accuracy["commas"] > accuracy["brackets"] > accuracy["female-male"]
    auc = {name: form["auc"]["value"] for name, form in by_name.items()}
    assert min(auc[name] for name in ("woman-man", "behind", "commas")) > 0.95
    assert max(auc["brackets"], auc["female-male"]) < 0.90
    assert all(form["accuracy"]["n"] >= 17 * 2 * 2 for form in by_name.values())
    (offset,) = [offset for offset in by_name["commas"]["offsets"] if offset["reading"] == "female"]
    assert offset["measure"]["low"] > 0
