"""DistilLingEval (Vamvas and Sennrich, 2021): folders `PHENOMENON.human` and `PHENOMENON.mt` of parallel files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import PurePath
from typing import ClassVar, Literal

from mtprobe.datasets.contrastive.family import (
    CONTRASTIVE,
    Contrasted,
    Contrastive,
    contrastive_preset,
    parallel_texts,
)
from mtprobe.datasets.format import Format, read_guide
from mtprobe.datasets.reading import fingerprint, with_copies
from mtprobe.errors import SuiteError
from mtprobe.suite.data import Item, Reading
from mtprobe.suite.format.fields import Text
from mtprobe.suite.parsing.lines import parallel_lines


class DistilLingEval(Contrastive):
    """DistilLingEval: minimal pairs of one phenomenon, from human or from machine references."""

    KNOWN: ClassVar[tuple[str, ...]] = ("origin", "phenomenon")

    format: Literal["distil-lingeval"]
    """A folder with the parallel files `src.en`, `tgt.correct.de` and `tgt.incorrect.de`."""
    folder: Text
    """Named after the phenomenon and the origin: `clause_omission.human`, `clause_omission.mt`."""


ORIGINS = {"human": "human", "mt": "machine"}


@with_copies
def read(data: DistilLingEval, reading: Reading) -> Iterator[Item]:
    """Each line's pair."""
    phenomenon, _, ending = PurePath(data.folder).name.rpartition(".")
    if not phenomenon or ending not in ORIGINS:
        raise SuiteError.at(
            reading.place("folder"),
            f'"{data.folder}": the folder is named after its phenomenon and its origin, as in clause_omission.human or clause_omission.mt',
        )
    target = reading.target(data.target)
    names = {
        "source": f"src.{reading.source}",
        "correct": f"tgt.correct.{target}",
        "incorrect": f"tgt.incorrect.{target}",
    }
    paths = {key: reading.find("folder", f"{data.folder}/{name}") for key, name in names.items()}
    for lines in parallel_lines(paths):
        place = lines["source"][0]
        try:
            texts = parallel_texts(lines)
            item = Contrasted(
                id=f"{phenomenon}/{ending}/{fingerprint(*texts.values())}",
                source=texts["source"],
                correct=texts["correct"],
                incorrect=[texts["incorrect"]],
                attributes={"phenomenon": phenomenon, "origin": ORIGINS[ending]},
            )
            yield place, item.sample(data, target, place)
        except SuiteError as error:
            yield place, error


FORMAT = Format(
    name="distil-lingeval",
    heading="DistilLingEval",
    entry=DistilLingEval,
    read=read,
    preset=partial(
        contrastive_preset,
        about="Does the model score a right translation above one with a known error?",
        ties="correct",
        gaps=("origin",),
    ),
    family=CONTRASTIVE,
    guide=read_guide("distil-lingeval"),
)
