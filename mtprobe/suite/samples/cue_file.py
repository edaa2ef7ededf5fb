"""Cues by word and sense, from a file that a suite names: each sample takes those of its own sense."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import Field

from mtprobe.errors import MOST_PROBLEMS, Place, Problem, SuiteError, did_you_mean
from mtprobe.suite.format.cues import CueFile
from mtprobe.suite.format.fields import Attribute, Strict, Texts
from mtprobe.suite.format.suite import SuiteModel
from mtprobe.suite.parsing.files import SuiteFiles
from mtprobe.suite.parsing.tree import Tree
from mtprobe.suite.sample import Contrast, CuesBySense, Sample


class CueLine(Strict):
    """One line of a cue file."""

    word: Attribute
    """The ambiguous word, as the samples' attribute has it."""
    sense: Attribute
    """One of its senses."""
    correct: Texts
    """Cues for this sense."""
    incorrect: Texts
    """Cues for the word's other senses."""
    about: dict[str, Any] = Field(default_factory=dict)
    """How the cues were found, for people to read."""


Key = tuple[str, str]  # word and sense


@dataclass(frozen=True, slots=True)
class _Table:
    path: Path
    cues: Mapping[Key, Contrast]

    def nothing_for(self, key: Key) -> str:
        """The message about a sample that finds no cues."""
        word, sense = key
        senses = [sense for listed, sense in self.cues if listed == word]
        hint = (
            did_you_mean(sense, senses) if senses else did_you_mean(word, (listed for listed, _ in self.cues))
        )
        return f'{self.path} has no cues for "{word}" in the sense "{sense}"{hint}'


def cue_file(model: SuiteModel, suite: Path) -> CuesBySense | None:
    """The file that the suite names for its cues, whether it exists or not."""
    if not isinstance(model.cues, CueFile):
        return None
    word, sense = model.cues.by
    return CuesBySense(suite.parent / model.cues.file, word, sense)


def with_cues(
    samples: tuple[Sample, ...], model: SuiteModel, tree: Tree, files: SuiteFiles
) -> tuple[Sample, ...]:
    """The samples; those without cues and sources of their own get the cues of their sense."""
    named = model.cues
    if not isinstance(named, CueFile):
        return samples
    path = files.find(named.file, tree.place(("cues", "file")))
    table = _Table(path, _read(path))
    if not any(map(_wants, samples)):
        raise SuiteError.at(
            tree.place(("cues", "file")),
            f"cues.file: no sample takes cues from {named.file}: each has its own cues or sources, or no <focus>",
        )
    cued: list[Sample] = []
    problems: list[Problem] = []
    for sample in samples:
        if not _wants(sample):
            cued.append(sample)
            continue
        key, lacking = _key(sample, named.by)
        if key is not None and key in table.cues:
            cued.append(replace(sample, cues=table.cues[key]))
        elif lacking or named.without == "error":
            message = lacking or (table.nothing_for(key) if key else "")
            problems.append(Problem(sample.place, f'sample "{sample.id}": {message}'))
            if len(problems) >= MOST_PROBLEMS:
                break
    if problems:
        raise SuiteError(problems)
    if not cued:
        raise SuiteError.at(
            tree.place(("cues", "without")), f"cues.without: {table.path} has cues for none of the samples"
        )
    return tuple(cued)


def _wants(sample: Sample) -> bool:
    """Whether it can take cues and has none; without a focus, other methods may judge it."""
    return sample.focus is not None and sample.cues is None and sample.sources is None


def _key(sample: Sample, by: Sequence[str]) -> tuple[Key | None, str]:
    """The word and the sense of a sample, or what it lacks."""
    for name in by:
        if name not in sample.attributes:
            hint = did_you_mean(name, sample.attributes)
            return None, f'has no attribute "{name}", by which cues are looked up (`cues.by`){hint}'
    word, sense = (str(sample.attributes[name]) for name in by)
    return (word, sense), ""


def _read(path: Path) -> dict[Key, Contrast]:
    from mtprobe.suite.parsing.lines import checked, json_line, text_lines

    cues: dict[Key, Contrast] = {}
    first: dict[Key, Place] = {}
    problems: list[Problem] = []
    for place, text in text_lines(path):
        try:
            if isinstance(text, SuiteError):
                raise text
            if not text.strip():
                continue
            line = checked(CueLine, json_line(text, place), place)
            key = str(line.word), str(line.sense)
            if first.setdefault(key, place) is not place:
                raise SuiteError.at(
                    place,
                    f'duplicate line for "{key[0]}" in the sense "{key[1]}" (first at {first[key]})',
                )
            cues[key] = Contrast(tuple(line.correct), tuple(line.incorrect))
        except SuiteError as error:
            problems.extend(error.problems)
            if len(problems) >= MOST_PROBLEMS:
                break
    if problems:
        raise SuiteError(problems)
    return cues
