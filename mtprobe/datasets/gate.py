"""GATE (Rarrick et al., 2023): sources that leave a person's gender open, so that two translations are right.

Both stand in `references`, the feminine one first. The categories are `person` and `people`, since a cue must fit the
number of its noun; with cues for choices a suite counts which gender a model gives them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mtprobe.datasets.preset import Preset
from mtprobe.datasets.reading import Item, LeftOut, Reading, fingerprint, with_copies
from mtprobe.datasets.words import find_word
from mtprobe.errors import Place, SuiteError
from mtprobe.suite.format.public import GATE
from mtprobe.suite.format.suite import SampleModel
from mtprobe.suite.parsing.lines import checked, text_lines
from mtprobe.suite.samples.build import slug
from mtprobe.suite.samples.focus import escaped

COLUMNS = ("labels", "source", "f", "m", "kw_s", "kw_f", "kw_m", "data_split")
NOT_FOUND = LeftOut("its first key word does not stand in the sentence")
PRONOUN = LeftOut("its first person is a pronoun, which no cue can stand before")
PRONOUNS = frozenset(("i", "you", "we", "they", "me", "us", "them", "myself", "yourself"))

IRREGULAR_PLURALS = frozenset(("children", "people", "alumni", "folk", "deaf", "elderly", "police"))

_HEAD = re.compile(r"\[(.+?)\]")


def read(data: GATE, reading: Reading) -> Iterator[Item]:
    """Each line's sample; the focus is the head of its first key word."""
    yield from with_copies(_read(data, reading))


def _read(data: GATE, reading: Reading) -> Iterator[Item]:
    target = reading.target(data.target)
    path = reading.find("file", data.file)
    lines = text_lines(path)
    place, header = next(lines, (Place(path, 1), ""))
    if isinstance(header, SuiteError) or tuple(header.split("\t")) != COLUMNS:
        raise SuiteError.at(place, f"the first line has the columns {', '.join(COLUMNS)}, separated by tabs")
    for place, line in lines:
        try:
            if isinstance(line, SuiteError):
                raise line
            if line.strip():
                yield place, _sample(line, target, place)
        except SuiteError as error:
            yield place, error


def _sample(line: str, target: str, place: Place) -> SampleModel | LeftOut:
    columns = line.split("\t")
    if len(columns) != len(COLUMNS):
        raise SuiteError.at(place, f"{len(columns)} columns; the header has {len(COLUMNS)}")
    held = dict(zip(COLUMNS, (column.strip() for column in columns), strict=True))
    people = held["kw_s"].split("=")
    head = _HEAD.search(people[0])
    word = head.group(1) if head else people[0]
    if not word.strip():
        raise SuiteError.at(place, "kw_s: is empty; it names the person in the sentence")
    if word.casefold() in PRONOUNS:
        return PRONOUN
    text = held["source"]
    found = find_word(word, text)
    if found is None:
        return NOT_FOUND
    start, end = found
    sample = {
        "id": f"{slug(word)}/{fingerprint(text, held['f'], held['m'])}",
        "source": f"{escaped(text[:start])}<{escaped(text[start:end])}>{escaped(text[end:])}",
        "category": "people" if _is_plural(word, held["labels"]) else "person",
        "attributes": {"labels": held["labels"], "people": len(people), "split": held["data_split"]},
        "references": {target: [held["f"], held["m"]]},
    }
    return checked(SampleModel, sample, place)


def _is_plural(word: str, labels: str) -> bool:
    """Labels are those of the whole sentence, so the word itself must look like a plural, too."""
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
