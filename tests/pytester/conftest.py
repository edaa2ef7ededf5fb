"""A small project for pytester: one suite, and a module of toy models that speak a little Portuguese."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from tests.pytester.running import OTHERS_OFF

SUITE = """\
mtprobe: 1
name: occupations
about: Does the translation keep the gender?
languages: {source: en, targets: any}
method: contrastive-conditioning
categories: [male, female]
cues:
  male:   {correct: man,   incorrect: woman}
  female: {correct: woman, incorrect: man}
gates:
  accuracy[male]: ">= 0.60"
  accuracy[female]: ">= 0.60"
  minimum_accuracy: ">= 0.60"
  gap: "<= 0.20"
generate:
  - id: shift
    source: "The <{occupation}> finished {possessive} shift before the others arrived."
    slots: &slots
      occupation: [doctor, lawyer, teacher, engineer, writer, dancer]
      possessive:
        her: {category: female}
        his: {category: male}
  - id: house
    source: "The <{occupation}> has sold {possessive} house near the old harbour."
    slots: *slots
"""

# Each model is a callable with a `score`; every call is written to calls.txt, so that a test can count them.
TOYS = '''
from pathlib import Path

NOUNS = {
    "doctor": ("médico", "médica"),
    "lawyer": ("advogado", "advogada"),
    "teacher": ("professor", "professora"),
    "engineer": ("engenheiro", "engenheira"),
    "writer": ("escritor", "escritora"),
    "dancer": ("dançarino", "dançarina"),
}
HERE = Path(__file__).parent


def note(text):
    with (HERE / "calls.txt").open("a", encoding="utf-8") as stream:
        stream.write(text + "\\n")


class Toy:
    """Translates the suite's sentences; `gender` says which form it takes for a source."""

    def __init__(self, name, gender):
        self.fingerprint = name
        self.gender = gender

    def __call__(self, sources):
        for source in sources:
            note(f"translate {self.fingerprint} {source}")
        return [self.one(source) for source in sources]

    def one(self, source):
        noun = next(word for word in NOUNS if word in source)
        article = "A" if self.gender(source) else "O"
        form = NOUNS[noun][self.gender(source)]
        if "shift" in source:
            return f"{article} {form} terminou o turno antes que os outros chegassem."
        return f"{article} {form} vendeu a casa perto do antigo porto da cidade."

    def score(self, pairs):
        for source, target in pairs:
            note(f"score {self.fingerprint} {source} => {target}")
        return [self.likelihood(source, target) for source, target in pairs]

    def likelihood(self, source, target):
        fits = (" woman " in source) == target.startswith("A ")
        return tuple([-0.2 if fits else -0.9] * len(target.split()) + [-0.1])


always_male = Toy("always-male", lambda source: False)
fair = Toy("fair", lambda source: " her " in source)


def echo(sources):
    return list(sources)


def empty(sources):
    return ["" for _ in sources]


def constant(sources):
    return ["A médica terminou o turno antes que os outros chegassem." for _ in sources]


def broken(sources):
    raise RuntimeError("the toy is broken")
'''


class Project:
    """A folder with a suite and the toys, and a way to run pytest there."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester
        self.path = pytester.path
        self.suite("occupations", SUITE)
        (self.path / "toys.py").write_text(TOYS, encoding="utf-8")
        sys.modules.pop("toys", None)  # another test's

    def suite(self, name: str, text: str) -> Path:
        path = self.path / "suites" / f"{name}.mt.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
        return path

    def change(self, old: str, new: str) -> None:
        path = self.path / "suites" / "occupations.mt.yaml"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    def enlarge(self) -> None:
        """240 samples instead of 24: everything happens in ten places."""
        self.change("shift before the others arrived.", "shift near the {place}.")
        self.change("house near the old harbour.", "house near the {place}.")
        places = "harbour, market, station, museum, bridge, garden, school, theatre, library, church"
        self.change("      possessive:\n", f"      place: [{places}]\n      possessive:\n")

    def pytest(
        self, *args: str, model: str | None = "fair", where: str = "suites", alone: bool = False
    ) -> pytest.RunResult:
        """Runs pytest as a user would; in this process, unless other processes are part of the question."""
        named = [f"--mt-model=python:toys:{model}", "--mt-target=pt"] if model else []
        spread = any(arg.startswith("-n") for arg in args)
        run = self.pytester.runpytest_subprocess if alone or spread else self.pytester.runpytest_inprocess
        # This process imported mtprobe long ago; an editable install makes pytest warn of that, and a user's run would not.
        quiet = ["-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning"]
        return run(*OTHERS_OFF, *quiet, *named, *args, *([where] if where else []))

    def calls(self, kind: str) -> list[str]:
        path = self.path / "calls.txt"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return [line for line in lines if line.startswith(kind)]

    def record(self, path: str = ".mtprobe/last-run.jsonl") -> list[dict]:
        lines = (self.path / path).read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    return Project(pytester)
