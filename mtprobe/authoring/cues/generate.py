"""The whole way: words of a suite → proposals → cues, one word after the other."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mtprobe.authoring.cues.limits import Limits
from mtprobe.authoring.cues.material import Material
from mtprobe.authoring.cues.part import PartFile, WordCues
from mtprobe.authoring.cues.propose import Proposer, propose
from mtprobe.authoring.cues.select import Evaluator, SenseCues, Told, select
from mtprobe.errors import MtprobeError
from mtprobe.progress import Progress
from mtprobe.system.atomic import write_text


def find_cues(
    material: Material,
    model: Proposer,
    evaluator: Evaluator | None,
    limits: Limits,
    progress: Progress,
    part: PartFile | None = None,
) -> Iterator[WordCues]:
    """Each word with the cues of its senses; those that the part file has are taken from it, the others added to it.

    Without an evaluator there are proposals and no cues.
    """
    progress.start("finding cues", len(material.words))
    try:
        for word in material.words:
            if part is not None and word.name in part.done:
                yield part.done[word.name]
            else:
                proposals = propose(word, model, limits)
                if evaluator is None:
                    senses = tuple(SenseCues(sense, found) for sense, found in proposals.items())
                else:
                    senses = select(word, proposals, evaluator, limits)
                found = WordCues(word.name, senses)
                if part is not None:
                    part.add(found)
                yield found
            progress.advance(1)
    finally:
        progress.done()


def write_cues(path: Path, words: Iterable[WordCues], made_with: Mapping[str, Any]) -> int:
    """Writes the file that a suite names, all of it or nothing; how many senses have cues in it."""
    lines = [
        json.dumps(_record(word.word, sense, made_with), ensure_ascii=False)
        for word in words
        for sense in word.senses
        if sense.correct and sense.incorrect
    ]
    try:
        write_text(path, "".join(f"{line}\n" for line in lines))
    except OSError as error:
        raise MtprobeError(f"{path}: cannot be written: {error.strerror}") from None
    return len(lines)


def _record(word: str, sense: SenseCues, made_with: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "word": word,
        "sense": sense.sense,
        "correct": [cue.word for cue in sense.correct],
        "incorrect": [cue.word for cue in sense.incorrect],
        "about": {
            **{name: {"right": told.right, "n": told.n} for name, told in _measured(sense) if told.n},
            **made_with,
        },
    }


def _measured(sense: SenseCues) -> tuple[tuple[str, Told], ...]:
    return ("references", sense.references), ("held_out", sense.held_out), ("wrong", sense.wrong)
