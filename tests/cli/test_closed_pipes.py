"""`mtprobe VERB … | head`: a reader that leaves early does not change a verdict."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mtprobe.records import write_run
from tests.cli.test_compare import SAMPLES, flipped, run_of


def exit_code(folder, *words):
    """Of a verb whose standard output nobody reads."""
    running = subprocess.Popen(
        [sys.executable, "-c", "import sys; from mtprobe.cli import main; sys.exit(main())", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert running.stdout
    running.stdout.close()
    return running.wait()


@pytest.mark.slow
@pytest.mark.parametrize("shape", [[], ["--all"], ["--markdown"], ["--json"]], ids=" ".join)
def test_a_worse_run_fails_though_nobody_reads_the_comparison(tmp_path, shape):
    write_run(tmp_path / "old.jsonl", run_of(SAMPLES, "old"))
    write_run(tmp_path / "bad.jsonl", run_of(flipped(SAMPLES, [one.id for one in SAMPLES][:90]), "new"))
    assert exit_code(tmp_path, "compare", "old.jsonl", "bad.jsonl", "--fail-if-worse", *shape) == 1


def test_a_run_that_is_no_worse_passes_though_nobody_reads_the_comparison(tmp_path):
    write_run(tmp_path / "old.jsonl", run_of(SAMPLES, "old"))
    assert exit_code(tmp_path, "compare", "old.jsonl", "old.jsonl", "--fail-if-worse", "--all") == 0


def test_a_suite_with_errors_fails_though_nobody_reads_them(tmp_path):
    (tmp_path / "bad.mt.yaml").write_text("mtprobe: 1\nname: [1]\n", encoding="utf-8")
    assert exit_code(tmp_path, "lint", ".") == 1


@pytest.mark.slow
def test_a_verb_without_a_verdict_ends_quietly(tmp_path):
    assert exit_code(tmp_path, "suites") == 0
    assert exit_code(tmp_path, "backends") == 0
