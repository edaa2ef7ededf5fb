"""WinoMT as a run: a published system's German outputs, judged by the published rules."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import NamedTuple

from mtprobe.language.alignment import read_alignment
from mtprobe.language.gender.rules import german_gender
from mtprobe.methods.verdict import Outcome, Result, Verdict
from mtprobe.records import ModelFacts, Run, RunFacts, SuiteRun


class Line(NamedTuple):
    gold: str
    index: int
    sentence: str
    occupation: str
    predicted: str
    translation: str


def read_lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().splitlines()


def predictions(folder: Path, system: str) -> list[Line]:
    """A line of test.tsv each, with the gender that the rules find in the system's translation."""
    made = []
    for fields, output, alignment in zip(
        read_lines(folder / "test.tsv.gz"),
        read_lines(folder / "translations" / f"{system}.en-de.txt.gz"),
        read_lines(folder / "fast_align" / f"{system}.en-de.align.gz"),
        strict=True,
    ):
        gold, index, sentence, occupation, _ = fields.split("\t")
        source, translation = output.split(" ||| ")
        assert source == sentence
        found = german_gender(sentence, int(index), occupation, translation, read_alignment(alignment))
        made.append(Line(gold, int(index), sentence, occupation, found, translation))
    return made


def as_run(lines: list[Line]) -> Run:
    """The run that a method with these rules would record: a neutral form is undecided."""
    results = []
    for number, line in enumerate(lines):
        if line.gold == "neutral":
            continue
        outcome = Outcome.CORRECT if line.predicted == line.gold else Outcome.INCORRECT
        results.append(
            Result(
                id=str(number),
                source=line.sentence,
                focus=None,
                category=line.gold,
                attributes={"occupation": line.occupation},
                cluster=line.occupation,
                path="winomt.mt.yaml",
                line=number + 1,
                translation=line.translation,
                verdict=Verdict(Outcome.UNDECIDED if line.predicted == "neutral" else outcome),
            )
        )
    suite = SuiteRun(
        suite="winomt",
        about="?",
        path="winomt.mt.yaml",
        digest="0",
        method="winomt-2019",
        categories=("male", "female"),
        source="en",
        target="de",
        model=ModelFacts("aws", "file:0"),
        evaluator=None,
        judges_itself=False,
        partial=False,
        seed=0,
        results=tuple(results),
    )
    return Run(RunFacts("0.1.0", "2026-01-01T00:00:00+00:00"), (suite,))
