"""Reads the text of a suite within limits, checked before parsing."""

from __future__ import annotations

import re
from pathlib import Path

from mtprobe.errors import Place, SuiteError
from mtprobe.suite.parsing.encodings import byte_message, not_plain_text, wide_encoding, wide_message
from mtprobe.system import bounded_yaml

MAX_BYTES = 5_000_000
MAX_DATA_BYTES = 1_000_000_000  # of a data file, uncompressed
MAX_DATA_LINES = 1_000_000
MAX_JSON_CHARACTERS = 100_000_000  # of a data file that is one JSON document
MAX_LINE_BYTES = 10_000_000  # of a data file
MAX_STRUCTURE = bounded_yaml.Limits(depth=32, nodes=400_000, characters=20_000_000)

# Everything that YAML does not allow in a stream.
_NOT_TEXT = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read_text(path: Path) -> str:
    """The file's text, or an error at the place where it stops being text."""
    if path.exists() and not path.is_file():
        raise SuiteError.at(Place(path), "is not a file")
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise SuiteError.at(
            Place(path, 1),
            f"a file of {size / 1e6:.0f} MB is too large (at most {MAX_BYTES / 1e6:.0f} MB); "
            "put many samples into a JSON Lines file that the suite names with `data:`",
        )
    raw = path.read_bytes()
    if document := not_plain_text(raw):
        raise SuiteError.at(Place(path, 1, 1), document)
    if encoding := wide_encoding(raw):
        raise SuiteError.at(Place(path, 1, 1), wide_message(encoding))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode()
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise SuiteError.at(Place(path, line, column), byte_message(raw, error.start)) from None
    if match := _NOT_TEXT.search(text):
        line = text.count("\n", 0, match.start()) + 1
        column = match.start() - text.rfind("\n", 0, match.start())
        raise SuiteError.at(
            Place(path, line, column), f"character {match.group()!r} does not belong in a text file"
        )
    return text


def check_structure(text: str, path: Path) -> None:
    """Rejects what would cost too much to build, at its place."""
    try:
        bounded_yaml.check_structure(text, MAX_STRUCTURE)
    except bounded_yaml.YamlError as error:
        raise SuiteError.at(Place(path, error.line, error.column), error.reason) from None
