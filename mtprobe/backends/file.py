"""`file:PATH`: translations that were made before, looked up by their source.

One file with `source ||| translation`, tab-separated or JSON Lines (`source`, `translation`), or two
parallel files, `file:SOURCES,TRANSLATIONS`. A file that ends in .gz is read as it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from mtprobe.backends.protocols import LanguagePair, OpenRequest, languages_from
from mtprobe.backends.text import HALF_A_CHARACTER, is_whole
from mtprobe.errors import Failure, ModelError, MtprobeError, Place
from mtprobe.language.parallel_text import pairs_of
from mtprobe.system.named import is_file


class FileBackend:
    """Finds each source's translation in a table; one that is not there fails for that sample, by name."""

    stays_here = "it reads a file, which takes no time"

    def __init__(self, paths: Sequence[Path], languages: LanguagePair) -> None:
        self.languages = languages
        self.paths = paths  # what alignments that stand beside it are matched with
        digest = hashlib.sha256()
        for path in paths:
            with path.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
        self.fingerprint = f"file:{digest.hexdigest()[:12]}:{languages}"
        self._table: dict[str, str] | None = None

    def translate(self, sources: Sequence[str]) -> list[str | Failure]:
        if self._table is None:
            try:
                self._table = _table(self.paths)
            except MtprobeError as error:
                raise ModelError(error) from None
        return [self._one(source, self._table) for source in sources]

    def _one(self, source: str, table: dict[str, str]) -> str | Failure:
        if not is_whole(source):
            return HALF_A_CHARACTER
        found = table.get(_key(source))
        if found is None:
            return Failure(f"{self.paths[0].name} has no translation of “{source}”")
        return found


def open_file(rest: str, request: OpenRequest) -> FileBackend:
    paths = [Path(rest)] if is_file(Path(rest)) else [Path(part.strip()) for part in rest.split(",")]
    for path in paths:
        if not is_file(path):
            raise ModelError(f"file:{rest}: there is no file {path}")
    if len(paths) > 2:
        raise ModelError(f"file:{rest}: give one file, or sources and translations as two")
    return FileBackend(paths, languages_from(request, f"file:{rest}"))


def _table(paths: Sequence[Path]) -> dict[str, str]:
    table: dict[str, str] = {}
    first: dict[str, int] = {}
    for line, source, translation in pairs_of(paths):
        key = _key(source)
        if table.setdefault(key, translation) != translation:
            raise ModelError(
                f"{Place(paths[-1], line)}: a second, different translation of “{source}”; the first is in line {first[key]}"
            )
        first.setdefault(key, line)
    return table


def _key(source: str) -> str:
    return " ".join(source.split())
