"""MuCoW, the translation suite (Raganato, Scherrer and Tiedemann, 2019), with the cues and frequencies
that Vamvas and Sennrich (2021) published for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import BaseModel

from mtprobe.datasets.format import Format, read_guide
from mtprobe.datasets.preset import Preset
from mtprobe.datasets.reading import mark_word, samples_from, with_copies
from mtprobe.errors import Place, SuiteError
from mtprobe.suite.data import Item, Reading, Skipped
from mtprobe.suite.format.data import Data
from mtprobe.suite.format.evidence import SampleModel
from mtprobe.suite.format.fields import Language, Text
from mtprobe.suite.parsing.lines import checked, json_line, parallel_lines
from mtprobe.suite.samples.build import slug
from mtprobe.suite.samples.focus import escaped
from mtprobe.suite.samples.frequencies import Categories, categories_of, read_frequencies


class MuCoW(Data):
    """MuCoW, the translation suite: sentences with an ambiguous word, and the lemmas of its right and wrong translations."""

    KNOWN: ClassVar[tuple[str, ...]] = ("word", "sense", "corpus")

    format: Literal["mucow"]
    """Parallel files: the n-th line of each belongs to the n-th item."""
    text: Text
    """The sentences, `en-de.text.txt`."""
    key: Text
    """`en-de.key.txt`: id, corpus, word, correct and incorrect lemmas, separated by tabs."""
    references: Text | None = None
    """Translations by people, `en-de.ref.txt`."""
    cues: Text | None = None
    """Cues for contrastive conditioning, `en-de.insertions.roberta-large.jsonl`; items without any are skipped."""
    frequencies: Text | None = None
    """Which senses are frequent, `frequency_categories.json`: sets the category, `frequent` or `rare`; items without one are skipped."""
    target: Language | None = None
    """The language of lemmas and references; by default the suite's only target language."""


NO_CUES = Skipped("the cue file has no cues for one of its readings")
NO_CATEGORY = Skipped("its lemmas are neither frequent nor rare in the file of frequencies")
BOTH = Skipped("its lemmas are both frequent and rare in the file of frequencies")

Words = list[str]


class _Cues(BaseModel):
    """A line of the cue file; it has more keys."""

    src_word: str
    correct_insertions: Words = []
    incorrect_insertions: Words = []


Lines = dict[str, tuple[Place, str | SuiteError]]  # an item's line in each file


@with_copies
def read(data: MuCoW, reading: Reading) -> Iterator[Item]:
    """Each item's sample, at the place of its sentence."""
    target = reading.target(data.target)
    named = {"text": data.text, "key": data.key, "references": data.references, "cues": data.cues}
    paths = {key: reading.find(key, name) for key, name in named.items() if name is not None}
    categories = None
    if data.frequencies is not None:
        categories = read_frequencies(reading.find("frequencies", data.frequencies), target)
    items = ((lines["text"][0], lines) for lines in parallel_lines(paths))
    yield from samples_from(items, lambda lines, _: _sample(lines, target, categories))


def _sample(lines: Lines, target: str, categories: Categories | None) -> SampleModel | Skipped:
    for _, line in lines.values():
        if isinstance(line, SuiteError):
            raise line
    place, text = lines["text"][0], str(lines["text"][1])
    number, corpus, word, good, bad = _key(str(lines["key"][1]), lines["key"][0])
    sample: dict[str, object] = {
        "id": f"{slug(word)}/{number}",
        "attributes": {"word": word, "sense": " ".join(good), "corpus": corpus},
        "lemmas": {target: {"good": good, "bad": bad}},
    }
    if "references" in lines:
        sample["references"] = {target: str(lines["references"][1])}
    if categories is not None:
        sample["category"] = _category(word, good, categories)
    if "cues" in lines:
        sample["cues"] = _cues(lines, word)
    for value in sample.values():
        if isinstance(value, Skipped):
            return value
    marked = mark_word(word, text)
    if marked is None and "cues" in sample:
        raise SuiteError.at(place, f'the word "{word}" of {lines["key"][0]} is not in the sentence')
    sample["source"] = escaped(text) if marked is None else marked
    return checked(SampleModel, sample, place)


def _cues(lines: Lines, word: str) -> dict[str, Words] | Skipped:
    place, line = lines["cues"]
    cues = checked(_Cues, json_line(str(line), place), place)
    if cues.src_word != word:
        raise SuiteError.at(place, f'cues for "{cues.src_word}"; the key has "{word}" there')
    if not cues.correct_insertions or not cues.incorrect_insertions:
        return NO_CUES
    return {"correct": cues.correct_insertions, "incorrect": cues.incorrect_insertions}


def _key(line: str, place: Place) -> tuple[str, str, str, Words, Words]:
    columns = [column.strip() for column in line.split("\t")]
    if len(columns) != 5 or not all(columns):
        raise SuiteError.at(
            place,
            "a line has an id, a corpus, a word, its correct and its incorrect lemmas, separated by tabs; "
            f"this one has {sum(map(bool, columns))} of them",
        )
    number, corpus, word, good, bad = columns
    return number, corpus, word, _lemmas(good), _lemmas(bad)


def _lemmas(column: str) -> Words:
    """Without the full stop that is among the published lemmas."""
    return [lemma for lemma in column.split() if any(map(str.isalnum, lemma))]


def _category(word: str, good: Words, categories: Categories) -> str | Skipped:
    matches = categories_of(word, good, categories)
    if len(matches) == 1:
        return matches.pop()
    return BOTH if matches else NO_CATEGORY


def preset(data: MuCoW) -> Preset:
    gates = {"accuracy": ">= 0.60"}
    if data.frequencies is not None:
        gates = {"minimum_accuracy": ">= 0.60", "accuracy[rare]": ">= 0.60", "gap": "<= 0.30"}
    return Preset(
        name=f"mucow-{data.target}" if data.target else "mucow",
        about="Is an ambiguous word translated in the sense that the sentence asks for?",
        source="en",
        target=data.target,
        methods=("contrastive-conditioning",) if data.cues else ("lexicon",),
        categories=("frequent", "rare") if data.frequencies is not None else (),
        cluster="word",
        gates={**gates, "degenerate": "<= 0.02"},
    )


FORMAT = Format(
    name="mucow",
    heading="MuCoW, the translation suite",
    entry=MuCoW,
    read=read,
    preset=preset,
    guide=read_guide("mucow"),
)
