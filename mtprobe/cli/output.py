"""The output of verbs: files, text for people, JSON for programs, and tables with numbers formatted as in reports.

Verbs print through these functions alone, so that nothing foreign reaches a terminal or a log as it is.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from mtprobe.errors import MtprobeError
from mtprobe.printable import printable, printable_json, printable_lines
from mtprobe.report.rich_text import console_for, foreign, print_whole, table_of
from mtprobe.statistics.measure import Measure

_MOST_ROWS = 300  # that a table shows


def say(*lines: object) -> None:
    """Prints lines on standard output; an empty line if there are none."""
    _print("\n".join(map(printable, lines)), sys.stdout)


def warn(*lines: object) -> None:
    """Prints lines on standard error."""
    _print("\n".join(map(printable, lines)), sys.stderr)


def as_options(text: str) -> str:
    """A message with settings in backquotes, `data-root`, written as options of verbs."""
    return text.replace("`data-root`", "--data-root")


def say_json(value: Any, **settings: Any) -> None:
    """A value for programs; it reads back as it is."""
    _print(printable_json(value, **settings), sys.stdout)


def say_raw(text: str) -> None:
    """A line of data, which only a terminal gets in its printable form."""
    if sys.stdout.isatty():
        _print(printable_lines(text), sys.stdout)
    else:
        print(text)


def _print(text: str, stream: TextIO) -> None:
    """With escapes for what the stream's encoding lacks."""
    encoding = stream.encoding or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding), file=stream)


def drop_output() -> None:
    """Discards further output: the reader of the pipe has closed it, as in `mtprobe expand … | head`."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def even_if_closed() -> Iterator[None]:
    """For verbs whose exit code is a verdict: they go on and give it, whether or not anybody reads what they print."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        drop_output()


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """A file that cannot be written is the user's problem, not a bug."""
    try:
        yield
    except OSError as error:
        raise MtprobeError(f"{path}: cannot be written: {error.strerror}") from None


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """The first column has names, the others numbers."""
    table = table_of(columns)
    listed = list(rows)
    for row in listed[:_MOST_ROWS]:
        table.add_row(*map(foreign, row))
    console = console_for(sys.stdout, least=80)
    if title:  # not rich's, which wraps a title to the width of its table
        console.print(foreign(title, "bold"), soft_wrap=True)
    print_whole(console, table)
    if len(listed) > _MOST_ROWS:
        say(f"  and {len(listed) - _MOST_ROWS:,} more rows")


def cells(measure: Measure) -> list[str]:
    """Value, interval and n."""
    if measure.value is None:
        return ["–", measure.note or "–", f"{measure.n:,}"]
    interval = f"{measure.low:.3f} to {measure.high:.3f}" if measure.has_interval else "unknown"
    return [f"{measure.value:.3f}", interval, f"{measure.n:,}"]


def counted(count: int, what: str) -> str:
    """`1 label`, `2 labels`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"
