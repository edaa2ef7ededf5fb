"""`file:PATH`: existing translations, looked up by their source.

One file with `source ||| translation`, tab-separated or JSON Lines (`source`, `translation`), or two
parallel files, `file:SOURCES,TRANSLATIONS`. Files that end in .gz are decompressed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from mtprobe.backends.protocols import LONE_SURROGATE, LanguagePair, OpenRequest, is_encodable, languages_from
from mtprobe.errors import Failure, ModelError, MtprobeError, Place
from mtprobe.language.parallel_text import pairs_of
from mtprobe.system.named import is_file


class FileBackend:
    """Looks up each source; one that is not in the file is a `Failure` that quotes it."""

    stays_here = "reading a file takes no time"
    deterministic = True
    ignores_target = True

    def __init__(self, paths: Sequence[Path], languages: LanguagePair) -> None:
        self.languages = languages
        self.paths = paths  # word alignments are looked for beside them
        digest = hashlib.sha256()
        for path in paths:
            with path.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
        self.fingerprint = f"file:{digest.hexdigest()[:12]}:{languages}"

    def translate(self, sources: Sequence[str]) -> list[str | Failure]:
        return [self._look_up(source) for source in sources]

    def _look_up(self, source: str) -> str | Failure:
        if not is_encodable(source):
            return LONE_SURROGATE
        missing = Failure(f"{self.paths[0].name} has no translation of “{source}”")
        return self._table.get(_key(source), missing)

    @cached_property
    def _table(self) -> dict[str, str]:
        table: dict[str, str] = {}
        first: dict[str, int] = {}
        try:
            for line, source, translation in pairs_of(self.paths):
                key = _key(source)
                if table.setdefault(key, translation) != translation:
                    place = Place(self.paths[-1], line)
                    raise ModelError(
                        f"{place}: a different translation of “{source}” than on line {first[key]}"
                    )
                first.setdefault(key, line)
        except MtprobeError as error:
            raise ModelError(error) from None
        return table


def open_file(rest: str, request: OpenRequest) -> FileBackend:
    paths = [Path(rest)] if is_file(Path(rest)) else [Path(part.strip()) for part in rest.split(",")]
    for path in paths:
        if not is_file(path):
            raise ModelError(f"file:{rest}: there is no file {path}")
    if len(paths) > 2:
        raise ModelError(f"file:{rest}: give one file, or one with sources and one with translations")
    return FileBackend(paths, languages_from(request, f"file:{rest}"))


def _key(source: str) -> str:
    return " ".join(source.split())
