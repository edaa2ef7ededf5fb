"""MT-GenEval (Currey et al., 2022): the same text about a man and about a woman, with a reference for each.

Either source is a sample; the other gender's reference is its incorrect target.
"""

from __future__ import annotations

from collections.abc import Iterator

from mtprobe.datasets.contrastive import whole
from mtprobe.datasets.preset import Preset
from mtprobe.datasets.reading import Item, LeftOut, Reading, fingerprint, with_copies
from mtprobe.errors import SuiteError
from mtprobe.suite.format.public import MTGenEval
from mtprobe.suite.format.suite import SampleModel
from mtprobe.suite.parsing.lines import checked, parallel_lines
from mtprobe.suite.samples.focus import escaped

CATEGORIES = {"male": "masculine", "female": "feminine"}
SAME = LeftOut("both of its references are the same")


def read(data: MTGenEval, reading: Reading) -> Iterator[Item]:
    """Two samples for each line, a masculine and a feminine one."""
    yield from with_copies(_read(data, reading))


def _read(data: MTGenEval, reading: Reading) -> Iterator[Item]:
    source, target = reading.source, reading.target(data.target)
    paths = {
        f"{category} {language}": reading.find(
            "folder",
            f"{data.folder}/geneval-sentences-{gender}-{data.split}.{source}_{target}.{language}",
        )
        for category, gender in CATEGORIES.items()
        for language in (source, target)
    }
    for lines in parallel_lines(paths):
        try:
            texts = whole(lines)
        except SuiteError as error:
            yield lines[f"male {source}"][0], error
            continue
        pair = fingerprint(*texts.values())
        for category, other in (("male", "female"), ("female", "male")):
            place = lines[f"{category} {source}"][0]
            right, wrong = texts[f"{category} {target}"], texts[f"{other} {target}"]
            sample = {
                "id": f"{pair}/{category}",
                "source": escaped(texts[f"{category} {source}"]),
                "category": category,
                "attributes": {"origin": "human", "pair": pair},
                "targets": {target: {"correct": right, "incorrect": wrong}},
                "references": {target: right},
            }
            try:
                yield place, SAME if right == wrong else checked(SampleModel, sample, place)
            except SuiteError as error:
                yield place, error


def preset(data: MTGenEval) -> Preset:
    return Preset(
        name=f"mt-geneval-{data.target}" if data.target else "mt-geneval",
        about="Does the model score a translation with the right gender above one with the wrong gender?",
        source="en",
        target=data.target,
        methods=("minimal-pairs",),
        categories=tuple(CATEGORIES),
        cluster="pair",
        gates={"minimum_accuracy": ">= 0.60", "gap": "<= 0.20"},
    )
