"""A backend that returns nonsense or wants to end Python: its samples are errors, the run goes on, and a record is written"""

from __future__ import annotations

import pytest

from mtprobe.methods.verdict import Outcome
from mtprobe.records import read_run

# Does what the file `nonsense` says with sentences about dancers.
NONSENSE = """
import sys
from pathlib import Path
from toys import HERE, Toy


class Panic(BaseException):
    pass


class Nonsense(Toy):
    chunk = 1

    def nonsense(self, text, what):
        path = HERE / "nonsense"
        if path.exists() and ("dancer" in text or "dança" in text):
            code = path.read_text(encoding="utf-8")
            if code.startswith(what):
                return eval(code.removeprefix(what))
        return None

    def one(self, source):
        return self.nonsense(source, "translate ") or super().one(source)

    def likelihood(self, source, target):
        return self.nonsense(target, "score ") or super().likelihood(source, target)


nonsense = Nonsense("nonsense", lambda source: " her " in source)
"""

CASES = {
    "NaN": ("score (-1.0, float('nan'))", "*could not be scored: python:nonsense*not finite (nan, token 2)*"),
    "minus infinity": ("score (-float('inf'),)", "*not finite (-inf, token 1)*"),
    "infinity": ("score [float('inf')]", "*not finite (inf, token 1)*"),
    "positive": ("score (0.5, -0.1)", "*a log-probability above 0 (0.5, token 1)*"),
    "half a character": ("translate 'O dan\\ud800arino vendeu a casa.'", "*a lone surrogate*“The dancer*"),
    "no text": ("translate 7", "*an int instead of a text*"),
    "exit": ("translate sys.exit('no licence')", "*4 × python:nonsense*raised SystemExit: no licence*"),
    "exit without a word": ("score sys.exit()", "*raised SystemExit*"),
    "panic": ("translate (_ for _ in ()).throw(Panic('at lib.rs:7'))", "*raised Panic: at lib.rs:7*"),
}


@pytest.fixture
def nonsense(project):
    (project.path / "nonsense.py").write_text(NONSENSE, encoding="utf-8")
    return project


def verdicts(project):
    (suite,) = read_run(project.path / ".mtprobe/last-run.jsonl").suites
    return {result.id: result.verdict for result in suite.results}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_its_samples_are_errors_until_it_is_fixed(nonsense, case):
    code, said = CASES[case]
    args = ["--mt-model=python:nonsense:nonsense", "--mt-target=pt"]
    (nonsense.path / "nonsense").write_text(code, encoding="utf-8")
    result = nonsense.pytest(*args, model=None)
    result.assert_outcomes(errors=4)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines([said])
    assert "INTERNALERROR" not in result.stdout.str()
    assert "Traceback" not in result.stdout.str()
    errors = {name for name, verdict in verdicts(nonsense).items() if verdict.outcome is Outcome.ERROR}
    in_one_call = code.startswith("score") and "exit" in code
    assert len(errors) == 24 if in_one_call else all("dancer" in name for name in errors)
    (nonsense.path / "nonsense").unlink()
    nonsense.pytest(*args, model=None).assert_outcomes(passed=4)
    assert {verdict.outcome for verdict in verdicts(nonsense).values()} == {Outcome.CORRECT}


def test_an_evaluator_is_checked_as_well(nonsense):
    (nonsense.path / "nonsense").write_text("score (-float('inf'),)", encoding="utf-8")
    result = nonsense.pytest("--mt-evaluator=python:nonsense:nonsense")
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(["*4 of 24 samples could not be judged*not finite (-inf, token 1)*"])


def test_a_module_that_ends_python_cannot_be_opened(project):
    (project.path / "script.py").write_text("import sys\nsys.exit('usage: script FILE')\n", encoding="utf-8")
    result = project.pytest("--mt-model=python:script:translate", "--mt-target=pt", model=None)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*raised SystemExit: usage: script FILE*"])


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise RuntimeError('no weights')", "*cannot be opened: RuntimeError: no weights (module.py:1)"),
        ("def translate(x) return x", "*cannot be opened: SyntaxError: *"),
        ("import no_such_library", "*cannot be opened: ModuleNotFoundError: *no_such_library*"),
    ],
)
def test_a_module_that_cannot_be_imported_is_a_usage_error(project, code, said):
    (project.path / "module.py").write_text(f"{code}\n", encoding="utf-8")
    result = project.pytest("--mt-model=python:module:translate", "--mt-target=pt", model=None)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([said])
    assert "INTERNALERROR" not in result.stdout.str()


def test_an_exception_without_words_is_recorded_by_its_name(project):
    (project.path / "mute.py").write_text(
        "from toys import fair\n\nclass Mute(Exception):\n    def __str__(self):\n        raise ValueError\n\n"
        "def mute(sources):\n    raise Mute\n\nmute.score = fair.score\n",
        encoding="utf-8",
    )
    project.pytest("--mt-model=python:mute:mute", "--mt-target=pt", model=None).assert_outcomes(errors=4)
    assert (
        read_run(project.path / ".mtprobe/last-run.jsonl").failed[0].reason
        == "python:mute:mute raised Mute, in mute.py:8"
    )


def test_a_method_that_ends_python_ends_its_suite_only(project, monkeypatch):
    def judge(*_):
        raise SystemExit("no dictionary")

    monkeypatch.setattr("mtprobe.methods.contrastive_conditioning.ContrastiveConditioning.judge", judge)
    result = project.pytest()
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(["*SystemExit: no dictionary*"])
    assert read_run(project.path / ".mtprobe/last-run.jsonl").failed[0].reason == "no dictionary"


def test_pytest_exit_in_a_backend_ends_the_session(project):
    (project.path / "quits.py").write_text(
        "import pytest\nfrom toys import fair\n\ndef quits(sources):\n    pytest.exit('enough')\n\n"
        "quits.score = fair.score\n",
        encoding="utf-8",
    )
    result = project.pytest("--mt-model=python:quits:quits", "--mt-target=pt", model=None)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*Exit: enough*"])
    failed = read_run(project.path / ".mtprobe/last-run.jsonl", whole=False).failed
    assert [suite.suite for suite in failed] == ["occupations"]


def test_a_program_that_writes_nothing_is_an_error_even_for_one_sentence(project):
    evaluator = "--mt-evaluator=python:toys:fair"
    result = project.pytest("--mt-model=cmd:true", "--mt-target=pt", "--mt-take=1", evaluator, model=None)
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(["*cmd:true wrote no line for 1 sentence*"])
    assert read_run(project.path / ".mtprobe/last-run.jsonl").failed
