"""mtprobe suites"""

from __future__ import annotations

import json

import pytest

import mtprobe
from mtprobe.cli import main
from mtprobe.errors import MtprobeError


def test_every_shipped_suite_is_listed(capsys, shipped_suites):
    assert main(["suites", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert len(rows) == len(shipped_suites)
    assert rows["gender/occupations"]["samples"] == "1,180"
    assert rows["gender/occupations"]["languages"] == "en→any"
    assert rows["public/winomt"]["samples"] == "–"  # its data is its publishers'
    assert all(row["question"].endswith("?") and row["methods"] for row in rows.values())


@pytest.mark.slow
def test_the_table_shows_what_they_ask(capsys):
    main(["suites"])
    shown = capsys.readouterr().out
    assert "Is an ambiguous word translated in the sense" in shown
    assert "--mt-suite=NAME" in shown


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gender/occupations", "wsd", "minimal_pairs/en-pt", "all"])
def test_a_copy_has_all_files_that_it_needs(tmp_path, capsys, name):
    assert main(["suites", "copy", name, str(tmp_path / "mine")]) == 0
    assert main(["lint", str(tmp_path / "mine")]) == 0
    assert " 0 errors" in capsys.readouterr().out


def test_a_copied_suite_has_the_content_of_the_shipped_one(tmp_path):
    main(["suites", "copy", "gender/occupations", str(tmp_path)])
    copy = mtprobe.load_suite(tmp_path / "gender/occupations.mt.yaml")
    shipped = mtprobe.load_suite(mtprobe.shipped_suite("gender/occupations"))
    assert copy.digest == shipped.digest
    assert set(copy.labels) == set(shipped.labels)
    assert not (tmp_path / "gender/neutral.mt.yaml").exists()


def test_nothing_is_overwritten_unless_it_is_forced(tmp_path, capsys):
    main(["suites", "copy", "gender", str(tmp_path)])
    mine = tmp_path / "gender/occupations.mt.yaml"
    mine.write_text("mine", "utf-8")
    assert main(["suites", "copy", "gender", "wsd", str(tmp_path)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert mine.read_text("utf-8") == "mine"
    assert main(["suites", "copy", "--force", "gender", str(tmp_path)]) == 0
    assert mine.read_text("utf-8") != "mine"


def test_an_unknown_name_copies_nothing(tmp_path, capsys):
    assert main(["suites", "copy", "gender", "wsdd", str(tmp_path / "mine")]) == 2
    assert 'there is no shipped suite "wsdd"; did you mean "wsd"?' in capsys.readouterr().err
    assert not (tmp_path / "mine").exists()


def test_python_finds_them_too():
    assert mtprobe.shipped_suite("gender/occupations").name == "occupations.mt.yaml"
    assert mtprobe.shipped_suite("gender").is_dir()
    with pytest.raises(MtprobeError, match="occupations"):
        mtprobe.shipped_suite("occupation")


def test_names_restrict_the_list(capsys):
    assert main(["suites", "gender", "lexicon/ambiguous-words", "--json"]) == 0
    names = [row["name"] for row in json.loads(capsys.readouterr().out)]
    assert names == ["gender/neutral", "gender/occupations", "gender/two-people", "lexicon/ambiguous-words"]
    assert main(["suites", "gendre"]) == 2
    assert 'did you mean "gender"?' in capsys.readouterr().err
    assert main(["suites", "copy", "gender"]) == 2
    assert "write: mtprobe suites copy NAME… FOLDER" in capsys.readouterr().err
