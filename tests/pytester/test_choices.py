"""Open categories in a run: choices are counted, shown and gated, and judge nothing"""

from __future__ import annotations

SUITE = """\
mtprobe: 1
name: somebody
about: Whom does the translation make of somebody?
languages: {source: en, targets: any}
method: contrastive-conditioning
categories: [male, female, neutral]
cues:
  male:    {correct: man,   incorrect: woman}
  female:  {correct: woman, incorrect: man}
  neutral: {male: man, female: woman}
gates:
  accuracy: ">= 0.60"
  minimum_accuracy: ">= 0.60"
  gap: "<= 0.20"
  chosen[male]: "<= 0.70"
  chosen[female]: ">= 0"
  undecided: "<= 0"
  degenerate: "<= 0.02"
generate:
  - id: shift
    source: "The <{occupation}> finished {possessive} shift before the others arrived."
    slots:
      occupation: [doctor, lawyer, teacher, engineer, writer, dancer]
      possessive:
        her: {category: female}
        his: {category: male}
        their: {category: neutral}
"""


def decisions(project):
    return {line["key"]: line["decision"] for line in project.record() if line["kind"] == "gate"}


def test_choices_are_counted_outside_of_every_accuracy(project):
    path = project.suite("occupations", SUITE)
    result = project.pytest("-v", "--mt-report=report.html")
    assert result.ret == 1
    assert decisions(project) == {
        **dict.fromkeys(["accuracy", "minimum_accuracy", "gap", "chosen[female]"], "passed"),
        **dict.fromkeys(["undecided", "degenerate"], "passed"),
        "chosen[male]": "failed",
    }
    result.stdout.fnmatch_lines(
        [
            "somebody: chosen[[]male] = 1.00 (95% interval 0.54–1.00, n = 6), but must be <= 0.70",
            "the surest 3 of 6 samples:",
            f"  suites/{path.name}:* shift/*/their [[]neutral] chose male, p = 0.*",
            "    male *-0.*  The man *",
            "    female *-0.*  The woman *",
            "*no right answer*chosen*95% interval*n*undecided*degenerate*",
            "*neutral → male*1.00*0.54–1.00*6*0*0*",
            "*neutral → female*0.00*0.00–0.46*6*0*0*",
        ]
    )
    samples = [line for line in project.record() if line["kind"] == "sample"]
    chosen = {(line["category"], line["verdict"]["outcome"], line["verdict"]["choice"]) for line in samples}
    assert chosen == {("male", "correct", None), ("female", "correct", None), ("neutral", "open", "male")}
    page = (project.path / "report.html").read_text(encoding="utf-8")
    assert "Choices where no answer is right" in page


def test_no_translation_is_no_choice(project):
    project.suite("occupations", SUITE)
    project.pytest("--mt-evaluator=python:toys:fair", model="echo")
    found = decisions(project)
    assert found.pop("undecided") == "passed"
    assert found.pop("gap") == "undecided"
    assert found.pop("chosen[male]") == found.pop("chosen[female]") == "empty"
    assert {*found.values()} == {"failed"}


def test_an_open_sample_on_its_own_passes_unless_it_is_no_translation(project):
    project.suite("occupations", SUITE + "expect: each\n")
    result = project.pytest("-k", "each and their")
    result.assert_outcomes(passed=6, deselected=19)
    result = project.pytest("-k", "each and their", "--mt-evaluator=python:toys:fair", model="echo")
    result.assert_outcomes(failed=6, deselected=19)
