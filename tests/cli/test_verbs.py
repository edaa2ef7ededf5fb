"""The verbs of `mtprobe`: found by their files, imported when called, added by packages"""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from mtprobe.cli import main
from mtprobe.cli.verbs import GROUPS, own_verbs

ROOT = Path(__file__).parents[2]
MTPROBE = (sys.executable, "-c", "import sys; from mtprobe.cli import main; sys.exit(main())")


def help_text(capsys, *words: str) -> str:
    with pytest.raises(SystemExit) as exit:
        main([*words, "--help"])
    assert exit.value.code == 0
    return capsys.readouterr().out


def test_a_call_imports_no_other_verb():
    code = (
        "import sys; from mtprobe.cli import main; main(['backends']);"
        "print('modules:', *(name for name in sys.modules if name.startswith('mtprobe.cli.')))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = run.stdout.partition("modules: ")[2].split()
    names = ("output", "verbs", "models", "models.backends")
    assert set(modules) == {f"mtprobe.cli.{name}" for name in names}


@pytest.mark.slow
def test_help_lists_every_verb_under_its_group_and_imports_none():
    code = (
        "import sys; from mtprobe.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: print(*(name for name in sys.modules if 'mtprobe.' in name))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    *shown, modules = run.stdout.splitlines()
    assert not [
        name for name in modules.split() if name.startswith(tuple(f"mtprobe.cli.{g}" for g in GROUPS))
    ]
    headings = [line for line in shown if line.endswith(":") and not line.startswith(" ")]
    assert headings[:6] == [
        "options:",
        "run suites:",
        "write suites:",
        "look at results:",
        "studies:",
        "models:",
    ]
    assert any("pytest --mt-model=" in line for line in shown)
    for verb in own_verbs():
        assert any(line.startswith(f"  {verb.name} ") for line in shown)


def test_every_module_that_says_so_is_a_verb_and_helpers_are_not():
    names = [verb.name for verb in own_verbs()]
    assert len(names) == len(set(names)) >= 26
    assert {"import", "store", "backends"} <= set(names)
    assert not {"corpus"} & set(names)
    for group in GROUPS:
        for path in (ROOT / "mtprobe" / "cli" / group).glob("*.py"):
            module = import_module(f"mtprobe.cli.{group}.{path.stem}")
            is_verb = hasattr(module, "arguments") and hasattr(module, "run")
            assert is_verb == (path.stem.rstrip("_") in names), (
                f"{path}: its first line does not describe a verb"
            )


@pytest.mark.parametrize("verb", [verb.name for verb in own_verbs()])
def test_a_verb_describes_itself_in_a_sentence(verb, capsys):
    usage, description = help_text(capsys, verb).split("\n\n")[:2]
    assert usage.startswith(f"usage: mtprobe {verb} ")
    assert description[0].isupper() or description.startswith("`")
    assert description[-1] in ".?"


@pytest.mark.parametrize(
    ("typed", "hint"), [("lnit", 'did you mean "lint"?'), ("frobnicate", "`mtprobe --help` lists them")]
)
def test_a_verb_that_is_not_there(typed, hint, capsys):
    assert main([typed]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f'there is no verb "{typed}"')
    assert hint in error


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("run", "suites are run by pytest: `pytest --mt-model=SPEC SUITE`"),
        ("test mine.mt.yaml", "suites are run by pytest: `pytest --mt-model=SPEC mine.mt.yaml`"),
        ("check mine.mt.yaml", "`mtprobe lint SUITE` finds mistakes in suites"),
        ("validate", "`mtprobe lint SUITE` finds mistakes in suites"),
        ("init", "`mtprobe new suite PATH` starts a suite"),
        ("list", "`mtprobe expand SUITE` shows the samples of a suite"),
        ("models", "`mtprobe backends` lists the models"),
        ("diff", "`mtprobe compare BEFORE AFTER` compares two runs"),
        ("help", "`mtprobe --help` lists the verbs"),
    ],
)
def test_a_verb_that_people_try_gets_the_sentence_that_helps(words, sentence, capsys):
    assert main(words.split()) == 2
    error = capsys.readouterr().err
    assert error.startswith(f'there is no verb "{words.split()[0]}"; {sentence}')


