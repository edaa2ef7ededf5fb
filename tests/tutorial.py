"""The suites that a beginner meets: that of docs/tutorial/first-suite.md and that of `mtprobe new suite`, with readings by hand."""

from __future__ import annotations

import re
from pathlib import Path

import mtprobe
from mtprobe.suite.starter import starter

from .conftest import ROOT


def tutorial() -> str:
    """The first suite of the page."""
    page = (ROOT / "docs" / "tutorial" / "first-suite.md").read_text(encoding="utf-8")
    return next(block for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL) if "mtprobe: 1" in block)


def verdicts(text: str, folder: Path, model: str, **settings: object) -> dict[str, str]:
    """By id."""
    path = folder / "suite.mt.yaml"
    path.write_text(text, encoding="utf-8")
    return {row["id"]: row["outcome"] for row in mtprobe.run(path, model, **settings).to_rows()}


def by_template(outcomes: dict[str, str]) -> dict[str, set[str]]:
    """The outcomes of each template of the starter."""
    found: dict[str, set[str]] = {}
    for name, outcome in outcomes.items():
        found.setdefault(name.partition("/")[0], set()).add(outcome)
    return found


def starter_text() -> str:
    return starter("my-suite", "my-suite.mt.yaml")
