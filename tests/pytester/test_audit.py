"""Runs audit their evaluator where the suite has audit pairs for the target"""

from __future__ import annotations

import pytest

from mtprobe.records import read_run

NOUNS = {
    "doctor": ("médico", "médica"),
    "lawyer": ("advogado", "advogada"),
    "teacher": ("professor", "professora"),
    "engineer": ("engenheiro", "engenheira"),
    "writer": ("escritor", "escritora"),
    "dancer": ("dançarino", "dançarina"),
}
PAIRS = "".join(
    f"    - source: The <{noun}> arrived.\n      targets: {{male: O {male} chegou., female: A {female} chegou.}}\n"
    for noun, (male, female) in NOUNS.items()
)
AUDIT = "audit:\n  pt:\n" + PAIRS

# Sees a woman, if one is named, and likes her by this much too much; to the blind one all is the same.
JUDGES = """
from mtprobe.errors import Failure
from toys import Toy


class Leaning(Toy):
    def __init__(self, name, by):
        super().__init__(name, lambda source: " her " in source)
        self.by = by

    def likelihood(self, source, target):
        woman = "woman" in source
        fits = woman == target.startswith("A ")
        return (-0.2 - 0.5 * (not fits) + (self.by if woman else 0.0) - abs(self.by),)


class Blind(Toy):
    def likelihood(self, source, target):
        return (-1.0,)


class Mute(Toy):
    def score(self, pairs):
        return [Failure("out of order") if "chegou" in target else (-1.0,) for _, target in pairs]


fair = Leaning("fair-judge", 0.0)
leaning = Leaning("leaning-judge", 0.7)
blind = Blind("blind-judge", lambda source: False)
mute = Mute("mute-judge", lambda source: False)
"""


@pytest.fixture
def audited(project):
    path = project.path / "suites" / "occupations.mt.yaml"
    path.write_text(path.read_text(encoding="utf-8") + AUDIT, encoding="utf-8")
    (project.path / "judges.py").write_text(JUDGES, encoding="utf-8")
    return project


def run(project, judge, *args, **rest):
    return project.pytest("-v", f"--mt-evaluator=python:judges:{judge}", *args, **rest)


def head(project):
    return next(line for line in project.record() if line["kind"] == "suite")


def test_a_fit_evaluator_is_said_to_be_fit(audited):
    result = run(audited, "fair")
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        ["  evaluator fit: 1.00 (95% interval 0.*–1.00, n = 12) of known readings recognized"]
    )
    assert "  warning: " not in result.stdout.str()
    audit = head(audited)["audit"]
    assert (audit["verdict"], audit["form"], audit["target"]) == ("fit", "cues", "pt")
    assert audit["accuracy"]["n"] == 12


def test_a_run_warns_of_an_unfit_evaluator(audited):
    result = run(audited, "blind", "--mt-report=report.html")
    result.stdout.fnmatch_lines(
        [
            "  evaluator unfit: 0.00 *",
            "  warning: do not trust these verdicts: python-judges-blind is unfit for en→pt with these cues",
        ]
    )
    page = (audited.path / "report.html").read_text(encoding="utf-8")
    assert "Unfit evaluator." in page
    assert '<a href="#suite-1-audit">unfit</a>' in page


def test_a_failing_gate_says_so_too(audited):
    result = run(audited, "leaning", model="always_male")
    result.stdout.fnmatch_lines(
        [
            "occupations: accuracy[[]male] = 0.00 *",
            "warning: do not trust these verdicts: python-judges-leaning is fit only after calibration for en→pt*",
        ]
    )


def test_a_suite_without_pairs_for_the_target_is_said_not_to_be_audited(project):
    result = project.pytest("-v", "--mt-report=report.html")
    result.stdout.fnmatch_lines(["  evaluator not audited: the suite has no audit pairs for pt"])
    assert head(project)["audit"] is None
    assert ">not audited</a>" in (project.path / "report.html").read_text(encoding="utf-8")


def test_the_audit_survives_the_record(audited):
    run(audited, "leaning")
    (suite,) = read_run(audited.path / ".mtprobe" / "last-run.jsonl").suites
    assert suite.audit.fitness == "fit after calibration"
    assert [one.reading for one in suite.audit.offsets] == ["male", "female"]
    assert suite.audit.offsets[1].measure.value == pytest.approx(0.7)


