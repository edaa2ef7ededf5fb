"""Nothing that a run prints is obeyed by a terminal or a CI system"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_hostile_text import ALLOWED, TOYS
from tests.hostile_text import HOSTILE, OURS, obeyed, run_pytest

EVERYTHING = ("-rA", "-v", "--log-cli-level=DEBUG", "--showlocals")


@pytest.fixture
def here(tmp_path: Path) -> Path:
    sample = {"id": f"a{ALLOWED}", "category": "b", "source": f"A <doctor>.{ALLOWED}",
              "lemmas": {"pt": {"good": ["médico"], "bad": [f"médica{ALLOWED}"]}}}  # fmt: skip
    suite = {"mtprobe": 1, "name": "mine", "method": "lexicon", "about": ALLOWED, "languages": {"source": "en"}, "categories": ["b"],
             "gates": {"accuracy": {"bound": ">= 0.9"}, "accuracy[b]": ">= 0.9",
                       "degenerate": {"bound": "<= 0.01", "xfail": {"reason": f"known{ALLOWED}"}}},
             "expect": "each", "samples": [sample, {**sample, "id": "two", "source": f"B <doctor>.{ALLOWED}"}]}  # fmt: skip
    for name in ("good", "::error file=x::\x1b[2J\u202e"):
        (tmp_path / f"{name}.mt.yaml").write_text(json.dumps(suite), encoding="utf-8")
    (tmp_path / "bad.mt.yaml").write_text(
        json.dumps({**suite, "about": HOSTILE, HOSTILE: 1}), encoding="utf-8"
    )
    (tmp_path / "toys.py").write_text(TOYS, encoding="utf-8")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "options"),
    [
        ("translate", EVERYTHING),
        ("broken", EVERYTHING),
        ("unfit", EVERYTHING),
        ("broken", ("-q",)),
        ("translate", ("--collect-only",)),
    ],
)
def test_a_run_prints_nothing_that_would_be_obeyed(here, model, options, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here / "summary.md"))
    words = [f"--mt-model=python:toys:{model}", "--mt-target=pt", "--mt-no-store", *options, "."]
    code, output, _ = run_pytest(*words, "--continue-on-collection-errors", cwd=here)
    assert code in (1, 2)
    assert "accuracy" in output
    assert ALLOWED not in output
    assert "INTERNALERROR" not in output
    assert obeyed(output) == []
    if (here / "summary.md").exists():
        assert obeyed((here / "summary.md").read_text("utf-8")) == []


@pytest.mark.slow
def test_failures_are_annotated_all_the_same(here, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    _, output, _ = run_pytest("--mt-model=python:toys:translate", "--mt-target=pt", "good.mt.yaml", cwd=here)
    commands = [line for line in output.split("\n") if line.startswith("::")]
    assert len(commands) >= 3
    assert all(map(OURS.match, commands))
