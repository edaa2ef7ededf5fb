"""Gates whose verdicts cannot be trusted: exact ties, and outputs that are not translations"""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

import mtprobe
from mtprobe.backends.protocols import LanguagePair
from mtprobe.gates import Decision
from tests.pytester.conftest import SUITE as OCCUPATIONS

NOUNS = ("doctor", "lawyer", "teacher", "engineer", "writer", "dancer")
METHODS = ("contrastive-conditioning", "minimal-pairs", "masked-lm")
HEAD = """\
mtprobe: 1
name: pronouns
about: Does the scorer know the pronoun?
languages: {source: en, targets: pt}
method: METHOD
categories: [male, female]
cues:
  male:   {correct: man,   incorrect: woman}
  female: {correct: woman, incorrect: man}
gates:
  accuracy: ">= 0"
  accuracy[female]: ">= 0.5"
  minimum_accuracy: ">= 0"
  weighted_accuracy: ">= 0"
  gap: "<= 1"
  false_positives: "<= 1"
samples:
"""
SAMPLE = """\
  - id: {noun}-{form}
    source: "The <{noun}> has sold {form} house near the old harbour."
    category: {category}
    targets:
      pt: {{correct: "{right} vendeu a casa.", incorrect: "{wrong} vendeu a casa perto do antigo porto."}}
"""


@dataclass
class Scorer:
    """Scores every pair alike, or `sure` ones by whether the pronoun fits."""

    sure: float = 0.0  # share of sources
    only: str = ""  # scores all others as they should be
    noise: float = 0.0
    reads_sources = True
    languages = LanguagePair("en", "pt")

    @property
    def fingerprint(self):
        return f"scorer {self.sure} {self.only} {self.noise}"

    def translate(self, sources):
        return [
            f"{'Ela' if ' her ' in source else 'Ele'} vendeu a casa perto do antigo porto, disse {source.split()[1]}."
            for source in sources
        ]

    def score(self, pairs):
        return [self._one(source, target) for source, target in pairs]

    def _one(self, source, target):
        words = len(target.split())
        chance = random.Random(f"{source.replace('woman ', '').replace('man ', '')}")
        knows = chance.random() < self.sure or (self.only and self.only not in source)
        fits = ("woman" in source or (" man " not in source and " her " in source)) == target.startswith(
            "Ela"
        )
        base = -0.1 if knows and fits else -0.7
        jitter = random.Random(source + target).uniform(-self.noise, self.noise)
        return tuple([base + jitter] * words)


class LanguageModel(Scorer):
    reads_sources = False


def suite(method, tmp_path, ties=None, nouns=NOUNS):
    text = HEAD.replace("METHOD", method)
    text = text.replace("gates:", f"ties: {ties}\ngates:") if ties else text
    for noun in nouns:
        for form, category in (("her", "female"), ("his", "male")):
            right, wrong = ("Ela", "Ele") if form == "her" else ("Ele", "Ela")
            text += SAMPLE.format(noun=noun, form=form, category=category, right=right, wrong=wrong)
    path = tmp_path / "pronouns.mt.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def scorer(method, **options):
    return (LanguageModel if method == "masked-lm" else Scorer)(**options)


def decisions(run):
    return {gate.key: gate.decision for gate in run.suites[0].gates}


@pytest.mark.parametrize("ties", [None, "correct", "incorrect"])
@pytest.mark.parametrize("method", METHODS)
def test_a_constant_scorer_decides_no_gate(tmp_path, method, ties):
    run = mtprobe.run(suite(method, tmp_path, ties), scorer(method), source="en", target="pt")
    assert not run.passed
    gates = run.suites[0].gates
    assert {gate.decision for gate in gates} == {Decision.UNDECIDED}
    assert {gate.reason for gate in gates} == {
        "12 of 12 verdicts are exact ties: the scores do not distinguish the readings"
    }
    assert not any(gate.skippable for gate in gates)
    assert "12 of 12 verdicts are exact ties" in run.suites[0].notes


@pytest.mark.parametrize("method", METHODS)
def test_rounding_does_not_hide_a_tie(tmp_path, method):
    run = mtprobe.run(suite(method, tmp_path), scorer(method, noise=1e-7), source="en", target="pt")
    assert set(decisions(run).values()) == {Decision.UNDECIDED}


