"""Stores as text, for moving between machines: JSON Lines, gzipped if the name ends in `.gz`.

A header, one row per line, and an end with the number of rows. Every row carries its checksum.
"""

from __future__ import annotations

import gzip
import json
import math
import struct
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from mtprobe.errors import Place
from mtprobe.store.errors import StoreError
from mtprobe.store.rows import KINDS, SCORE, Row, from_logprobs, from_text, to_logprobs, to_text, today
from mtprobe.store.runtimes import UNRECORDED
from mtprobe.system.atomic import replacing
from mtprobe.system.text_files import Limits, TextFileError, raw_lines

_FORMAT = 1
_LONGEST_LINE = 64_000_000
_SECONDS_PER_DAY = 86_400


@dataclass
class SkippedLines:
    """The lines skipped with `--keep-going`."""

    lines: int = 0
    first: str = ""


def write_rows(path: Path, rows: Iterable[Row]) -> int:
    """Writes all rows, or no file at all; returns how many."""
    count = 0
    with ExitStack() as stack:
        unfinished = stack.enter_context(replacing(path))
        stream: IO[bytes] | gzip.GzipFile = stack.enter_context(unfinished.open("wb"))
        if path.suffix == ".gz":
            # Without name and date, so that the same rows give the same bytes.
            stream = stack.enter_context(gzip.GzipFile("", "wb", fileobj=stream, mtime=0))
        _write(stream, {"mtprobe": "store", "version": _FORMAT})
        for row in rows:
            _write(stream, _as_json(row))
            count += 1
        _write(stream, {"end": count})
    return count


def _write(stream: IO[bytes] | gzip.GzipFile, value: dict[str, Any]) -> None:
    stream.write(json.dumps(value, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n")


def _as_json(row: Row) -> dict[str, Any]:
    value: dict[str, Any] = {"model": row.fingerprint, "kind": KINDS[row.kind], "key": row.key.hex()}
    if row.kind == SCORE:
        # JSON cannot write all numbers: `fff0000000000000` is minus infinity.
        value["logprobs"] = [
            value if math.isfinite(value) else struct.pack(">d", value).hex()
            for value in to_logprobs(row.value)
        ]
    else:
        value["text"] = to_text(row.value)
    date = datetime.fromtimestamp(row.used * _SECONDS_PER_DAY, UTC).date().isoformat()
    runtime = {"runtime": row.runtime} if row.runtime else {}
    return {**value, "used": date, **runtime, "checksum": row.checksum}


def read_rows(path: Path, skipped: SkippedLines | None = None) -> Iterator[Row]:
    """The rows of an export. A bad line is an error with its place, unless there is a `skipped` to count it in."""
    line, count, ended = 0, 0, False
    for line, raw in _lines(path, skipped):
        if line == 1:
            _check_header(path, raw)
            continue
        try:
            value = _object(raw)
            if ended:
                raise ValueError("the file goes on after its end")
            if "end" in value:
                ended = True
                if value["end"] != count and skipped is None:
                    raise ValueError(f"{count:,} rows, but {value['end']} were written")
                continue
            row = _from_json(value)
        except (ValueError, TypeError, KeyError, OverflowError, AttributeError, struct.error) as error:
            reason = f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error)
            _complain(path, line, reason, skipped)
            continue
        count += 1
        yield row
    if not line:
        raise StoreError(f"{Place(path)}: is empty; not an export of a store")
    if not ended:
        _complain(path, line + 1, "the file is truncated", skipped)


def _complain(path: Path, line: int, reason: str, skipped: SkippedLines | None) -> None:
    text = f"{Place(path, line)}: {reason}"
    if skipped is None:
        raise StoreError(f"{text}; nothing was imported (--keep-going imports the intact rows)")
    skipped.lines += 1
    skipped.first = skipped.first or text


def _lines(path: Path, skipped: SkippedLines | None) -> Iterator[tuple[int, bytes]]:
    try:
        yield from raw_lines(path, Limits(line=_LONGEST_LINE))
    except TextFileError as error:
        if not error.place.line:
            raise StoreError(error) from None
        _complain(path, error.place.line, error.reason, skipped)


def _check_header(path: Path, raw: bytes) -> None:
    try:
        value = _object(raw)
    except ValueError:
        value = {}
    if value.get("mtprobe") != "store":
        raise StoreError(f"{Place(path, 1)}: not an export of a store (`mtprobe store export` writes one)")
    if value.get("version") != _FORMAT:
        raise StoreError(
            f"{Place(path, 1)}: format version {value.get('version')}; this mtprobe reads version {_FORMAT}"
        )


def _object(raw: bytes) -> dict[str, Any]:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        raise ValueError("not valid JSON; the line was truncated or changed") from None
    if not isinstance(value, dict):
        raise ValueError("not a row of a store")
    return value


def _from_json(value: dict[str, Any]) -> Row:
    if not isinstance(value["model"], str) or value["kind"] not in KINDS:
        raise ValueError("not a row of a store")
    kind = KINDS.index(value["kind"])
    if kind == SCORE:
        data = from_logprobs([_number(number) for number in value["logprobs"]])
    else:
        data = from_text(value["text"])
    used = int(datetime.fromisoformat(value["used"]).replace(tzinfo=UTC).timestamp()) // _SECONDS_PER_DAY
    runtime = value.get("runtime", UNRECORDED)
    if not isinstance(runtime, str):
        raise ValueError("not a row of a store")
    # A clock that was ahead must not keep a row forever.
    row = Row(value["model"], kind, bytes.fromhex(value["key"]), data, min(used, today()), runtime)
    if row.checksum != value["checksum"]:
        raise ValueError("the checksum is wrong; the line was changed")
    return row


def _number(value: object) -> float:
    if isinstance(value, str):
        return float(struct.unpack(">d", bytes.fromhex(value))[0])
    if not isinstance(value, int | float):
        raise ValueError("not a row of a store")
    return float(value)