def test_a_second_run_scores_nothing(audited):
    run(audited, "fair")
    before = audited.calls("score")
    assert any("arrived" in call for call in before)
    run(audited, "fair")
    assert audited.calls("score") == before


def test_taking_a_part_of_the_samples_audits_on_all_pairs(audited):
    run(audited, "fair", "--mt-take=4")
    assert head(audited)["audit"]["accuracy"]["n"] == 12


def test_a_gate_can_demand_a_fit_evaluator(audited):
    audited.change("gates:\n", 'gates:\n  audit_accuracy: ">= 0.9"\n')
    assert run(audited, "fair").ret == 0
    result = run(audited, "blind")
    result.stdout.fnmatch_lines(
        ["occupations: audit_accuracy = 0.00 (95% interval 0.00–0.*, n = 12), but must be >= 0.90"]
    )
    assert result.ret == 1


def test_a_gate_may_be_decided_on_the_interval(audited):
    audited.change("gates:\n", 'gates:\n  audit_accuracy: ">= 0.9 @95%"\n')
    run(audited, "fair", "-k", "audit_accuracy").stdout.fnmatch_lines(
        ["*audit_accuracy = 1.00*is undecided*"]
    )


def test_a_gate_on_the_evaluator_fails_where_it_was_not_audited(audited):
    audited.change("gates:\n", 'gates:\n  audit_accuracy: ">= 0.9"\n')
    audited.change("audit:\n  pt:", "audit:\n  de:")
    result = run(audited, "fair", "-k", "audit_accuracy")
    result.stdout.fnmatch_lines(["*audit_accuracy could not be measured: the evaluator was not audited*"])
    assert result.ret == 1


def test_scores_that_are_missing_make_an_error_of_the_gate(audited):
    audited.change("gates:\n", 'gates:\n  audit_accuracy: ">= 0.9"\n')
    result = run(audited, "mute")
    result.assert_outcomes(errors=1, failed=4)  # what it does score is the same for both readings
    result.stdout.fnmatch_lines(
        [
            "*audit_accuracy cannot be judged: 24 scores are missing: out of order",
            "  evaluator not measured: 24 scores are missing: out of order",
            "  warning: do not trust these verdicts: python-judges-mute could not be audited*",
        ]
    )


def test_calibrating_takes_the_offset_off(audited):
    leaning = run(audited, "leaning")
    assert leaning.ret == 1
    assert "warning" in leaning.stdout.str()
    audited.change("gates:\n", 'calibrate: true\ngates:\n  audit_accuracy: ">= 0.9"\n')
    calibrated = run(audited, "leaning")
    assert calibrated.ret == 0
    calibrated.stdout.fnmatch_lines(["*calibrated 1.00 (0.*–1.00); offset female*"])
    assert "  warning: " not in calibrated.stdout.str()
    sample = next(
        line for line in audited.record() if line["kind"] == "sample" and line["category"] == "female"
    )
    right, wrong = sample["verdict"]["evidence"]
    assert (right["offset"], wrong["offset"]) == (pytest.approx(0.7), 0.0)
    assert sample["verdict"]["outcome"] == "correct"
    assert sample["verdict"]["probability"] > 0.5


def test_calibrating_without_pairs_for_the_target_skips_the_suite_visibly(audited):
    audited.change("gates:\n", "calibrate: true\ngates:\n")
    audited.change("audit:\n  pt:", "audit:\n  de:")
    result = run(audited, "fair", "-rs")
    result.assert_outcomes(skipped=4)
    result.stdout.fnmatch_lines(["*the suite calibrates its evaluator but has no audit pairs for pt*"])
    assert result.ret == 1


def test_calibrating_needs_an_offset_for_every_sample(audited):
    audited.change("gates:\n", "calibrate: true\ngates:\n")
    audited.change(
        "generate:\n",
        "samples:\n  - {source: The <writer> sold his house., category: male, cues: {correct: man, incorrect: lady}}\ngenerate:\n",
    )
    result = run(audited, "fair")
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "*occupations.mt.yaml:10:1: calibrate: the audit pairs for pt do not cover samples with cues of their own"
        ]
    )


@pytest.mark.slow
def test_workers_bring_their_audits_home(audited):
    run(audited, "fair", "-n2")
    assert head(audited)["audit"]["verdict"] == "fit"
