"""GATE (Rarrick et al., 2023): sources that leave a person's gender open, so two translations are right.

Both are in `references`, the feminine one first. The categories are `person` and `people`, since a cue must agree
with its noun in number; with cues for choices a suite counts which gender a model gives them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Literal

from mtprobe.datasets.format import Format, read_guide
from mtprobe.datasets.preset import Preset
from mtprobe.datasets.reading import fingerprint, mark_word, sample_per_line, with_copies
from mtprobe.errors import Place, SuiteError
from mtprobe.suite.data import Item, Reading, Skipped
from mtprobe.suite.format.data import Data
from mtprobe.suite.format.evidence import SampleModel
from mtprobe.suite.format.fields import Language, Text
from mtprobe.suite.parsing.lines import checked, text_lines
from mtprobe.suite.samples.build import slug


class GATE(Data):
    """GATE: sources that leave a person's gender open, with a feminine and a masculine translation."""

    KNOWN: ClassVar[tuple[str, ...]] = ("labels", "people", "split")

    format: Literal["gate"]
    """A header and lines of tab-separated columns: labels, source, f, m, kw_s, kw_f, kw_m, data_split."""
    file: Text
    """`ES_2_variants.tsv`."""
    target: Language | None = None
    """The language of the translations; by default the suite's only target language."""


COLUMNS = ("labels", "source", "f", "m", "kw_s", "kw_f", "kw_m", "data_split")
NOT_FOUND = Skipped("its first key word is not in the sentence")
PRONOUN = Skipped("its first person is a pronoun, which takes no cue before it")
PRONOUNS = frozenset(("i", "you", "we", "they", "me", "us", "them", "myself", "yourself"))

IRREGULAR_PLURALS = frozenset(("children", "people", "alumni", "folk", "deaf", "elderly", "police"))

_HEAD = re.compile(r"\[(.+?)\]")


@with_copies
def read(data: GATE, reading: Reading) -> Iterator[Item]:
    """Each line's sample; the focus is the head of its first key word."""
    target = reading.target(data.target)
    path = reading.find("file", data.file)
    lines = text_lines(path)
    place, header = next(lines, (Place(path, 1), ""))
    if isinstance(header, SuiteError) or tuple(header.split("\t")) != COLUMNS:
        raise SuiteError.at(place, f"the first line has the columns {', '.join(COLUMNS)}, separated by tabs")
    yield from sample_per_line(lines, lambda line, place: _sample(line, target, place))


def _sample(line: str, target: str, place: Place) -> SampleModel | Skipped:
    columns = line.split("\t")
    if len(columns) != len(COLUMNS):
        raise SuiteError.at(place, f"{len(columns)} columns; the header has {len(COLUMNS)}")
    row = dict(zip(COLUMNS, (column.strip() for column in columns), strict=True))
    people = row["kw_s"].split("=")
    head = _HEAD.search(people[0])
    word = head.group(1) if head else people[0]
    if not word.strip():
        raise SuiteError.at(place, "kw_s: is empty; it names the person in the sentence")
    if word.casefold() in PRONOUNS:
        return PRONOUN
    source = mark_word(word, row["source"])
    if source is None:
        return NOT_FOUND
    sample = {
        "id": f"{slug(word)}/{fingerprint(row['source'], row['f'], row['m'])}",
        "source": source,
        "category": "people" if _is_plural(word, row["labels"]) else "person",
        "attributes": {"labels": row["labels"], "people": len(people), "split": row["data_split"]},
        "references": {target: [row["f"], row["m"]]},
    }
    return checked(SampleModel, sample, place)


def _is_plural(word: str, labels: str) -> bool:
    """Labels are those of the whole sentence, so the word itself must look like a plural too."""
    last = word.casefold().split()[-1]
    return "PLUR" in labels.split(";") and (last.endswith("s") or last in IRREGULAR_PLURALS)


def preset(data: GATE) -> Preset:
    return Preset(
        name=f"gate-{data.target}" if data.target else "gate",
        about="Which gender does the translation give a person whose gender the sentence leaves open?",
        source="en",
        target=data.target,
        methods=("contrastive-conditioning",),
        categories=("male", "female", "person", "people"),
        cues={"person": {"male": "man", "female": "woman"}, "people": {"male": "men", "female": "women"}},
        gates={"chosen[female]": ">= 0.20", "chosen[male]": ">= 0.20", "degenerate": "<= 0.02"},
        notes=("No answer is right here: what is counted is which gender is chosen.",),
    )


FORMAT = Format(
    name="gate",
    heading="GATE",
    entry=GATE,
    read=read,
    preset=preset,
    guide=read_guide("gate"),
)
