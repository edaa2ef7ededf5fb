"""MT-GenEval (Currey et al., 2022): the same text about a man and about a woman, with a reference for each.

Each source is a sample; the other gender's reference is its incorrect target. In the contextual part only the sentence
before the source shows the gender.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Literal

from mtprobe.datasets.contrastive.family import parallel_texts
from mtprobe.datasets.format import Format, read_guide
from mtprobe.datasets.preset import Preset
from mtprobe.datasets.reading import fingerprint, with_copies
from mtprobe.errors import SuiteError
from mtprobe.suite.data import Item, Reading, Skipped
from mtprobe.suite.format.data import Data
from mtprobe.suite.format.evidence import SampleModel
from mtprobe.suite.format.fields import Language, Text
from mtprobe.suite.parsing.lines import checked, parallel_lines
from mtprobe.suite.samples.focus import escaped


class MTGenEval(Data):
    """MT-GenEval: pairs of sources and references that differ in gender; every source is a sample."""

    KNOWN: ClassVar[tuple[str, ...]] = ("origin", "pair", "gender")

    format: Literal["mt-geneval"]
    """Four parallel files: masculine and feminine sources and references."""
    folder: Text
    """The folder of `geneval-sentences-masculine-test.en_de.en` and the others."""
    part: Literal["sentences", "context"] = "sentences"
    """`context` is the contextual part: `geneval-context-wikiprofessions-2to1-test.en_de.en` has the sentence before and the source, separated by `<sep>`; `…-original-test.en_de.de` and `…-flipped-test.en_de.de` have the references."""
    split: Text = "test"
    """The part of their names between gender and languages."""
    target: Language | None = None
    """The language of the references; by default the suite's only target language."""


CATEGORIES = {"male": "masculine", "female": "feminine"}
SEPARATOR = "<sep>"  # between the sentence before and the source
PRONOUNS = {
    "masculine": {"he", "him", "his", "himself"},
    "feminine": {"she", "her", "hers", "herself"},
}
NO_CONTEXT = Skipped("no sentence comes before it")
SAME = Skipped("both of its references are the same")


@with_copies
def read(data: MTGenEval, reading: Reading) -> Iterator[Item]:
    """Two samples for each line, a masculine and a feminine one; in the contextual part one."""
    yield from (_in_context if data.part == "context" else _sentences)(data, reading)


def _sentences(data: MTGenEval, reading: Reading) -> Iterator[Item]:
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
            texts = parallel_texts(lines)
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


def _in_context(data: MTGenEval, reading: Reading) -> Iterator[Item]:
    source, target = reading.source, reading.target(data.target)
    kinds = {"2to1": source, "original": target, "flipped": target}
    paths = {
        kind: reading.find(
            "folder",
            f"{data.folder}/geneval-context-wikiprofessions-{kind}-{data.split}.{source}_{target}.{language}",
        )
        for kind, language in kinds.items()
    }
    for lines in parallel_lines(paths):
        place = lines["2to1"][0]
        try:
            texts = parallel_texts(lines)
        except SuiteError as error:
            yield place, error
            continue
        text, right, wrong = texts["2to1"], texts["original"], texts["flipped"]
        context, separator, sentence = text.partition(SEPARATOR)
        if not separator:
            yield place, SuiteError.at(place, f"a line has the sentence before, {SEPARATOR} and the source")
        elif not context.strip():
            yield place, NO_CONTEXT
        elif right == wrong:
            yield place, SAME
        else:
            gender = _gender(context)
            sample = {
                "id": fingerprint(text, right),
                "context": context.strip(),
                "source": escaped(sentence.strip()),
                "attributes": {"origin": "human", **({"gender": gender} if gender else {})},
                "targets": {target: {"correct": right, "incorrect": wrong}},
                "references": {target: right},
            }
            try:
                yield place, checked(SampleModel, sample, place)
            except SuiteError as error:
                yield place, error


def _gender(context: str) -> str | None:
    """The gender of the pronouns in the preceding sentence, if they agree."""
    words = set(re.findall(r"\w+", context.casefold()))
    genders = [gender for gender, pronouns in PRONOUNS.items() if words & pronouns]
    return genders[0] if len(genders) == 1 else None


def preset(data: MTGenEval) -> Preset:
    if data.part == "context":
        return Preset(
            name=f"mt-geneval-context-{data.target}" if data.target else "mt-geneval-context",
            about="Does the translation have the gender that the sentence before shows?",
            source="en",
            target=data.target,
            methods=("reference-words", "minimal-pairs"),
            gates={"accuracy": ">= 0.60", "gap[gender]": "<= 0.20", "degenerate": "<= 0.02"},
            notes=(
                "Models that cannot use context translate the source alone. `context_controls: [random, none]` shows",
                "whether a model uses it.",
            ),
        )
    return Preset(
        name=f"mt-geneval-{data.target}" if data.target else "mt-geneval",
        about="Does the translation have the gender that the sentence shows?",
        source="en",
        target=data.target,
        methods=("reference-words", "minimal-pairs"),
        categories=tuple(CATEGORIES),
        cluster="pair",
        gates={"minimum_accuracy": ">= 0.60", "gap": "<= 0.20", "degenerate": "<= 0.02"},
    )


FORMAT = Format(
    name="mt-geneval",
    heading="MT-GenEval",
    entry=MTGenEval,
    read=read,
    preset=preset,
    guide=read_guide("mt-geneval"),
)
