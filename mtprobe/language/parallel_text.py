"""Sentence pairs from files: sources with their translations, in one file or in two parallel ones."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from mtprobe.errors import MtprobeError, Place
from mtprobe.system.text_files import TextFileError, text_lines


def pairs_of(paths: Sequence[Path]) -> Iterator[tuple[int, str, str]]:
    """Line, source and translation of each pair. Blank lines of a single file are skipped."""
    if len(paths) == 2:
        yield from _parallel(*paths)
        return
    path = paths[0]
    is_json = path.name.removesuffix(".gz").endswith((".jsonl", ".ndjson"))
    for number, line in text_lines(path):
        if line.strip():
            yield number, *(_json_pair if is_json else _separated_pair)(line, Place(path, number))


def _parallel(sources: Path, translations: Path) -> Iterator[tuple[int, str, str]]:
    source_lines, translation_lines = list(text_lines(sources)), list(text_lines(translations))
    if len(source_lines) != len(translation_lines):
        raise MtprobeError(
            f"{sources} has {len(source_lines)} lines, {translations} has {len(translation_lines)}"
        )
    for (number, source), (_, translation) in zip(source_lines, translation_lines, strict=True):
        yield number, source, translation


def _separated_pair(line: str, place: Place) -> tuple[str, str]:
    separator = " ||| " if "|||" in line else "\t"
    source, separated, translation = line.partition(separator if separator in line else "|||")
    if not separated:
        raise TextFileError(place, "neither “source ||| translation” nor tab-separated")
    return source, translation.strip()


def _json_pair(line: str, place: Place) -> tuple[str, str]:
    try:
        record = json.loads(line)
        source, translation = record["source"], record.get("translation", record.get("target"))
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        source = translation = None
    if not isinstance(source, str) or not isinstance(translation, str):
        raise TextFileError(place, 'not a line of the form {"source": "…", "translation": "…"}')
    return source, translation
