"""Nothing that a verb prints is obeyed by a terminal or a CI system, whatever a suite, a record or a model contains"""

from __future__ import annotations

import json
import os
import pty
import sys
from pathlib import Path

import pytest

from mtprobe.cli import main
from mtprobe.cli.output import print_table
from mtprobe.printable import printable, printable_json, printable_lines
from mtprobe.records import read_run
from tests.hostile_text import HOSTILE, hostile, obeyed, run_verb

RECORD = Path(__file__).parents[1] / "golden" / "records" / "1.6.jsonl"
LATER = RECORD.with_name("later.jsonl")
ALLOWED = "\r" + HOSTILE[HOSTILE.index("\x9b") :]  # suites refuse other control characters
KEYS = {"suite", "about", "path", "name", "fingerprint", "provider", "notes", "categories", "category", "id", "source",
        "translation", "text", "reason", "details", "attributes", "reading", "problem"}  # fmt: skip
TOYS = f"""
HOSTILE = {HOSTILE!r}
def translate(texts):
    return [text + HOSTILE for text in texts]
translate.fingerprint = HOSTILE
def broken(texts):
    raise ValueError(HOSTILE)
broken.fingerprint = "1"
def unfit(texts):
    from mtprobe.errors import Failure
    return [Failure(HOSTILE)] * len(texts)
unfit.fingerprint = "1"
"""


@pytest.fixture
def here(tmp_path: Path) -> Path:
    for name, path in (("one", RECORD), ("two", LATER)):
        lines = [hostile(json.loads(line), KEYS) for line in path.read_text("utf-8").splitlines()]
        for line in lines:  # languages stay what they are
            if line["kind"] == "suite":
                line["source"] = line["source"].removesuffix(HOSTILE)
        text = "\n".join(json.dumps(line) for line in lines)
        (tmp_path / f"{name}.jsonl").write_text(f"{text}\n", encoding="utf-8")
    sample = {
        "id": f"a{ALLOWED}",
        "source": f"A doctor.{ALLOWED}",
        "category": "b",
        "attributes": {"kind": ALLOWED},
        "targets": {"pt": {"correct": [f"Um médico.{ALLOWED}"], "incorrect": [f"Uma.{ALLOWED}"]}},
        "references": {"pt": [f"x{ALLOWED}"]},
    }
    good = {"mtprobe": 1, "name": "mine", "method": "minimal-pairs", "languages": {"source": "en"}, "about": ALLOWED,
            "categories": [sample["category"]], "gates": {"accuracy": ">= 0.5"},
            "samples": [sample, {**sample, "id": "second", "source": f"B. {ALLOWED}"}]}  # fmt: skip
    (tmp_path / "good.mt.yaml").write_text(json.dumps(good), encoding="utf-8")
    for name, change in (
        ("name", {"name": HOSTILE}),
        ("key", {HOSTILE: 1}),
        ("gate", {"gates": {f"accuracy[{HOSTILE}]": HOSTILE}}),
        ("language", {"languages": {"source": HOSTILE}}),
        ("file", {"data": [{"format": "jsonl", "file": HOSTILE}]}),
        ("format", {"data": [{"format": HOSTILE}]}),
        ("same", {"samples": [sample, sample]}),
    ):
        (tmp_path / f"bad-{name}.mt.yaml").write_text(json.dumps({**good, **change}), encoding="utf-8")
    (tmp_path / "toys.py").write_text(TOYS, encoding="utf-8")
    (tmp_path / "labels.csv").write_text('id,label,annotator\n"x","correct","a"\n', encoding="utf-8")
    return tmp_path


def test_the_record_is_one(here):
    assert HOSTILE in read_run(here / "one.jsonl").suites[0].suite


MODEL = ("python:toys:translate", "--source", "en", "--target", "pt")
VERBS = {
    "show": ["show", "one.jsonl", f"shift/doctor/his{HOSTILE}"],
    "show-unknown": ["show", "one.jsonl", HOSTILE],
    "compare": ["compare", "one.jsonl", "two.jsonl"],
    "compare-markdown": ["compare", "one.jsonl", "two.jsonl", "--markdown"],
    "compare-json": ["compare", "one.jsonl", "two.jsonl", "--json"],
    "trend": ["trend", "one.jsonl", "two.jsonl", "-o", "trend.html"],
    "trend-markdown": ["trend", "one.jsonl", "two.jsonl", "--markdown"],
    "report": ["report", "one.jsonl", "-o", "page.html", "--csv", "a.csv", "--markdown", "a.md"],
    "report-nowhere": ["report", "one.jsonl", "-o", f"nowhere/{HOSTILE}/x.html"],
    "bless": ["bless", "one.jsonl", "-o", "base.jsonl"],
    "rescore": ["rescore", "one.jsonl", "--evaluator", "python:toys:translate", "--target", "pt"],
    "agree": ["agree", "one.jsonl", "--labels", "labels.csv"],
    "agree-rankings": ["agree", "one.jsonl", "two.jsonl"],
    "blame": ["blame", "one.jsonl", "--model", "demo", "--good", "two.jsonl"],
    "regress": ["regress", "labels.csv", "--outcome", HOSTILE, "--on", "id"],
    "expand": ["expand", "good.mt.yaml"],
    "expand-jsonl": ["expand", "good.mt.yaml", "--jsonl"],
    "lint": ["lint", "."],
    "salience": ["salience", *MODEL, "good.mt.yaml"],
    "audit": ["audit", "--evaluator", "demo", "good.mt.yaml"],
    "translate-failures": ["translate", "python:toys:unfit", "--target", "pt"],
    "score": ["score", *MODEL],
    "backends": ["backends"],
    "store": ["store", "stats", "--store", f"x{HOSTILE[:40]}.sqlite"],
    "import": ["import", "winomt", f"{HOSTILE[:60]}", "-o", "out"],
    "import-format": ["import", HOSTILE, "x", "-o", "out"],
    "senses": ["senses", "--words", "good.mt.yaml", "--target", "pt", "toys.py", f"{HOSTILE[:60]}"],
    "genders": ["genders", "--occupations", HOSTILE, "toys.py", "toys.py"],
    "pronouns": ["pronouns", "--pronouns", HOSTILE, "toys.py", "toys.py"],
    "pairs": ["pairs", HOSTILE, "toys.py", "--target", "pt", "-o", "out"],
    "winograd": ["winograd", *MODEL, "labels.csv", "-o", "out"],
    "cues": ["cues", "good.mt.yaml", "--mlm", HOSTILE, "--dry-run"],
    "export": ["export", *MODEL, "folder"],
    "unknown-verb": [HOSTILE],
    "unknown-option": ["lint", ".", f"--{HOSTILE}"],
    "unknown-model": ["translate", HOSTILE, "--target", "pt"],
}


