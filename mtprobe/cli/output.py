"""What verbs write: files, and tables on standard output with numbers formatted as in reports."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from mtprobe.errors import MtprobeError
from mtprobe.statistics.measure import Measure


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """A file that cannot be written is the user's problem, not a bug."""
    try:
        yield
    except OSError as error:
        raise MtprobeError(f"{path}: cannot be written: {error.strerror}") from None


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """The first column has names, the others numbers."""
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(
        title=escape(title),
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    for number, column in enumerate(columns):
        table.add_column(escape(column), justify="right" if number else "left", no_wrap=True)
    for row in rows:
        table.add_row(*map(escape, row))
    width = max(80, shutil.get_terminal_size((120, 24)).columns)
    Console(file=sys.stdout, width=width, highlight=False).print(table)


def cells(measure: Measure) -> list[str]:
    """Value, interval and n."""
    if measure.value is None:
        return ["–", measure.note or "–", f"{measure.n:,}"]
    return [f"{measure.value:.3f}", f"{measure.low:.3f} to {measure.high:.3f}", f"{measure.n:,}"]


def counted(count: int, what: str) -> str:
    """`1 label`, `2 labels`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"
