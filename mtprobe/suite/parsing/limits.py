"""Reads a suite's text, within limits that are checked before it is parsed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from mtprobe.errors import Place, SuiteError

MAX_BYTES = 5_000_000
MAX_DATA_BYTES = 1_000_000_000  # of a data file, uncompressed
MAX_LINE_BYTES = 10_000_000  # of a data file
MAX_DEPTH = 32
MAX_NODES = 400_000  # with every alias expanded
MAX_CHARACTERS = 20_000_000  # the same; an aliased value is copied when it is read

# Everything that YAML does not allow in a stream.
_NOT_TEXT = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# libyaml if available: the same events, many times faster.
BaseLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


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
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise SuiteError.at(Place(path, line), "not UTF-8 text") from None
    if match := _NOT_TEXT.search(text):
        line = text.count("\n", 0, match.start()) + 1
        column = match.start() - text.rfind("\n", 0, match.start())
        raise SuiteError.at(
            Place(path, line, column), f"character {match.group()!r} does not belong in a text file"
        )
    return text


def check_structure(text: str, path: Path) -> None:
    """Rejects what would cost too much to build: deep nesting, and aliases that multiply.

    Only counts the parser's events, so that a YAML bomb is never expanded.
    """
    sizes: dict[str, tuple[int, int]] = {}  # nodes and characters of an anchor's value
    open_nodes: list[tuple[str | None, int, int]] = []  # anchor, nodes and characters counted before it
    total = characters = 0

    def rejected(message: str) -> SuiteError:
        mark = event.start_mark
        return SuiteError.at(Place(path, mark.line + 1, mark.column + 1), message)

    for event in yaml.parse(text, Loader=BaseLoader):
        if isinstance(event, yaml.AliasEvent):
            if any(anchor == event.anchor for anchor, _, _ in open_nodes):
                raise rejected(f"alias *{event.anchor} is inside its own anchor")
            nodes, letters = sizes.get(event.anchor or "", (1, 0))
            total, characters = total + nodes, characters + letters
        elif isinstance(event, yaml.NodeEvent):
            total += 1
            if isinstance(event, yaml.CollectionStartEvent):
                open_nodes.append((event.anchor, total - 1, characters))
            elif isinstance(event, yaml.ScalarEvent):
                characters += len(event.value)
                if event.anchor:
                    sizes[event.anchor] = 1, len(event.value)
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, nodes, letters = open_nodes.pop()
            if anchor:
                sizes[anchor] = total - nodes, characters - letters
        if len(open_nodes) > MAX_DEPTH:
            raise rejected(f"nested more than {MAX_DEPTH} levels deep")
        if total > MAX_NODES:
            raise rejected(f"more than {MAX_NODES:,} values once aliases are expanded")
        if characters > MAX_CHARACTERS:
            raise rejected(f"more than {MAX_CHARACTERS:,} characters once aliases are expanded")
