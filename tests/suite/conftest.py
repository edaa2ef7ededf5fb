"""A small good suite that tests change one thing of, and what the loader says about it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mtprobe.errors import Problem, SuiteError
from mtprobe.gates import gates_for
from mtprobe.methods import check_evidence
from mtprobe.suite import Suite
from mtprobe.suites import load_suite

GOOD = """\
mtprobe: 1
name: doctors
about: Does the translation keep the doctor's gender?
languages: {source: en, targets: any}
method: contrastive-conditioning
categories: [male, female]
cues:
  male: {correct: man, incorrect: woman}
  female: {correct: woman, incorrect: man}
gates:
  accuracy[female]: ">= 0.60"
samples:
  - source: The <doctor> lost her keys.
    category: female
    attributes: {pos: noun, rank: 1}
"""

# The same without its samples, for tests that bring their own.
HEAD = GOOD.partition("samples:")[0]


@pytest.fixture
def good() -> str:
    return GOOD


@pytest.fixture
def head() -> str:
    return HEAD


Load = Callable[..., Suite]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Writes a suite, and files beside it, and loads it with all checks that precede a run."""

    def load(text: str | bytes, files: dict[str, str] | None = None) -> Suite:
        for name, content in (files or {}).items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(content, encoding="utf-8")
        path = tmp_path / "test.mt.yaml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        suite = load_suite(path)
        check_evidence(suite)
        gates_for(suite, None)
        return suite

    return load


@pytest.fixture
def problem(load: Load) -> Callable[..., Problem]:
    """The one thing that is wrong with a suite."""

    def problem(text: str | bytes, files: dict[str, str] | None = None) -> Problem:
        with pytest.raises(SuiteError) as raised:
            load(text, files)
        assert len(raised.value.problems) == 1, str(raised.value)
        return raised.value.problems[0]

    return problem
