"""Words that are done, on disk while the others are not: what was found before an interruption is there afterwards."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from pydantic import TypeAdapter, ValidationError

from mtprobe.authoring.cues.select import SenseCues
from mtprobe.errors import MtprobeError

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class WordCues:
    """All senses of a word, with what was found for them."""

    word: str
    senses: tuple[SenseCues, ...]


_LINE = TypeAdapter(WordCues)


class PartFile:
    """A file beside the output: the settings on its first line, then a word a line."""

    def __init__(self, output: Path, settings: Mapping[str, Any]) -> None:
        self.path = output.with_name(output.name + ".part")
        self._settings = {"mtprobe_cues": _FORMAT, **settings}
        self._stream: IO[bytes] | None = None
        self.done: dict[str, WordCues] = {}

    def __enter__(self) -> Self:
        try:
            held = self.path.read_bytes() if self.path.exists() else b""
            whole = held[: held.rfind(b"\n") + 1]  # a line that has no end was being written
            if whole:
                self._read(whole.splitlines())
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._stream = self.path.open("ab")
            self._stream.truncate(len(whole))
            if not whole:
                self._write(self._settings)
        except OSError as error:
            raise MtprobeError(f"{self.path}: cannot be written: {error.strerror}") from None
        return self

    def add(self, word: WordCues) -> None:
        """Keeps a word that is done, on the disk before the next one begins."""
        self.done[word.word] = word
        self._write(asdict(word))

    def finish(self) -> None:
        """To be called when the output is written: nothing is left to be resumed."""
        if self._stream is not None:
            self._stream.close()
        self.path.unlink(missing_ok=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is not None:
            self._stream.close()
            if not self.done:
                self.path.unlink(missing_ok=True)  # nothing to go on from

    def _read(self, lines: list[bytes]) -> None:
        remedy = f"remove {self.path}, or let --restart do it"
        try:
            settings, *words = lines
            self._check(json.loads(settings), remedy)
            for line in words:
                word = _LINE.validate_json(line)
                self.done[word.word] = word
        except (ValueError, ValidationError):
            raise MtprobeError(f"{self.path}: is not what an interrupted run left behind; {remedy}") from None

    def _check(self, settings: Any, remedy: str) -> None:
        if not isinstance(settings, dict):
            raise ValueError(settings)
        other = [name for name in self._settings if settings.get(name) != self._settings[name]]
        if other:
            raise MtprobeError(
                f"{self.path}: an interrupted run left this behind, and {_listed(other)} was another one then; {remedy}"
            )

    def _write(self, record: Mapping[str, Any]) -> None:
        if self._stream is None:
            raise RuntimeError("a part file is written inside of `with`")
        self._stream.write(json.dumps(record).encode() + b"\n")
        self._stream.flush()
        os.fsync(self._stream.fileno())


def _listed(names: list[str]) -> str:
    return " and ".join(f"the {name.replace('_', ' ')}" for name in names)
