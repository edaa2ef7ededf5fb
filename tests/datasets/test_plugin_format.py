"""A data format from a package of its own: nothing of ours knows it beforehand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FORMAT = '''
"""Riddles, one per line: the sentence and its category, separated by a colon."""

from collections.abc import Iterator
from typing import ClassVar, Literal

from mtprobe.datasets.format import Format
from mtprobe.datasets.preset import Preset
from mtprobe.datasets.reading import sample_per_line
from mtprobe.suite.format.data import Data
from mtprobe.suite.format.evidence import SampleModel
from mtprobe.suite.format.fields import Text
from mtprobe.suite.parsing.lines import text_lines


class Riddles(Data):
    """Riddles: one sentence per line."""

    KNOWN: ClassVar[tuple[str, ...]] = ("mood",)

    format: Literal["riddles"]
    """Lines of a sentence and a category."""
    file: Text
    """A text file."""
    mood: Literal["dark", "light"] = "light"
    """What all riddles of the file are like."""


def read(data, reading):
    def sample(line, place):
        source, _, category = line.rpartition(":")
        return SampleModel(source=source, category=category.strip(), attributes={"mood": data.mood})

    return sample_per_line(text_lines(reading.find("file", data.file)), sample)


def preset(data):
    return Preset(
        name="riddles", about="Are riddles solved?", source="en", target=None,
        methods=("contrastive-conditioning",), categories=("male", "female"),
        cues={"male": {"correct": "man", "incorrect": "woman"}, "female": {"correct": "woman", "incorrect": "man"}},
        gates={"accuracy": ">= 0.60"},
    )


FORMAT = Format(
    name="riddles", heading="Riddles", entry=Riddles, read=read, preset=preset, guide="Every riddle has a `mood`."
)
'''
RIDDLES = "The <doctor> lost her keys. Who is it?: female\nThe <cook> lost his keys. Who is it?: male\n"
SUITE = """\
mtprobe: 1
name: riddles
about: Are riddles solved?
languages: {source: en, targets: any}
method: contrastive-conditioning
categories: [male, female]
cues:
  male: {correct: man, incorrect: woman}
  female: {correct: woman, incorrect: man}
gates: {accuracy: ">= 0.60"}
attributes: {tone: {gloomy: mood == 'dark'}}
data: {format: riddles, file: riddles.txt, mood: dark}
"""


@pytest.fixture
def mtprobe(tmp_path: Path):
    """The command line, where the package is installed."""
    site = tmp_path / "site"
    information = site / "riddles-1.0.dist-info"
    information.mkdir(parents=True)
    (site / "riddles.py").write_text(FORMAT)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: riddles\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[mtprobe.formats]\nriddles = riddles:FORMAT\n")
    (tmp_path / "riddles.txt").write_text(RIDDLES)
    (tmp_path / "riddles.mt.yaml").write_text(SUITE)
    paths = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])

    def run(*arguments: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-c", "import sys; from mtprobe.cli import main; sys.exit(main())", *arguments],
            cwd=tmp_path, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    return run


def test_a_suite_names_it_and_reads_its_samples(mtprobe):
    code, out = mtprobe("expand", "riddles.mt.yaml", "--jsonl")
    assert code == 0, out
    first, second = map(json.loads, out.splitlines())
    assert first["attributes"] == {"mood": "dark", "tone": "gloomy"}
    assert second["category"] == "male"


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("mood: dark", "moood: dark", '12:44: data.moood: unknown key; did you mean "mood"?'),
        ("mood: dark", "mood: sad", "12:44: data.mood: must be 'dark' or 'light'"),
        ("format: riddles", "format: ridles", '12:1: data: unknown format "ridles"; did you mean "riddles"?'),
    ],
)
def test_its_keys_are_checked_and_errors_have_their_place(mtprobe, tmp_path, right, wrong, message):
    (tmp_path / "riddles.mt.yaml").write_text(SUITE.replace(right, wrong))
    assert mtprobe("lint", "riddles.mt.yaml")[1].startswith(f"riddles.mt.yaml:{message}\n")


@pytest.mark.slow
def test_it_is_in_the_schema_and_in_the_reference(mtprobe):
    schema = json.loads(mtprobe("schema")[1])
    assert schema["$defs"]["Riddles"]["properties"]["mood"]["enum"] == ["dark", "light"]
    page = mtprobe("schema", "--markdown", "formats")[1]
    section = page[page.index("## Riddles") :]
    assert "| `mood` | `dark` or `light` | `light` | What all riddles of the file are like. |" in section
    assert "Every riddle has a `mood`." in section


def test_it_is_imported(mtprobe, tmp_path):
    code, out = mtprobe("import", "riddles", "riddles.txt", "mood=dark", "-o", "made")
    assert code == 0, out
    assert "2 samples (female 1, male 1)" in out
    assert len((tmp_path / "made" / "riddles.jsonl").read_text().splitlines()) == 2