def test_every_verb_in_the_advice_exists():
    from mtprobe.cli import guesses

    named = {verb for advice in guesses._MEANT for verb in re.findall(r"`mtprobe (\w+)", advice)}
    assert named <= {verb.name for verb in own_verbs()}
    assert not {*guesses._ADVICE} & {verb.name for verb in own_verbs()}


def test_a_suite_instead_of_a_verb(capsys):
    assert main(["mine.mt.yaml"]) == 2
    error = capsys.readouterr().err
    assert error == (
        '"mine.mt.yaml" is not a verb; suites are run by pytest: `pytest --mt-model=SPEC mine.mt.yaml`\n'
    )


@pytest.mark.parametrize("words", [[], ["--frobnicate"], ["--", "lint"]])
def test_without_a_verb_it_is_a_usage_error(words, capsys):
    with pytest.raises(SystemExit) as exit:
        main(words)
    assert exit.value.code == 2
    assert capsys.readouterr().err.startswith("usage: mtprobe [-h] [--version] VERB ...")


def test_the_version(capsys):
    with pytest.raises(SystemExit) as exit:
        main(["--version"])
    assert exit.value.code == 0
    assert capsys.readouterr().out.startswith("mtprobe 0.")


def add_package(folder: Path, name: str, entries: str, code: str) -> None:
    """A package with its dist-info, as pip installs it."""
    (folder / f"{name}.py").write_text(code, encoding="utf-8")
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: mtprobe-{name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[mtprobe.verbs]\n{entries}\n")


@pytest.fixture
def packages(folder, monkeypatch):
    """A module as a verb, an object as a verb, one whose name is ours, and two that cannot be loaded."""
    add_package(
        folder,
        "shouting",
        "shout = shouting\nwhisper = shouting:whisper\nlint = shouting",
        '''"""`mtprobe shout WORD`: say a word loudly"""

def arguments(parser):
    parser.add_argument("word")

def run(args):
    print(args.word.upper())
    return 3

class Whisper:
    """Say a word quietly."""

    def arguments(self, parser):
        parser.add_argument("word")

    def run(self, args):
        print(args.word.lower())
        return 0

whisper = Whisper()
''',
    )
    add_package(
        folder, "failing", "fail = failing\nempty = shouting:Whisper.__doc__", "import no_such_module\n"
    )
    monkeypatch.setenv("PYTHONPATH", f"{folder}:{ROOT}")

    def call(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*MTPROBE, *words], capture_output=True, text=True, check=False)

    return call


def test_a_package_adds_verbs(packages):
    shout = packages("shout", "Hello")
    assert (shout.returncode, shout.stdout, shout.stderr) == (3, "HELLO\n", "")
    assert packages("whisper", "Hello").stdout == "hello\n"
    described = packages("shout", "--help").stdout
    assert described.startswith("usage: mtprobe shout [-h] word\n\nSay a word loudly.\n")
    assert 'did you mean "shout"?' in packages("shuot").stderr


@pytest.mark.slow
def test_verbs_of_a_package_are_listed_under_its_name(packages):
    shown = packages("--help").stdout
    listed = shown.partition("from mtprobe-shouting:\n")[2].splitlines()
    assert [line.split() for line in listed[:2]] == [
        ["shout", "say", "a", "word", "loudly"],
        ["whisper", "Say", "a", "word", "quietly"],
    ]
    assert "mtprobe-shouting" not in packages("lint", "--help").stdout  # ours is not replaced


@pytest.mark.slow
def test_a_package_that_cannot_be_loaded_breaks_no_other_verb(packages):
    assert packages("backends").returncode == 0
    assert packages("shout", "Hello").stdout == "HELLO\n"
    shown = packages("--help")
    assert shown.returncode == 0
    assert "No module named 'no_such_module'" in " ".join(shown.stdout.split())
    failed = packages("fail")
    assert failed.returncode == 2
    assert failed.stderr == (
        'the verb "fail" of mtprobe-failing cannot be loaded: '
        "ModuleNotFoundError: No module named 'no_such_module'\n"
    )
    assert packages("empty").stderr.startswith('the verb "empty" of mtprobe-failing cannot be loaded: ')


def test_python_m_mtprobe_is_the_same_command():
    run = subprocess.run(
        [sys.executable, "-m", "mtprobe", "--version"], capture_output=True, text=True, check=True
    )
    assert run.stdout.startswith("mtprobe ")