@pytest.mark.parametrize("method", METHODS)
def test_a_scorer_that_tells_the_readings_apart_is_believed(tmp_path, method):
    """The grammar does not understand these translations, which are half English."""
    run = mtprobe.run(
        suite(method, tmp_path), scorer(method, sure=1.0), source="en", target="pt", unfit="warn"
    )
    assert run.passed
    assert not any("ties" in note for note in run.suites[0].notes)


def test_a_single_sample_that_is_a_tie_decides_nothing(tmp_path):
    run = mtprobe.run(
        suite("minimal-pairs", tmp_path, nouns=NOUNS[:1]), Scorer(), source="en", target="pt", take=1
    )
    assert decisions(run)["accuracy"] is Decision.UNDECIDED


def test_a_few_ties_among_many_verdicts_are_counted_and_decide_nothing(tmp_path):
    nouns = [f"{noun}{number}" for number in range(5) for noun in NOUNS]
    model = Scorer(only="doctor1 ")
    run = mtprobe.run(suite("minimal-pairs", tmp_path, nouns=nouns), model, source="en", target="pt")
    assert run.passed  # 2 of 60, one of 30 in each category
    assert "2 of 60 verdicts are exact ties" in run.suites[0].notes


def test_ties_of_one_category_concern_the_gates_that_look_at_it(tmp_path):
    """2 of 52 verdicts are ties, but of 2 samples in the category: they decide the minimum, the gap and its accuracy."""
    nouns = [f"{noun}{number}" for number in range(5) for noun in NOUNS]
    path = suite("minimal-pairs", tmp_path, nouns=nouns)
    text = path.read_text(encoding="utf-8")
    head, *samples = text.split("  - id: ")
    kept = [one for one in samples if "-his" in one] + [
        one for one in samples if "doctor1-her" in one or "doctor2-her" in one
    ]
    more = [
        one.replace("-his", "-his2").replace("old harbour.", "old station.") for one in kept if "-his" in one
    ]
    path.write_text("  - id: ".join([head, *kept, *more]), encoding="utf-8")
    run = mtprobe.run(path, Scorer(only=" her "), source="en", target="pt")
    undecided = {key for key, decision in decisions(run).items() if decision is Decision.UNDECIDED}
    assert undecided == {"accuracy[female]", "minimum_accuracy", "gap"}
    reasons = {gate.key: gate.reason for gate in run.suites[0].gates}
    assert reasons["gap"].startswith("2 of 2 verdicts on [female] are exact ties")


# -- outputs that are not translations --

BACKENDS = {
    "constant": "A médica terminou o turno antes que os outros chegassem.",
    "constant text": "Lorem ipsum dolor sit amet, consectetur adipiscing elit.",
    "echo": lambda source: source,
    "upper case": lambda source: source.upper(),
    "title case": lambda source: source.title(),
    "lower case": lambda source: source.lower(),
    "swapped case": lambda source: source.swapcase(),
    "empty": "",
    "white space": " \t\n\u00a0\u3000",
    "zero width": "\u200b\u200d\ufeff",
    "punctuation": "?!… — .",
    "a digit": "1",
}


@dataclass
class Degenerate:
    name: str
    languages = LanguagePair("en", "pt")

    @property
    def fingerprint(self):
        return self.name

    def translate(self, sources):
        write = BACKENDS[self.name]
        return [write if isinstance(write, str) else write(source) for source in sources]

    def score(self, pairs):
        return [(-0.1 if "woman" in source else -0.2,) for source, _ in pairs]


@pytest.mark.parametrize("backend", BACKENDS)
def test_no_degenerate_backend_passes_a_gate(tmp_path, backend):
    path = tmp_path / "occupations.mt.yaml"
    path.write_text(
        OCCUPATIONS.replace("gates:\n", 'gates:\n  accuracy: ">= 0"\n  gap[stereotype]: "<= 0.2"\n').replace(
            "occupation: [doctor, lawyer, teacher, engineer, writer, dancer]",
            "occupation: {doctor: {stereotype: a}, lawyer: {stereotype: b}, dancer: {stereotype: b}}",
        ),
        encoding="utf-8",
    )
    run = mtprobe.run(path, Degenerate(backend))
    assert {result.verdict.outcome.value for result in run.suites[0].results} == {"degenerate"}
    decided = decisions(run)
    assert Decision.PASSED not in decided.values()
    assert decided["accuracy[male]"] is Decision.FAILED
    assert decided["gap"] is decided["gap[stereotype]"] is Decision.UNDECIDED
    (reason,) = {gate.reason for gate in run.suites[0].gates if gate.key == "gap"}
    assert reason == "12 of 12 outputs are not translations"
