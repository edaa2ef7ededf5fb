"""--mt-unfit and --mt-unaudited: gates on verdicts that an audit in place finds wrong, or cannot audit"""

from __future__ import annotations

import pytest

from mtprobe.records import read_run

SUITE = """\
mtprobe: 1
name: adjectives
about: Is the teacher a woman?
languages: {source: en, targets: any}
method: contrastive-conditioning
categories: [male, female]
cues:
  male:   {correct: <> as a man,   incorrect: <> as a woman}
  female: {correct: <> as a woman, incorrect: <> as a man}
gates:
  gap: "<= 0.20"
  accuracy[male]: ">= 0.40"
  degenerate: "<= 0.02"
generate:
  - id: male
    source: "The <teacher> is very {adjective}."
    category: male
    slots: &slots
      adjective: [ADJECTIVES]
  - id: female
    source: "The <teacher> is very {adjective}."
    category: female
    slots: *slots
"""
ADJECTIVES = [f"{first}{second}" for first in ("tired", "calm", "proud", "quick") for second in "abcdefgh"]

# Every teacher is a man in Portuguese; what the judges hear depends on the adjective, or on the translation.
MODELS = """
from mtprobe.backends.protocols import LanguagePair


class Translator:
    languages = LanguagePair("en", "pt")

    def __init__(self, hears):
        self.hears = hears
        self.fingerprint = hears

    def __call__(self, sources):
        return [f"O professor está muito {source.split()[-1].rstrip(chr(46))}o." for source in sources]

    def score(self, pairs):
        return [(self.one(source, target),) for source, target in pairs]

    def one(self, source, target):
        a_man = " as a man" in source
        if self.hears == "noise":
            return -0.5 if (target[-3] in "aceg") == a_man else -0.6
        return -0.5 if target.startswith("O ") == a_man else -0.9


noisy, right = Translator("noise"), Translator("grammar")
"""


@pytest.fixture
def adjectives(project):
    (project.path / "suites" / "occupations.mt.yaml").unlink()
    project.suite("adjectives", SUITE.replace("ADJECTIVES", ", ".join(ADJECTIVES)))
    (project.path / "models.py").write_text(MODELS, encoding="utf-8")
    return project


def run(project, judge, *args, target="pt"):
    return project.pytest(
        "-v", f"--mt-model=python:models:{judge}", f"--mt-target={target}", *args, model=None
    )


def gates(project):
    return {line["key"]: line for line in project.record() if line["kind"] == "gate"}


def test_a_gap_between_verdicts_that_the_grammar_refutes_is_undecided(adjectives):
    result = run(adjectives, "noisy")
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "UNFIT VERDICTS: adjectives*male reported 0.*, by the grammar 1.00: unfit",
            "UNFIT VERDICTS: adjectives*female reported 0.*, by the grammar 0.00: unfit",
            "adjectives · *",
            "  undecided gap <= 0.20: unfit verdicts: male reported 0.*, by the grammar 1.00 (difference -0.*, n = 32)",
            "  verdicts agree with the grammar in 0.* (n = 32); male reported 0.*, by the grammar 1.00: unfit",
        ]
    )
    decided = gates(adjectives)
    assert decided["gap"]["measure"]["value"] == 0.0
    assert {key: gate["decision"] for key, gate in decided.items()} == {
        "gap": "undecided",
        "accuracy[male]": "undecided",
        "degenerate": "passed",
    }
    assert not decided["gap"]["skippable"]


def test_it_is_not_skipped_like_a_gate_that_more_samples_would_decide(adjectives):
    result = run(adjectives, "noisy", "--mt-undecided=skip")
    assert result.ret == 1
    result.assert_outcomes(passed=1, failed=2)


def test_unfit_verdicts_can_fail_a_gate(adjectives):
    result = run(adjectives, "noisy", "--mt-unfit=fail")
    assert result.ret == 1
    assert gates(adjectives)["gap"]["decision"] == "failed"
    result.stdout.fnmatch_lines(
        [
            "adjectives: gap = 0.00 *, and must be <= 0.20: unfit verdicts: male reported 0.50, by the grammar 1.00*"
        ]
    )


def test_or_only_warn_of_them(adjectives):
    result = run(adjectives, "noisy", "--mt-unfit=warn")
    assert gates(adjectives)["accuracy[male]"]["decision"] == "passed"
    result.stdout.fnmatch_lines(["UNFIT VERDICTS: adjectives*"])


def test_the_ini_file_can_say_so_too(adjectives):
    (adjectives.path / "pytest.ini").write_text("[pytest]\nmt_unfit = fail\n", encoding="utf-8")
    run(adjectives, "noisy")
    assert gates(adjectives)["gap"]["decision"] == "failed"


def test_a_value_that_does_not_exist_is_a_usage_error(adjectives):
    (adjectives.path / "pytest.ini").write_text("[pytest]\nmt_unaudited = skip\n", encoding="utf-8")
    result = run(adjectives, "noisy")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--mt-unaudited: skip is not warn, undecided or fail*"])


def test_verdicts_that_the_grammar_confirms_decide_gates(adjectives):
    result = run(adjectives, "right")
    decided = {key: gate["decision"] for key, gate in gates(adjectives).items()}
    assert decided == {"gap": "failed", "accuracy[male]": "passed", "degenerate": "passed"}
    assert "UNFIT" not in result.stdout.str()


def test_the_audit_survives_the_record(adjectives):
    run(adjectives, "noisy")
    (suite,) = read_run(adjectives.path / ".mtprobe" / "last-run.jsonl").suites
    assert [(row.category, row.source, row.fitness) for row in suite.in_place.deciding()] == [
        ("male", "gender-morphology", "unfit"),
        ("female", "gender-morphology", "unfit"),
    ]
    names = [finding.name for finding in suite.in_place.findings]
    assert names == ["narrow margins", "twins", "same words"]


@pytest.mark.slow
def test_workers_audit_too(adjectives):
    run(adjectives, "noisy", "-n2")
    assert gates(adjectives)["gap"]["decision"] == "undecided"


# -- nothing to audit with: there is no grammar of Dutch --


def test_a_suite_that_could_not_be_audited_says_so_loudly(adjectives):
    """Contradictions are shown as well: one word with both readings."""
    change(adjectives)
    result = run(adjectives, "noisy", target="nl")
    result.stdout.fnmatch_lines(
        [
            "*= mtprobe =*",
            "DOUBTFUL VERDICTS: adjectives*opposite readings of the same words: * of 64 verdicts*",
            "NOT AUDITED: adjectives*: nobody has checked these verdicts yet*",
            "adjectives · *",
        ]
    )
    assert gates(adjectives)["accuracy[male]"]["decision"] == "passed"


@pytest.mark.parametrize(("consequence", "decision"), [("undecided", "undecided"), ("fail", "failed")])
def test_and_its_gates_can_be_kept_from_passing(adjectives, consequence, decision):
    change(adjectives)
    assert run(adjectives, "noisy", f"--mt-unaudited={consequence}", target="nl").ret == 1
    decided = gates(adjectives)
    assert decided["accuracy[male]"]["decision"] == decision
    assert decided["accuracy[male]"]["reason"].startswith("nobody has checked these verdicts yet")
    assert decided["degenerate"]["decision"] == "passed"


def change(project):
    path = project.path / "models.py"
    text = (
        path.read_text(encoding="utf-8")
        .replace('"pt"', '"nl"')
        .replace("O professor está muito", "De leraar is vandaag erg")
    )
    path.write_text(text, encoding="utf-8")
