"""Untrusted text for rich: without markup, emoji codes and control characters."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO, cast

from mtprobe.printable import printable, without_commands

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text


_LONGEST = 1_000  # characters that are shown: rich lays out more only slowly
_WIDEST = 250  # columns of a table: hostile names are not shown in full


def foreign(text: object, style: str = "") -> Text:
    """The text as it is, on one line: `[bold]` and `:m:` mean nothing in it. Only the beginning of a very long one."""
    from rich.text import Text

    shown = str(text)
    return Text(printable(shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]} …"), style)


def console_for(stream: TextIO, least: int, **settings: Any) -> Console:
    """A console that takes strings as they are, at least so many columns wide."""
    from rich.console import Console

    class Piped(Console):
        """Reports a closed pipe like any other stream, instead of ending the program with 1."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    width = max(least, shutil.get_terminal_size((120, 24)).columns)
    guarded = cast("TextIO", _WithoutCommands(stream))
    return Piped(file=guarded, width=width, markup=False, emoji=False, highlight=False, **settings)


class _WithoutCommands:
    """A stream on which no line starts with a command, wherever rich wraps a text."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(without_commands(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def empty_table(title: str = "") -> Table:
    """A table without frames."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    if title:
        table.title, table.title_justify = foreign(title, "bold"), "left"
    return table


def print_whole(console: Console, table: Table) -> None:
    """On lines that are as long as the table needs, so that no number is cut off."""
    widest = console.options.update(max_width=_WIDEST)
    console.width = max(console.width, console.measure(table, options=widest).maximum)
    console.print(table)


def table_of(columns: Sequence[str], title: str = "") -> Table:
    """A table whose first column has names and the others numbers."""
    table = empty_table(title)
    for number, column in enumerate(columns):
        table.add_column(foreign(column), justify="right" if number else "left", no_wrap=True)
    return table
