"""DistilLingEval (Vamvas and Sennrich, 2021): folders `PHENOMENON.human` and `PHENOMENON.mt` of parallel files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from mtprobe.datasets.contrastive import contrastive_preset, contrastive_sample, whole
from mtprobe.datasets.preset import Preset
from mtprobe.datasets.reading import Item, Reading, fingerprint, with_copies
from mtprobe.errors import SuiteError
from mtprobe.suite.format.public import DistilLingEval
from mtprobe.suite.parsing.lines import parallel_lines

ORIGINS = {"human": "human", "mt": "machine"}


def read(data: DistilLingEval, reading: Reading) -> Iterator[Item]:
    """Each line's pair."""
    yield from with_copies(_read(data, reading))


def _read(data: DistilLingEval, reading: Reading) -> Iterator[Item]:
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
            texts = whole(lines)
            yield (
                place,
                contrastive_sample(
                    data,
                    place,
                    id=f"{phenomenon}/{ending}/{fingerprint(*texts.values())}",
                    source=texts["source"],
                    target=target,
                    correct=texts["correct"],
                    incorrect=[texts["incorrect"]],
                    attributes={"phenomenon": phenomenon, "origin": ORIGINS[ending]},
                ),
            )
        except SuiteError as error:
            yield place, error


def preset(data: DistilLingEval) -> Preset:
    return contrastive_preset(
        data,
        "distil-lingeval",
        "Does the model score a right translation above one with a known error?",
        source="en",
        cluster="phenomenon",
        ties="correct",
        gaps=("origin",),
    )
