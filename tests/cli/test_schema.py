"""mtprobe schema"""

from __future__ import annotations

import json

import pytest

from mtprobe.cli import main
from mtprobe.suites import formats_reference, reference, suite_schema


def test_the_schema_is_printed(capsys):
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out) == suite_schema()


def test_the_schema_is_written_to_a_file(folder, capsys):
    assert main(["schema", "-o", "suite.schema.json"]) == 0
    assert capsys.readouterr().out == ""
    assert json.loads((folder / "suite.schema.json").read_text(encoding="utf-8")) == suite_schema()


def test_the_reference_is_printed_and_written(folder, capsys):
    assert main(["schema", "--markdown"]) == 0
    assert capsys.readouterr().out == reference()
    assert main(["schema", "--markdown", "-o", "format.md"]) == 0
    assert (folder / "format.md").read_text(encoding="utf-8") == reference()
    assert main(["schema", "--markdown", "formats"]) == 0
    assert capsys.readouterr().out == formats_reference()


@pytest.mark.usefixtures("folder")
def test_a_file_that_cannot_be_written_is_told(capsys):
    assert main(["schema", "-o", "no/such/folder.json"]) == 2
    assert capsys.readouterr().err == "no/such/folder.json: cannot be written: No such file or directory\n"
