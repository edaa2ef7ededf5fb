"""`mtprobe backends`: the kinds of models that can be named."""

from __future__ import annotations

import argparse

from mtprobe.backends.registry import listed


def arguments(parser: argparse.ArgumentParser) -> None:
    """It has none."""


def run(args: argparse.Namespace) -> int:  # noqa: ARG001 - every verb has the same signature
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in ("kind", "what it is", "from"):
        table.add_column(column)
    for one in listed():
        table.add_row(one.kind, one.about, one.origin)
    Console().print(table)
    return 0
