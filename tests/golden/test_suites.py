"""The shipped suites: their samples and the ids of their gates."""

from __future__ import annotations

import hashlib
import shutil

import pytest

from tests.conftest import ROOT

FIRST_LINES = 20


@pytest.fixture
def at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.mark.usefixtures("at_the_root")
def test_every_shipped_suite_expands_as_before(shipped_suites, mtprobe_says, golden):
    """A digest and the beginning stand for the whole, which would be megabytes."""
    golden("expand.txt", "\n".join(_beginning(mtprobe_says, path) for path in shipped_suites))


def _beginning(mtprobe_says, path):
    name = path.relative_to(ROOT).as_posix()
    text = mtprobe_says("expand", name)
    samples = mtprobe_says("expand", "--jsonl", name)
    lines = text.splitlines(keepends=True)
    return "".join(
        [
            f"{name}: {len(lines)} lines\n",
            f"sha256 as text  {_digest(text)}\n",
            f"sha256 as JSON  {_digest(samples)}\n",
            *lines[: FIRST_LINES + 1],
        ]
    )


def _digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def test_the_gates_of_the_shipped_suites_have_the_ids_that_they_had(pytester, golden):
    shutil.copytree(ROOT / "suites", pytester.path / "suites")
    found = pytester.runpytest_inprocess(
        "-p", "no:hypothesispytest", "--collect-only", "-q", "--mt-model=demo", "suites"
    )
    golden("node-ids.txt", "".join(f"{line}\n" for line in found.outlines if "::" in line))
