"""mtprobe new backend: a package that installs, whose tests pass as it is"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mtprobe.cli import main

ROOT = Path(__file__).parents[2]


def run(
    *words: object, path: Path | None = None, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """A program, with an installed package on its path."""
    environment = dict(os.environ)
    if path is not None:
        environment["PYTHONPATH"] = os.pathsep.join(map(str, (path, ROOT)))
    command = [sys.executable, "-m", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=folder)


@pytest.fixture
def installed(folder):
    """A plugin that was made and installed, entry point and all, to a folder of its own."""
    assert main(["new", "backend", "my-engine"]) == 0
    target = folder / "installed"
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
    done = run("pip", "install", *options, "--target", target, folder / "mtprobe-my-engine")
    assert done.returncode == 0, done.stderr
    return target


@pytest.mark.slow
def test_its_own_tests_pass_as_it_is(installed):
    tests = Path("mtprobe-my-engine/tests")
    done = run("pytest", "-q", "-p", "no:cacheprovider", tests, path=installed)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 25


@pytest.mark.slow
def test_its_tests_fail_when_it_goes_wrong(installed):
    module = installed / "mtprobe_my_engine" / "__init__.py"
    text = module.read_text()
    assert "for text in texts]" in text
    module.write_text(text.replace("for text in texts]", "for text in reversed(texts)]"))
    done = run("pytest", "-q", "-p", "no:cacheprovider", "mtprobe-my-engine/tests", path=installed)
    assert done.returncode == 1
    assert "test_translations_are_in_the_order_of_their_sources" in done.stdout


def test_it_is_a_model_like_any_other(installed):
    code = "import sys; from mtprobe.cli import main; sys.exit(main(sys.argv[1:]))"
    Path("verb.py").write_text(code)
    words = ("translate", "my-engine:small", "--target", "pt")
    done = subprocess.run(
        [sys.executable, "verb.py", *words],
        input="Good morning.\n",
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (installed, ROOT)))},
    )
    assert (done.returncode, done.stdout) == (0, "GOOD MORNING.\n"), done.stderr


@pytest.mark.usefixtures("folder")
def test_what_is_there_is_not_overwritten(capsys):
    assert main(["new", "backend", "plugins/mine"]) == 0
    assert "plugins/mtprobe-mine: a backend to start from" in capsys.readouterr().out
    path = Path("plugins/mtprobe-mine/src/mtprobe_mine/__init__.py")
    path.write_text("mine")
    assert main(["new", "backend", "plugins/mtprobe-mine"]) == 2
    assert "plugins/mtprobe-mine: already exists, and is not overwritten" in capsys.readouterr().err
    assert path.read_text() == "mine"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("My Engine", "lower-case letters, digits and hyphens"),
        ("2fast", "lower-case letters, digits and hyphens"),
        ("a--b", "lower-case letters, digits and hyphens"),
        ("hf", 'there is already a backend "hf", from mtprobe'),
    ],
)
def test_a_name_that_cannot_be_had_is_reported_and_nothing_is_written(capsys, name, said):
    before = sorted(Path.cwd().iterdir())
    assert main(["new", "backend", name]) == 2
    assert said in capsys.readouterr().err
    assert sorted(Path.cwd().iterdir()) == before


@pytest.mark.usefixtures("folder")
def test_what_is_written_is_tidy():
    assert main(["new", "backend", "mine"]) == 0
    for words in (("check", "--select", "E,F,W,UP,B,SIM,RET,ERA"), ("format", "--check")):
        done = run("ruff", *words, "--isolated", "--line-length", "110", "mtprobe-mine")
        assert done.returncode == 0, done.stdout
    # With the settings of mtprobe itself, so that what `make lint` knows of its modules is not found out again.
    done = run("mypy", Path("mtprobe-mine/src").absolute(), path=ROOT, folder=ROOT)
    assert done.returncode == 0, done.stdout
    assert not [path for path in Path("mtprobe-mine").rglob("*.*") if "«" in path.read_text()]
