"""The doors that people come through with damaged suites: `pytest --collect-only` and `mtprobe lint`."""

from __future__ import annotations

from random import Random

import pytest

from mtprobe.cli import main
from tests.fuzz.walk import any_seed, damaged, write
from tests.soak import times

pytestmark = pytest.mark.slow

CASES = times(40, 2_000)


def a_folder_of_damage(root, cases):
    for number in cases:
        rng = Random(1_000_000 + number)
        write(damaged(any_seed(rng), rng), root / f"case{number}")


def test_lint_tells_every_damaged_suite_apart(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    a_folder_of_damage(tmp_path, range(CASES))
    assert main(["lint", "."]) == 1
    *said, last = capsys.readouterr().out.splitlines()
    assert last.startswith(f"{CASES} suites, ")
    named = {line.partition("/")[0] for line in said if line.startswith("case")}
    assert len(named) > CASES / 2
    assert not any("Traceback" in line for line in said)


def test_collecting_damaged_suites_ends_in_messages(pytester):
    a_folder_of_damage(pytester.path, range(CASES))
    result = pytester.runpytest_inprocess(
        "--collect-only", "-q", "-p", "no:warnings", "--continue-on-collection-errors", "."
    )
    said = result.stdout.str() + result.stderr.str()
    assert "INTERNALERROR" not in said
    assert "Traceback" not in said
    assert "site-packages" not in said  # as a traceback of pytest's own kind would show
    result.stdout.fnmatch_lines(["*case*/fuzz.mt.yaml:*: *"])
