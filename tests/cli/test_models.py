"""`mtprobe translate`, `score` and `backends`"""

from __future__ import annotations

import io
import shlex
import sys

import pytest

from mtprobe.cli import main


@pytest.fixture
def stdin(monkeypatch):
    def write(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))

    return write


def test_the_demo_model_translates_lines(stdin, capsys):
    stdin("Good morning.\nThe cat sleeps.\n\n")
    assert main(["translate", "demo"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["Bom dia.", "O gato dorme."]
    assert len(lines) == 3


def test_the_demo_model_scores_pairs(stdin, capsys):
    stdin("Good morning.\tBom dia.\nGood morning.\tBoa noite.\n")
    assert main(["score", "demo"]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    for total, mean, tokens in rows:
        values = [float(value) for value in tokens.split()]
        assert float(total) == pytest.approx(sum(values), abs=1e-4)
        assert float(mean) == pytest.approx(sum(values) / len(values), abs=1e-4)
    assert float(rows[0][1]) > float(rows[1][1])


def test_the_number_format_can_be_chosen(stdin, capsys):
    sums = []
    for dtype in ("fp32", "int8"):
        stdin("Good morning.\tBom dia.\n")
        assert main(["score", "demo", f"--dtype={dtype}"]) == 0
        sums.append(float(capsys.readouterr().out.split("\t")[0]))
    assert sums[0] != sums[1]
    assert sums[0] == pytest.approx(sums[1], abs=0.1)
    stdin("Good morning.\n")
    assert main(["translate", "demo", "--dtype=int8"]) == 0
    assert capsys.readouterr().out == "Bom dia.\n"


def test_a_number_format_that_the_device_lacks_is_an_error(stdin, capsys):
    stdin("Good morning.\n")
    assert main(["translate", "demo", "--dtype=fp16", "--device=cpu"]) == 2
    assert "fp16 runs on CUDA only" in capsys.readouterr().err


def test_a_line_without_a_tab_is_reported_by_its_number(stdin, capsys):
    stdin("a\tb\nno tab\n")
    assert main(["score", "demo"]) == 2
    assert "line 2: not a source and a target separated by a tab" in capsys.readouterr().err


def test_a_sentence_that_fails_is_reported_and_the_others_are_translated(stdin, capsys):
    stdin("Good morning.\n" + "very " * 600 + "long.\nThanks.\n")
    assert main(["translate", "demo"]) == 1
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 3
    assert out.splitlines()[1] == ""
    assert "line 2: " in err
    assert "at most 512" in err


def test_a_command_translates_too(stdin, capsys):
    stdin("one\ntwo\n")
    code = "import sys\nfor line in sys.stdin: print(line.strip()[::-1])"
    assert main(["translate", f"cmd:{sys.executable} -c {shlex.quote(code)}", "--target", "pt"]) == 0
    assert capsys.readouterr().out == "eno\nowt\n"


def test_a_model_that_cannot_score_is_an_error(stdin, capsys):
    stdin("a\tb\n")
    assert main(["score", f"cmd:{sys.executable} -V", "--target=pt"]) == 2
    assert "cannot score" in capsys.readouterr().err


def test_the_kinds_of_models_are_listed(capsys):
    assert main(["backends"]) == 0
    shown = capsys.readouterr().out
    assert all(kind in shown for kind in ("demo", "firefox", "file", "cmd", "python"))
