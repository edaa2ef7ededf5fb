"""Words of a suite → proposals → cues, word by word; finished words are on disk, so that an interrupted run can resume."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from pydantic import TypeAdapter, ValidationError

from mtprobe.authoring.cues.masked import CueModel
from mtprobe.authoring.cues.material import Material
from mtprobe.authoring.cues.propose import Limits, propose
from mtprobe.authoring.cues.select import Evaluator, SenseCues, select
from mtprobe.errors import MtprobeError
from mtprobe.progress import Progress
from mtprobe.system.atomic import write_text

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class WordCues:
    """All senses of a word with their cues."""

    word: str
    senses: tuple[SenseCues, ...]


_LINE = TypeAdapter(WordCues)


class PartFile:
    """A file next to the output: the settings on its first line, then one word per line."""

    def __init__(self, output: Path, settings: Mapping[str, Any]) -> None:
        self.path = output.with_name(output.name + ".part")
        self._settings = {"mtprobe_cues": _FORMAT, **settings}
        self._stream: IO[bytes] | None = None
        self.done: dict[str, WordCues] = {}

    def __enter__(self) -> Self:
        try:
            content = self.path.read_bytes() if self.path.exists() else b""
            complete = content[: content.rfind(b"\n") + 1]  # the last line may be torn
            if complete:
                self._read(complete.splitlines())
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._stream = self.path.open("ab")
            self._stream.truncate(len(complete))
            if not complete:
                self._write(self._settings)
        except OSError as error:
            raise MtprobeError(f"{self.path}: cannot be written: {error.strerror}") from None
        return self

    def add(self, word: WordCues) -> None:
        """Saves a finished word to disk before the next one starts."""
        self.done[word.word] = word
        self._write(asdict(word))

    def finish(self) -> None:
        """To be called when the output is written: there is nothing to resume."""
        if self._stream is not None:
            self._stream.close()
        self.path.unlink(missing_ok=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is not None:
            self._stream.close()
            if not self.done:
                self.path.unlink(missing_ok=True)  # nothing to resume

    def _read(self, lines: list[bytes]) -> None:
        remedy = f"remove {self.path}, or use --restart"
        try:
            settings, *words = lines
            self._check(json.loads(settings), remedy)
            for line in words:
                word = _LINE.validate_json(line)
                self.done[word.word] = word
        except (ValueError, ValidationError):
            raise MtprobeError(f"{self.path}: not a file of an interrupted run; {remedy}") from None

    def _check(self, settings: Any, remedy: str) -> None:
        if not isinstance(settings, dict):
            raise ValueError(settings)
        other = [name for name in self._settings if settings.get(name) != self._settings[name]]
        if other:
            raise MtprobeError(
                f"{self.path}: the interrupted run had other settings ({', '.join(other)}); {remedy}"
            )

    def _write(self, record: Mapping[str, Any]) -> None:
        if self._stream is None:
            raise RuntimeError("a part file must be written inside `with`")
        self._stream.write(json.dumps(record).encode() + b"\n")
        self._stream.flush()
        os.fsync(self._stream.fileno())


def find_cues(
    material: Material,
    model: CueModel,
    evaluator: Evaluator | None,
    limits: Limits,
    progress: Progress,
    part: PartFile | None = None,
) -> Iterator[WordCues]:
    """Each word with the cues of its senses. Words in the part file are reused, the others added to it.

    Without an evaluator there are proposals but no cues.
    """
    progress.start("finding cues", len(material.words))
    try:
        for word in material.words:
            if part is not None and word.name in part.done:
                yield part.done[word.name]
            else:
                proposals = propose(word, model, limits)
                if evaluator is None:
                    senses = tuple(SenseCues(sense, proposed) for sense, proposed in proposals.items())
                else:
                    senses = select(word, proposals, evaluator, limits)
                cues = WordCues(word.name, senses)
                if part is not None:
                    part.add(cues)
                yield cues
            progress.advance(1)
    finally:
        progress.done()


def write_cues(path: Path, words: Iterable[WordCues], made_with: Mapping[str, Any]) -> int:
    """Writes the file that a suite names, completely or not at all; returns how many senses have cues."""
    lines = [
        json.dumps(_record(word.word, sense, made_with), ensure_ascii=False)
        for word in words
        for sense in word.senses
        if sense.correct and sense.incorrect
    ]
    write_text(path, "".join(f"{line}\n" for line in lines))
    return len(lines)


def _record(word: str, sense: SenseCues, made_with: Mapping[str, Any]) -> dict[str, Any]:
    measured = {"references": sense.references, "held_out": sense.held_out, "wrong": sense.wrong}
    return {
        "word": word,
        "sense": sense.sense,
        "correct": [cue.word for cue in sense.correct],
        "incorrect": [cue.word for cue in sense.incorrect],
        "about": {
            **{name: asdict(judged) for name, judged in measured.items() if judged.n},
            **made_with,
        },
    }