@pytest.mark.parametrize("verb", VERBS)
def test_no_verb_prints_what_would_be_obeyed(verb, here, monkeypatch, capfd):
    monkeypatch.chdir(here)
    monkeypatch.syspath_prepend(here)
    monkeypatch.delitem(sys.modules, "toys", raising=False)
    monkeypatch.setattr("sys.stdin", (here / "toys.py").open(encoding="utf-8"))
    try:
        code = main(VERBS[verb])
    except SystemExit as stop:
        code = stop.code
    captured = capfd.readouterr()
    assert code in (0, 1, 2)
    assert captured.out or captured.err
    assert obeyed(captured.out + captured.err) == []


def test_hostile_texts_are_shown_with_escapes(here, monkeypatch, capsys):
    monkeypatch.chdir(here)
    assert main(["expand", "good.mt.yaml"]) == 0
    output = capsys.readouterr().out
    for shown in (
        r"\r\x9b31m\u202eright\u2066left\u200f\u2028next\x85line\n",
        "[bold]b[/bold] :smile: python:m:t",
    ):
        assert shown in output


def test_json_reads_back_as_it_was(here, monkeypatch, capsys):
    monkeypatch.chdir(here)
    assert main(["expand", "good.mt.yaml", "--jsonl"]) == 0
    first, _ = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["references"] == {"pt": [f"x{ALLOWED}"]}
    assert json.loads(printable_json([HOSTILE, "\ud800"])) == [HOSTILE, "\ud800"]


@pytest.mark.slow
def test_translate_writes_raw_text_to_a_pipe_and_printable_text_to_a_terminal(here):
    words = ["translate", "python:toys:translate", "--target", "pt"]
    _, _, piped = run_verb(*words, cwd=here, given="A.\n")
    assert piped.decode() == f"A.{HOSTILE}\n".replace("\n", " ").removesuffix(" ") + "\n"
    pid, terminal = pty.fork()
    if pid == 0:  # pragma: no cover - another process
        os.chdir(here)
        code = "import io, sys; sys.stdin = io.StringIO('A.\\n'); from mtprobe.cli import main; raise SystemExit(main())"
        os.execv(sys.executable, [sys.executable, "-c", code, *words])
    shown = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.waitpid(pid, 0)
    assert r"A.\x1b]0;title" in shown.decode()
    assert obeyed(shown.decode().replace("\r\n", "\n")) == []


def test_markup_and_emoji_codes_in_tables_stay_as_they_are(capsys):
    print_table("[red]python:m:t[/]", ["[b]name", "n"], [["[bold]x[/bold] :smile:", "1"]])
    output = capsys.readouterr().out
    assert "[red]python:m:t[/]" in output
    assert "[bold]x[/bold] :smile:" in output
    assert "[b]name" in output


@pytest.mark.parametrize("length", range(60, 130))
def test_no_command_starts_a_line_where_a_table_wraps(length, capsys):
    print_table(f"{'a ' * (length // 2)}::error::x", ["name", "n"], [["a" * length + "::error::x", "1"]])
    assert obeyed(capsys.readouterr().out) == []


@pytest.mark.parametrize(
    "text", ["Überraschung: 「日本語」 שלום مرحبا 👩‍⚕️ می‌خواهم", "a :: b", "a ## b", "C:\\x\\n"]
)
def test_ordinary_text_stays_as_it_is(text):
    assert printable(text) == printable_lines(text) == text


def test_printing_twice_changes_nothing():
    assert printable(printable(HOSTILE)) == printable(HOSTILE)
    assert printable_lines(printable_lines(HOSTILE)) == printable_lines(HOSTILE)


def test_a_table_shows_the_beginning_of_what_is_very_long(capsys):
    print_table("many", ["name", "n"], [["x" * 100_000, "1"], *([str(row), "1"] for row in range(10_000))])
    out = capsys.readouterr().out
    assert "and 9,701 more rows" in out
    assert len(out) < 100_000
