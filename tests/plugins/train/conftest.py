"""A small random model with translations that end, and small suites for it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mtprobe.cli import main
from tests.engine.hf_models import make, train_vocabularies

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

MAIN = "import sys; from mtprobe.cli import main; sys.exit(main())"
PEOPLE = {
    "doctor": ("O médico", "A médica"),
    "teacher": ("O professor", "A professora"),
    "farmer": ("O agricultor", "A agricultora"),
    "engineer": ("O engenheiro", "A engenheira"),
    "neighbour": ("O vizinho", "A vizinha"),
    "baker": ("O padeiro", "A padeira"),
    "singer": ("O cantor", "A cantora"),
    "writer": ("O escritor", "A escritora"),
}

HEAD = """\
mtprobe: 1
name: people
about: Does the pronoun decide?
languages: {source: en, targets: [pt]}
method: minimal-pairs
categories: [male, female]
cluster: person
gates: {accuracy: ">= 0.5"}
samples:
"""


def suite_text() -> str:
    """Two samples per person, of which each has a right and a wrong target."""
    lines = [HEAD]
    for person, targets in PEOPLE.items():
        for place, (category, pronoun) in enumerate((("male", "his"), ("female", "her"))):
            right, wrong = targets[place], targets[1 - place]
            lines.append(
                f"  - id: {person}-{category}\n"
                f"    source: The <{person}> reads {pronoun} letter.\n"
                f"    category: {category}\n"
                f"    attributes: {{person: {person}}}\n"
                f"    targets:\n"
                f"      pt: {{correct: {right} lê a carta., incorrect: {wrong} lê a carta.}}\n"
            )
    return "".join(lines)


@pytest.fixture(scope="session")
def marian(tmp_path_factory) -> Path:
    """A folder of a model that has two layers on each side."""
    root = tmp_path_factory.mktemp("marian")
    return make("marian", root / "model", train_vocabularies(root)).folder


@pytest.fixture
def suite(tmp_path) -> Path:
    path = tmp_path / "people.mt.yaml"
    path.write_text(suite_text(), encoding="utf-8")
    return path


@pytest.fixture
def tune(tmp_path, marian, monkeypatch) -> Callable[..., Path]:
    """Runs the verb in this process; returns the folder."""

    def call(*words: object, to: str = "tuned", model: object = None, code: int = 0) -> Path:
        monkeypatch.chdir(tmp_path)
        spec = f"hf:{marian}" if model is None else str(model)
        assert main(["tune", spec, *map(str, words), "-o", to, "--threads", "1", "--no-store"]) == code
        return tmp_path / to

    return call


def start(*words: object, cwd: Path) -> subprocess.Popen[str]:
    """A verb in a process of its own, whose progress can be read."""
    return subprocess.Popen(
        [sys.executable, "-c", MAIN, *map(str, words)], cwd=cwd, stderr=subprocess.PIPE, text=True
    )
