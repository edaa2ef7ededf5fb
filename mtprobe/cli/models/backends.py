"""`mtprobe backends`: list the installed kinds of models"""

from __future__ import annotations

import argparse
import sys

from mtprobe.backends.registry import listed
from mtprobe.report.rich_text import console_for, foreign


def arguments(parser: argparse.ArgumentParser) -> None:
    """There are none."""


def run(args: argparse.Namespace) -> int:  # noqa: ARG001 - every verb has the same signature
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in ("kind", "what it is", "from"):
        table.add_column(column)
    for backend in listed():
        table.add_row(*map(foreign, (backend.kind, backend.about, backend.origin)))
    console_for(sys.stdout, least=80).print(table)
    return 0
