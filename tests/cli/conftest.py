from __future__ import annotations

from pathlib import Path

import pytest

SUITE = """\
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
generate:
  - id: keys
    source: The <{job}> lost {whose} keys.
    slots:
      job: [doctor, nurse, cook, poet, judge, king, clerk, guide, agent, actor]
      whose: {her: {category: female}, his: {category: male}}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, so that paths are shown as a user sees them."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def suite(folder: Path) -> Path:
    path = folder / "doctors.mt.yaml"
    path.write_text(SUITE, encoding="utf-8")
    return Path("doctors.mt.yaml")
