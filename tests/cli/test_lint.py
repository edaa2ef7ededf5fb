"""mtprobe lint"""

from __future__ import annotations

import subprocess
import sys

import pytest

from mtprobe.cli import main


def test_a_good_suite(suite, capsys):
    assert main(["lint", str(suite)]) == 0
    assert capsys.readouterr().out == "1 suite, 0 errors, 0 warnings\n"


def test_all_errors_of_all_suites_are_shown_with_their_places(folder, suite, capsys):
    text = suite.read_text()
    (folder / "below").mkdir()
    (folder / "below" / "one.mt.yaml").write_text(text.replace("about:", "abut:").replace("slots:", "slot:"))
    (folder / "two.mt.yml").write_text(text.replace("accuracy[", "acuracy[").replace("<{job}>", "{job}"))
    (folder / "other.yaml").write_text("not: a suite\n")
    assert main(["lint", "."]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [
        'below/one.mt.yaml:3:1: abut: unknown key; did you mean "about"?',
        'below/one.mt.yaml:15:5: generate[0].slot: unknown key; did you mean "slots"?',
    ]
    assert lines[2].startswith('two.mt.yml:13:5: sample "keys/doctor/her": contrastive-conditioning needs')
    assert lines[-2] == (
        'two.mt.yml:11:3: gates.acuracy[female]: unknown metric "acuracy"; did you mean "accuracy"?'
    )
    assert lines[-1] == "3 suites, 23 errors, 0 warnings"


def test_warnings_do_not_fail_unless_strict(suite, capsys):
    suite.write_text(suite.read_text().replace("[male, female]", "[male, female, other]"))
    assert main(["lint", str(suite)]) == 0
    assert capsys.readouterr().out == (
        'doctors.mt.yaml:6:28: warning: no sample has the category "other"\n1 suite, 0 errors, 1 warning\n'
    )
    assert main(["lint", "--strict", str(suite)]) == 1


def test_a_file_may_have_any_name(suite, capsys):
    suite.rename("odd.txt")
    assert main(["lint", "odd.txt"]) == 0
    assert "1 suite," in capsys.readouterr().out


@pytest.mark.parametrize("path", ["nothing.mt.yaml", "empty"])
def test_misuse_is_told_apart_from_errors(folder, capsys, path):
    (folder / "empty").mkdir()
    assert main(["lint", path]) == 2
    assert capsys.readouterr().err.startswith(f"{path}: there is no ")


def test_the_data_root(folder, suite, capsys):
    (folder / "data").mkdir()
    (folder / "suites").mkdir()
    (folder / "data" / "more.jsonl").write_text('{"source": "The <boy> slept.", "category": "male"}\n')
    (folder / "suites" / "a.mt.yaml").write_text(suite.read_text() + "data: {file: more.jsonl}\n")
    assert main(["lint", "suites"]) == 1
    assert "there is no file" in capsys.readouterr().out
    assert main(["lint", "suites", "--data-root", "data"]) == 0


def test_as_a_program(suite):
    suite.write_text(suite.read_text().replace("about:", "abut:"))
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from mtprobe.cli import main; sys.exit(main())",
            "lint",
            str(suite),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        'doctors.mt.yaml:3:1: abut: unknown key; did you mean "about"?',
        "1 suite, 1 error, 0 warnings",
    ]


def test_a_bound_in_the_wrong_direction_is_a_warning(suite, capsys):
    text = suite.read_text()
    suite.write_text(text.replace('accuracy[female]: ">=', 'accuracy[female]: "<='))
    assert suite.read_text() != text
    assert main(["lint", str(suite)]) == 0
    assert (
        'warning: gates.accuracy[female]: "<= 0.60" demands a lower accuracy, but higher is better: '
        'write ">= …", unless this is a control' in capsys.readouterr().out
    )


def test_a_suffix_that_an_editor_added_is_a_warning(folder, suite, capsys):
    (folder / "jobs.mt.yaml.txt").write_text(suite.read_text())
    assert main(["lint", "jobs.mt.yaml.txt"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == (
        "jobs.mt.yaml.txt:1: warning: pytest does not collect a file of this name; rename it to jobs.mt.yaml"
    )


def test_a_suite_that_pytest_does_not_find_in_its_folder(folder, suite, capsys):
    suite.rename(folder / "jobs.yaml")
    assert main(["lint", "jobs.yaml"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == (
        "jobs.yaml:1: warning: pytest does not collect a file of this name; rename it to jobs.mt.yaml"
    )
    (folder / "pytest.ini").write_text("[pytest]\nmt_suites = jobs.yaml\n", encoding="utf-8")
    assert main(["lint", "jobs.yaml"]) == 0
    assert capsys.readouterr().out == "1 suite, 0 errors, 0 warnings\n"
