"""MuCoW, the translation suite (Raganato, Scherrer and Tiedemann, 2019), with the cues and frequencies
that Vamvas and Sennrich (2021) published for it."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel

from mtprobe.datasets.frequencies import read_frequencies
from mtprobe.datasets.preset import Preset
from mtprobe.datasets.reading import Item, LeftOut, Reading, with_copies
from mtprobe.datasets.words import find_word
from mtprobe.errors import Place, SuiteError
from mtprobe.suite.format.public import MuCoW
from mtprobe.suite.format.suite import SampleModel
from mtprobe.suite.parsing.lines import checked, json_line, parallel_lines
from mtprobe.suite.samples.build import slug
from mtprobe.suite.samples.focus import escaped
from mtprobe.suite.samples.frequencies import Categories, categories_of

NO_CUES = LeftOut("the cue file has no cues for one of its readings")
NO_CATEGORY = LeftOut("its lemmas are neither frequent nor rare in the file of frequencies")
BOTH = LeftOut("its lemmas are both frequent and rare in the file of frequencies")

Words = list[str]


class _Cues(BaseModel):
    """A line of the cue file; it has more keys."""

    src_word: str
    correct_insertions: Words = []
    incorrect_insertions: Words = []


Lines = dict[str, tuple[Place, str | SuiteError]]  # an item's line in each file


def read(data: MuCoW, reading: Reading) -> Iterator[Item]:
    """Each item's sample, at the place of its sentence."""
    yield from with_copies(_read(data, reading))


def _read(data: MuCoW, reading: Reading) -> Iterator[Item]:
    target = reading.target(data.target)
    named = {"text": data.text, "key": data.key, "references": data.references, "cues": data.cues}
    paths = {key: reading.find(key, name) for key, name in named.items() if name is not None}
    categories = None
    if data.frequencies is not None:
        categories = read_frequencies(reading.find("frequencies", data.frequencies), target)
    for lines in parallel_lines(paths):
        place = lines["text"][0]
        try:
            yield place, _sample(lines, target, categories)
        except SuiteError as error:
            yield place, error


def _sample(lines: Lines, target: str, categories: Categories | None) -> SampleModel | LeftOut:
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
    for left_out in sample.values():
        if isinstance(left_out, LeftOut):
            return left_out
    focus = find_word(word, text)
    if focus is None and "cues" in sample:
        raise SuiteError.at(place, f'the word "{word}" of {lines["key"][0]} does not stand in the sentence')
    start, end = focus or (0, 0)
    marked = f"<{escaped(text[start:end])}>" if focus else ""
    sample["source"] = escaped(text[:start]) + marked + escaped(text[end:])
    return checked(SampleModel, sample, place)


def _cues(lines: Lines, word: str) -> dict[str, Words] | LeftOut:
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
    """Without the full stop that stands among the published lemmas."""
    return [lemma for lemma in column.split() if any(map(str.isalnum, lemma))]


def _category(word: str, good: Words, categories: Categories) -> str | LeftOut:
    found = categories_of(word, good, categories)
    if len(found) == 1:
        return found.pop()
    return BOTH if found else NO_CATEGORY


def preset(data: MuCoW) -> Preset:
    gates = {"degenerate": "<= 0.02"}
    if data.frequencies is not None:
        gates = {"minimum_accuracy": ">= 0.60", "accuracy[rare]": ">= 0.60", "gap": "<= 0.30", **gates}
    else:
        gates = {"accuracy": ">= 0.60", **gates}
    return Preset(
        name=f"mucow-{data.target}" if data.target else "mucow",
        about="Is an ambiguous word translated in the sense that the sentence asks for?",
        source="en",
        target=data.target,
        methods=("contrastive-conditioning",) if data.cues else ("lexicon",),
        categories=("frequent", "rare") if data.frequencies is not None else (),
        cluster="word",
        gates=gates,
    )
