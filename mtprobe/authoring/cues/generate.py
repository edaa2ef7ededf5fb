"""Words of a suite → proposals → cues of both kinds. Finished words are saved, which makes a run resumable."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from pydantic import TypeAdapter, ValidationError

from mtprobe.authoring.cues.contrast import propose_replacements, select_replacements
from mtprobe.authoring.cues.kinds import Kind, kind_of_word
from mtprobe.authoring.cues.masked import CueModel
from mtprobe.authoring.cues.material import AmbiguousWord, Material
from mtprobe.authoring.cues.propose import Limits, propose
from mtprobe.authoring.cues.replacements import Sources, find_candidates
from mtprobe.authoring.cues.select import Evaluator, SelectedCue, SenseCues, select
from mtprobe.errors import MtprobeError
from mtprobe.progress import Progress
from mtprobe.system.atomic import write_text

_FORMAT = 2


@dataclass(frozen=True, slots=True)
class WordCues:
    """All senses of a word with their cues of each kind."""

    word: str
    pos: str
    kinds: Mapping[Kind, tuple[SenseCues, ...]]

    @property
    def key(self) -> tuple[str, str]:
        """It distinguishes words."""
        return self.word, self.pos


@dataclass(frozen=True, slots=True)
class Proposers:
    """The sources of proposals: a masked model for cues before the focus, any available source for replacements."""

    before: CueModel | None
    replace: Sources | None


_LINE = TypeAdapter(WordCues)


class PartFile:
    """A file next to the output: the settings on its first line, then one word per line."""

    def __init__(self, output: Path, settings: Mapping[str, Any]) -> None:
        self.path = output.with_name(output.name + ".part")
        self._settings = {"mtprobe_cues": _FORMAT, **settings}
        self._stream: IO[bytes] | None = None
        self.done: dict[tuple[str, str], WordCues] = {}

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
        self.done[word.key] = word
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
                self.done[word.key] = word
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
    proposers: Proposers,
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
            if part is not None and (word.name, word.pos) in part.done:
                yield part.done[word.name, word.pos]
            else:
                cues = WordCues(word.name, word.pos, _by_kind(word, proposers, evaluator, limits))
                if part is not None:
                    part.add(cues)
                yield cues
            progress.advance(1)
    finally:
        progress.done()


def _by_kind(
    word: AmbiguousWord, proposers: Proposers, evaluator: Evaluator | None, limits: Limits
) -> dict[Kind, tuple[SenseCues, ...]]:
    kinds: dict[Kind, tuple[SenseCues, ...]] = {}
    if proposers.before is not None:
        proposals = propose(word, proposers.before, limits)
        if evaluator is None:
            kinds["before"] = tuple(SenseCues(sense, proposed) for sense, proposed in proposals.items())
        else:
            kinds["before"] = select(word, proposals, evaluator, limits)
    if proposers.replace is not None:
        candidates = find_candidates(word, proposers.replace, limits)
        if evaluator is None:
            kinds["replace"] = propose_replacements(word, candidates, limits)
        else:
            kinds["replace"] = select_replacements(word, candidates, evaluator, limits)
    return kinds


def write_cues(path: Path, words: Iterable[WordCues], kind: Kind, made_with: Mapping[str, Any]) -> int:
    """Writes the file that a suite names, completely or not at all; returns how many senses have cues.

    A word for whose senses the other kind has more cues gets those.
    """
    senses = [
        (word, sense)
        for word in words
        for sense in word.kinds[kind_of_word(word.kinds, kind)]
        if sense.correct and sense.incorrect
    ]
    lines = [
        json.dumps(line, ensure_ascii=False)
        for word, sense in senses
        for line in _records(word.word, sense, made_with)
    ]
    write_text(path, "".join(f"{line}\n" for line in lines))
    return len(senses)


def _records(word: str, sense: SenseCues, made_with: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A line; of cues that replace the word one for each of its forms."""
    measured = {"references": sense.references, "held_out": sense.held_out, "wrong": sense.wrong}
    about = {**{name: asdict(judged) for name, judged in measured.items() if judged.n}, **made_with}
    forms: list[str | None] = [*sense.correct[0].texts]
    for form in forms or [None]:
        yield {
            "word": word,
            "sense": sense.sense,
            **({"form": form} if form is not None else {}),
            "correct": [_written(cue, form) for cue in sense.correct],
            "incorrect": [_written(cue, form) for cue in sense.incorrect],
            "about": about,
        }


def _written(cue: SelectedCue, form: str | None) -> str:
    return cue.word if form is None else f"<{cue.texts[form]}>"
