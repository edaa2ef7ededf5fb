"""`mtprobe export`"""

from __future__ import annotations

import io
import sys

import pytest

from mtprobe.cli import main
from tests.engine.converted.models import SOURCES, put_firefox


@pytest.fixture
def model(tmp_path):
    return put_firefox(tmp_path / "xxyy")


def translate(spec: str, monkeypatch, capsys) -> str:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(SOURCES) + "\n"))
    assert main(["translate", spec]) == 0
    return capsys.readouterr().out


def test_what_it_writes_translates_like_the_model(model, tmp_path, monkeypatch, capsys):
    assert main(["export", f"firefox:{model}", str(tmp_path / "out")]) == 0
    out = capsys.readouterr().out
    assert f"its spec is onnx:{tmp_path / 'out'}" in out
    assert "MB" in out
    before, after = (
        translate(spec, monkeypatch, capsys) for spec in (f"firefox:{model}", f"onnx:{tmp_path / 'out'}")
    )
    assert before == after != ""


def test_a_folder_that_is_not_empty_is_refused(model, tmp_path, capsys):
    assert main(["export", f"firefox:{model}", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"{tmp_path}: the folder is not empty; name a new one\n"


def test_a_model_that_cannot_be_exported_is_refused(tmp_path, capsys):
    assert main(["export", "cmd:cat", str(tmp_path / "out"), "--target", "pt"]) == 2
    assert "cmd-cat cannot be exported" in capsys.readouterr().err
