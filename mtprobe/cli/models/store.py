"""`mtprobe store stats|gc|export|import`: show, clean up, export or import stored translations and scores"""

from __future__ import annotations

import argparse
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path

from mtprobe.cli.models.store_gc import gc, gc_arguments
from mtprobe.cli.models.store_stats import stats
from mtprobe.report.progress import progress_of_a_verb
from mtprobe.settings import DEFAULT_STORE
from mtprobe.store import keep_out_of_git
from mtprobe.store.database import Database
from mtprobe.store.database import Database as Opened
from mtprobe.store.errors import StoreError, is_damage, is_trouble
from mtprobe.store.exchange import Skipped, read_rows, write_rows
from mtprobe.store.merge import Merged, merge
from mtprobe.store.rows import Row
from mtprobe.store.salvage import is_store_file, rows_of_file
from mtprobe.store.upkeep import all_rows, fingerprints, holdings, open_strictly


def arguments(parser: argparse.ArgumentParser) -> None:
    where = argparse.ArgumentParser(add_help=False)
    where.add_argument(
        "--store", type=Path, default=DEFAULT_STORE, metavar="PATH", help=f"the store (default: {DEFAULT_STORE})"
    )  # fmt: skip
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    stats = actions.add_parser("stats", parents=[where], help="rows and sizes by model")
    stats.add_argument("--json", action="store_true", help="as one JSON object")
    gc_arguments(actions.add_parser("gc", parents=[where], help="remove rows by age, model or total size"))
    export = actions.add_parser(
        "export", parents=[where], help="write the rows as JSON Lines, to be imported elsewhere"
    )
    export.add_argument("file", type=Path, metavar="FILE", help="packed with gzip if it ends in .gz")
    export.add_argument(
        "--model", action="append", default=[], metavar="FINGERPRINT", help="only this model (* matches anything)"
    )  # fmt: skip
    export.add_argument("--force", action="store_true", help="replace an existing file")
    bring = actions.add_parser(
        "import",
        parents=[where],
        help="import an export, another store, or the readable rows of a damaged one",
    )
    bring.add_argument("files", type=Path, nargs="+", metavar="FILE")
    bring.add_argument("--keep-going", action="store_true", help="import the intact rows of a damaged export")


def run(args: argparse.Namespace) -> int:
    actions: dict[str, Callable[[argparse.Namespace], int]] = {
        "stats": stats,
        "gc": gc,
        "export": _export,
        "import": _import,
    }
    try:
        return actions[args.action](args)
    except sqlite3.Error as error:
        if not is_trouble(error) and not is_damage(error):
            raise
        raise StoreError(f"{args.store}: {error}") from None


def as_date(day: int) -> str:
    return date.fromordinal(date(1970, 1, 1).toordinal() + day).isoformat()


def _export(args: argparse.Namespace) -> int:
    if args.file.exists() and not args.force:
        raise StoreError(f"{args.file} exists; --force replaces it")
    database = open_strictly(args.store, to_write=False)
    try:
        total = sum(model.translations + model.scores for model in holdings(database))
        count = write_rows(args.file, _shown("exporting", all_rows(database, args.model), total))
    except OSError as error:
        raise StoreError(f"{args.file} could not be written: {error}") from None
    finally:
        database.close()
    skipped = f"; skipped {database.damaged_rows:,} damaged ones" if database.damaged_rows else ""
    print(f"{count:,} rows written to {args.file}{skipped}")
    return 0


def _import(args: argparse.Namespace) -> int:
    keep_out_of_git(args.store.parent)
    if not args.store.exists():
        try:
            args.store.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"{args.store} cannot be created: {error}") from None
        Opened(args.store).close()
    for file in args.files:
        if file.exists() and file.samefile(args.store):
            raise StoreError(f"{file} is the store itself")
    database = open_strictly(args.store, to_write=True)
    try:
        for file in args.files:
            merged, skipped = _take(file, database, keep_going=args.keep_going)
            print(f"{file}: {_counts(merged)}{skipped}")
    finally:
        database.close()
    return 0


def _take(file: Path, database: Database, *, keep_going: bool) -> tuple[Merged, str]:
    if is_store_file(file):
        if not file.exists() and not Path(f"{file}-wal").exists():
            raise StoreError(f"{file} does not exist")
        merged = merge(database, _shown("importing", rows_of_file(file, fingerprints(database))))
        if not merged.new + merged.known:
            raise StoreError(f"SQLite can read nothing from {file}; `sqlite3 {file} .recover` may")
        return merged, ""
    skipped = Skipped() if keep_going else None
    total = (
        0 if keep_going else sum(1 for _ in read_rows(file))
    )  # all of it is checked before any of it is imported
    merged = merge(database, _shown("importing", read_rows(file, skipped), total))
    if skipped is not None and skipped.lines:
        return merged, f"; skipped {skipped.lines:,} lines, the first: {skipped.first}"
    return merged, ""


def _counts(merged: Merged) -> str:
    differing = (
        f" ({merged.differing:,} of them with another value; the stored one stays)"
        if merged.differing
        else ""
    )
    return f"{merged.new:,} new rows, {merged.known:,} already stored{differing}"


def _shown(stage: str, rows: Iterable[Row], total: int = 0) -> Iterator[Row]:
    """The same rows, with progress on standard error."""
    progress = progress_of_a_verb()
    progress.start(stage, total)
    try:
        for number, row in enumerate(rows, start=1):
            yield row
            if number % 1000 == 0:
                progress.advance(1000)
    finally:
        progress.done()


def table(rows: Sequence[Sequence[str]]) -> str:
    """Columns of numbers, and a last one of text."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]) - 1)]
    lines = ("  ".join([*(cell.rjust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]) for row in rows)  # fmt: skip
    return "\n".join(lines)
