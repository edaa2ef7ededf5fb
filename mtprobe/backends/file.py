"""`file:PATH`: existing translations, looked up by their source.

One file with `source ||| translation`, tab-separated or JSON Lines (`source`, `translation`), or two
parallel files, `file:SOURCES,TRANSLATIONS`. Files that end in .gz are decompressed.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from mtprobe.backends.protocols import LanguagePair, OpenRequest, languages_from
from mtprobe.backends.text import LONE_SURROGATE, is_encodable
from mtprobe.errors import Failure, ModelError, Place
from mtprobe.system.named import is_file


class FileBackend:
    """Looks up each source; one that is not in the file is a `Failure` that quotes it."""

    stays_here = "reading a file takes no time"

    def __init__(self, paths: Sequence[Path], languages: LanguagePair) -> None:
        self.languages = languages
        self.paths = paths  # word alignments are looked for beside them
        digest = hashlib.sha256()
        for path in paths:
            with path.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
        self.fingerprint = f"file:{digest.hexdigest()[:12]}:{languages}"
        self._table: dict[str, str] | None = None

    def translate(self, sources: Sequence[str]) -> list[str | Failure]:
        if self._table is None:
            self._table = _table(self.paths)
        return [self._look_up(source, self._table) for source in sources]

    def _look_up(self, source: str, table: dict[str, str]) -> str | Failure:
        if not is_encodable(source):
            return LONE_SURROGATE
        translation = table.get(_key(source))
        if translation is None:
            return Failure(f"{self.paths[0].name} has no translation of “{source}”")
        return translation


def open_file(rest: str, request: OpenRequest) -> FileBackend:
    paths = [Path(rest)] if is_file(Path(rest)) else [Path(part.strip()) for part in rest.split(",")]
    for path in paths:
        if not is_file(path):
            raise ModelError(f"file:{rest}: there is no file {path}")
    if len(paths) > 2:
        raise ModelError(f"file:{rest}: give one file, or one with sources and one with translations")
    return FileBackend(paths, languages_from(request, f"file:{rest}"))


def _table(paths: Sequence[Path]) -> dict[str, str]:
    table: dict[str, str] = {}
    first: dict[str, int] = {}
    for line, source, translation in pairs_of(paths):
        key = _key(source)
        if table.setdefault(key, translation) != translation:
            raise ModelError(
                f"{Place(paths[-1], line)}: a different translation of “{source}” than on line {first[key]}"
            )
        first.setdefault(key, line)
    return table


def _key(source: str) -> str:
    return " ".join(source.split())


def lines_of(path: Path) -> Iterator[str]:
    """A text file's lines, unpacked if it ends in .gz."""
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8-sig", newline="\n") as stream:
            for line in stream:
                yield line.rstrip("\r\n")
    except UnicodeDecodeError:
        raise ModelError(f"{path}: not UTF-8 text") from None
    except (gzip.BadGzipFile, zlib.error, EOFError):
        raise ModelError(f"{path}: not a whole gzip file") from None


def pairs_of(paths: Sequence[Path]) -> Iterator[tuple[int, str, str]]:
    """The line number, source and translation of each pair; blank lines are skipped."""
    if len(paths) == 2:
        yield from _parallel(*paths)
        return
    path = paths[0]
    name = path.name.removesuffix(".gz")
    for number, line in enumerate(lines_of(path), start=1):
        if not line.strip():
            continue
        if name.endswith((".jsonl", ".ndjson")):
            yield number, *_json_pair(line, Place(path, number))
            continue
        separator = " ||| " if "|||" in line else "\t"
        source, separated, translation = line.partition(separator if separator in line else "|||")
        if not separated:
            raise ModelError(f"{Place(path, number)}: neither “source ||| translation” nor tab-separated")
        yield number, source, translation.strip()


def _parallel(sources: Path, translations: Path) -> Iterator[tuple[int, str, str]]:
    source_lines, translation_lines = list(lines_of(sources)), list(lines_of(translations))
    if len(source_lines) != len(translation_lines):
        raise ModelError(
            f"{sources} has {len(source_lines)} lines, but {translations} has {len(translation_lines)}"
        )
    for number, pair in enumerate(zip(source_lines, translation_lines, strict=True), start=1):
        yield number, *pair


def _json_pair(line: str, place: Place) -> tuple[str, str]:
    try:
        record = json.loads(line)
        source, translation = record["source"], record.get("translation", record.get("target"))
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        source = translation = None
    if not isinstance(source, str) or not isinstance(translation, str):
        raise ModelError(f'{place}: not a line of the form {{"source": "…", "translation": "…"}}')
    return source, translation
