"""`mtprobe reproduce PAPER --data DIR`: print the tables of a paper with our figures next to the printed ones"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from mtprobe.cli.arguments import language_arguments, store_arguments
from mtprobe.cli.output import counted, even_if_closed, print_table, say, say_json, writing
from mtprobe.errors import MtprobeError, did_you_mean
from mtprobe.report.progress import progress_of_a_verb
from mtprobe.reproduce.laboratory import Laboratory
from mtprobe.reproduce.papers import PAPERS
from mtprobe.reproduce.table import Cell, Table
from mtprobe.store import keep_out_of_git

_EXAMPLES = """\
examples:
  mtprobe reproduce winomt --data data                      # results from the published outputs
  mtprobe reproduce mucow --data data --model hf:models/en-de --evaluator hf:models/large-en-de
  mtprobe reproduce distil-lingeval --data data --model a=hf:seed1 --model b=hf:seed2 --model c=hf:seed3
  mtprobe reproduce winomt --data data --suites suites/     # keep the published settings as suites

DIR contains the published files. A cell shows our figure and, in parentheses, the printed one: `=` if they agree within
the printed precision, `≠` if they differ although both come from the same files. With several models, a cell shows mean
and standard deviation. The exit code is 1 if a figure differs.

papers:
"""
_MOST_COLUMNS = 6  # a table with more is shown with a line per figure


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    listed = "\n".join(
        f"  {name:<16} {paper.about}\n  {'':<16} {paper.files}" for name, paper in PAPERS.items()
    )
    parser.epilog = _EXAMPLES + listed
    parser.add_argument("paper", metavar="PAPER", help=", ".join(PAPERS))
    parser.add_argument(
        "--data", type=Path, required=True, metavar="DIR", help="the folder of published files"
    )
    parser.add_argument(
        "--model",
        "--mt-model",
        action="append",
        default=[],
        metavar="SPEC",
        help="the model for cells that need one, as for --mt-model; several models give mean ± standard deviation",
    )
    parser.add_argument(
        "--evaluator",
        action="append",
        default=[],
        metavar="SPEC",
        help="the evaluator for contrastive conditioning; several score together (default: the model itself)",
    )
    language_arguments(parser)
    parser.add_argument("--salience", type=int, metavar="N", help="wino-x: trigger importance on N samples")
    parser.add_argument("--take", type=int, metavar="N", help="use only N samples per suite, to try it out")
    parser.add_argument(
        "--suites",
        type=Path,
        metavar="DIR",
        help="write the suites with the published settings to this folder",
    )
    parser.add_argument("--json", action="store_true", help="every figure, as JSON")
    store_arguments(
        parser, "where translations and scores are stored", "do not store or reuse translations and scores"
    )


def run(args: argparse.Namespace) -> int:
    if args.paper not in PAPERS:
        raise MtprobeError(f'there are no tables of "{args.paper}"{did_you_mean(args.paper, PAPERS)}')
    if not args.data.is_dir():
        raise MtprobeError(f"--data {args.data}: is not a folder")
    with ExitStack() as stack:
        lab = Laboratory(
            data=args.data.resolve(),
            folder=_folder(args.suites, stack),
            models=tuple(args.model),
            evaluators=tuple(args.evaluator),
            settings=_settings(args),
            progress=progress_of_a_verb(),
        )
        tables = []
        for table in PAPERS[args.paper].tables(lab):
            tables.append(table)
            if not args.json:
                with even_if_closed():
                    _show(table)
    with even_if_closed():
        if args.json:
            say_json([_as_json(table) for table in tables], indent=2)
        else:
            say(_summary([cell for table in tables for cell in table.cells]))
            if args.take is not None and args.model:
                say(
                    f"--take {args.take}: the models' figures are over {args.take:,} samples per suite, "
                    "not over all of them"
                )
    return 1 if any(table.differing for table in tables) else 0


def _folder(suites: Path | None, stack: ExitStack) -> Path:
    if suites is None:
        return Path(stack.enter_context(tempfile.TemporaryDirectory()))
    with writing(suites):
        suites.mkdir(parents=True, exist_ok=True)
    return suites.resolve()


def _settings(args: argparse.Namespace) -> dict[str, object]:
    """The settings of runs on the user's models."""
    store = args.store
    if store is not None:
        keep_out_of_git(store.parent)
    chosen = {
        "source": args.source,
        "target": args.target,
        "device": args.device,
        "salience": args.salience,
        "take": args.take,
        "store": store,
    }
    return {name: value for name, value in chosen.items() if value is not None}


def _show(table: Table) -> None:
    cells = table.differing if table.folded else table.cells
    if table.folded:
        same = sum(cell.agrees is True for cell in table.cells)
        say(f"{table.title}: {same:,} of {len(table.cells):,} figures are the same")
    columns = list(dict.fromkeys(cell.column for cell in cells))
    rows: dict[str, dict[str, Cell]] = {}
    for cell in cells:
        rows.setdefault(cell.row, {})[cell.column] = cell
    if len(columns) > _MOST_COLUMNS or 2 * len(cells) < len(columns) * len(rows):
        lines = [[f"{cell.row}: {cell.column}", _text(cell)] for cell in cells]
        print_table(table.title, ["", "ours (printed)"], lines)
    elif rows:
        grid = ([row, *(_text(of.get(column)) for column in columns)] for row, of in rows.items())
        print_table(table.title, ["", *columns], grid)
    for note in (*table.notes, *_needs(cells)):
        say(f"  {note}")
    say()


def _text(cell: Cell | None) -> str:
    if cell is None:
        return ""
    if cell.printed is None:
        return cell.text
    sign = {True: "= ", False: "≠ ", None: ""}[cell.agrees]
    return f"{cell.text} {sign}({cell.printed})"


def _needs(cells: Sequence[Cell]) -> Iterator[str]:
    """The requirements of cells without a figure of ours."""
    for needs in dict.fromkeys(cell.needs for cell in cells if cell.ours is None):
        count = sum(cell.ours is None and cell.needs == needs for cell in cells)
        yield f"–: {counted(count, 'cell')} {'needs' if count == 1 else 'need'} {needs}"


def _summary(cells: Sequence[Cell]) -> str:
    same = sum(cell.agrees is True for cell in cells)
    differing = sum(cell.agrees is False for cell in cells)
    ours = sum(cell.ours is not None and cell.agrees is None for cell in cells)
    empty = sum(cell.ours is None for cell in cells)
    return (
        f"{counted(same, 'figure')} as printed, {differing:,} not as printed; "
        f"{ours:,} of ours that need not be the same; {counted(empty, 'cell')} empty"
    )


def _as_json(table: Table) -> dict[str, object]:
    return {
        "title": table.title,
        "notes": list(table.notes),
        "cells": [{**asdict(cell), "agrees": cell.agrees} for cell in table.cells],
    }
