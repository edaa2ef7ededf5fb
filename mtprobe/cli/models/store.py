"""`mtprobe store stats|gc|export|import`: show, clean up, export or import stored translations and scores"""

from __future__ import annotations

import argparse
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TypeVar

from mtprobe.cli.output import say, say_json
from mtprobe.report.progress import progress_of_a_verb
from mtprobe.settings import DEFAULT_STORE
from mtprobe.store import keep_out_of_git
from mtprobe.store.aside import set_aside_beside
from mtprobe.store.database import Database
from mtprobe.store.errors import StoreError, is_damage, is_trouble
from mtprobe.store.exchange import SkippedLines, read_rows, write_rows
from mtprobe.store.place import as_size, bytes_of, days_of
from mtprobe.store.rows import Row
from mtprobe.store.salvage import is_store_file, rows_of_file
from mtprobe.store.upkeep import (
    Holding,
    Merged,
    Unwanted,
    all_rows,
    fingerprints,
    holdings,
    merge,
    open_strictly,
    remove,
    shrink,
)

T = TypeVar("T")


def arguments(parser: argparse.ArgumentParser) -> None:
    where = argparse.ArgumentParser(add_help=False)
    where.add_argument(
        "--store",
        type=Path,
        default=DEFAULT_STORE,
        metavar="PATH",
        help=f"the store (default: {DEFAULT_STORE})",
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    stats = actions.add_parser("stats", parents=[where], help="rows and sizes by model")
    stats.add_argument("--json", action="store_true", help="as one JSON object")
    stats.set_defaults(act=_stats)
    _gc_arguments(actions.add_parser("gc", parents=[where], help="delete rows by age, model or total size"))
    export = actions.add_parser(
        "export", parents=[where], help="export the rows as JSON Lines, for import into another store"
    )
    export.add_argument(
        "file", type=Path, metavar="FILE", help="compressed with gzip if the name ends in .gz"
    )
    export.add_argument(
        "--model", action="append", default=[], metavar="FINGERPRINT", help="only this model (* matches anything)"
    )  # fmt: skip
    export.add_argument("--force", action="store_true", help="replace an existing file")
    export.set_defaults(act=_export)
    bring = actions.add_parser(
        "import",
        parents=[where],
        help="import an export, another store, or the readable rows of a damaged store",
    )
    bring.add_argument(
        "files", type=Path, nargs="+", metavar="FILE", help="written by `mtprobe store export`"
    )
    bring.add_argument("--keep-going", action="store_true", help="import the intact rows of a damaged export")
    bring.set_defaults(act=_import)


def run(args: argparse.Namespace) -> int:
    try:
        args.act(args)
    except sqlite3.Error as error:
        if not is_trouble(error) and not is_damage(error):
            raise
        raise StoreError(f"{args.store}: {error}") from None
    return 0


def _stats(args: argparse.Namespace) -> None:
    with closing(open_strictly(args.store, to_write=False)) as database:
        models = holdings(database)
    (_as_json if args.json else _as_text)(args.store, models, set_aside_beside(args.store))


def _as_json(path: Path, models: list[Holding], aside: list[Path]) -> None:
    days = ("since", "oldest", "newest")
    rows = [{**asdict(model), **{day: _as_date(getattr(model, day)) for day in days}} for model in models]
    value = {
        "store": str(path),
        "file_bytes": _size(path),
        "models": rows,
        "set_aside": [str(each) for each in aside],
    }
    say_json(value, indent=2)


def _as_text(path: Path, models: list[Holding], aside: list[Path]) -> None:
    head = ("translations", "scores", "size", "since", "used from", "to", "model")
    rows = [
        (
            f"{model.translations:,}",
            f"{model.scores:,}",
            as_size(model.bytes),
            *(_as_date(day) for day in (model.since, model.oldest, model.newest)),
            model.fingerprint,
        )
        for model in models
    ]
    if rows:
        say(*_table([head, *rows]))
    count = sum(model.translations + model.scores for model in models)
    size = sum(model.bytes for model in models)
    say(f"{count:,} rows of {len(models)} models, {as_size(size)}; {path} takes {as_size(_size(path))}")
    for each in aside:
        say(f"set aside earlier: {each}")


def _size(path: Path) -> int:
    """With the log of a run that is in progress or was killed."""
    files = (path, Path(f"{path}-wal"))
    return sum(each.stat().st_size for each in files if each.exists())


def _as_date(day: int) -> str:
    return date.fromordinal(date(1970, 1, 1).toordinal() + day).isoformat()


def _gc_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--older-than", type=_argument(days_of), metavar="AGE", help="delete rows that no run has used for this long, as in 90d or 8w"
    )  # fmt: skip
    parser.add_argument(
        "--model", action="append", default=[], metavar="FINGERPRINT", help="only this model (* matches anything)"
    )  # fmt: skip
    parser.add_argument(
        "--size", type=_argument(bytes_of), metavar="SIZE",
        help="delete the least recently used rows until this size is reached, as in 2GB",
    )  # fmt: skip
    parser.add_argument(
        "--dry-run", action="store_true", help="show what would be deleted without deleting it"
    )
    parser.set_defaults(act=_gc)


def _argument(read: Callable[[str], T]) -> Callable[[str], T]:
    def checked(text: str) -> T:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return checked


def _gc(args: argparse.Namespace) -> None:
    with closing(open_strictly(args.store, to_write=not args.dry_run)) as database:
        before = args.store.stat().st_size
        unwanted = Unwanted(args.model, args.older_than, args.size)
        removed = remove(database, unwanted, dry=args.dry_run)
        stuck = shrink(database) if removed and not args.dry_run else None
    if removed:
        rows = [(f"{model.rows:,}", as_size(model.bytes), model.fingerprint) for model in removed]
        say(*_table([("rows", "size", "model"), *rows]))
    count, size = sum(model.rows for model in removed), sum(model.bytes for model in removed)
    say(f"{count:,} rows, {as_size(size)} {'would be removed' if args.dry_run else 'removed'}")
    if stuck:
        say(f"{args.store} keeps its size for now ({stuck}); free space in it is reused")
    elif removed and not args.dry_run:
        say(f"{args.store}: {as_size(before)} before, {as_size(args.store.stat().st_size)} now")


def _export(args: argparse.Namespace) -> None:
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
    say(f"{count:,} rows written to {args.file}{skipped}")


def _import(args: argparse.Namespace) -> None:
    keep_out_of_git(args.store.parent)
    if not args.store.exists():
        try:
            args.store.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"{args.store} cannot be created: {error}") from None
        Database(args.store).close()
    for file in args.files:
        if file.exists() and file.samefile(args.store):
            raise StoreError(f"{file} is the store itself")
    with closing(open_strictly(args.store, to_write=True)) as database:
        for file in args.files:
            merged, skipped = _take(file, database, keep_going=args.keep_going)
            say(f"{file}: {_counts(merged)}{skipped}")


def _take(file: Path, database: Database, *, keep_going: bool) -> tuple[Merged, str]:
    if is_store_file(file):
        if not file.exists() and not Path(f"{file}-wal").exists():
            raise StoreError(f"{file} does not exist")
        merged = merge(database, _shown("importing", rows_of_file(file, fingerprints(database))))
        if not merged.new + merged.known:
            raise StoreError(f"SQLite can read nothing from {file}; `sqlite3 {file} .recover` may")
        return merged, ""
    skipped = SkippedLines() if keep_going else None
    # All of it is checked before any of it is imported.
    total = 0 if keep_going else sum(1 for _ in read_rows(file))
    merged = merge(database, _shown("importing", read_rows(file, skipped), total))
    if skipped is not None and skipped.lines:
        return merged, f"; skipped {skipped.lines:,} lines, the first: {skipped.first}"
    return merged, ""


def _counts(merged: Merged) -> str:
    counts = f"{merged.new:,} new rows, {merged.known:,} already stored"
    if merged.differing:
        counts += f" ({merged.differing:,} of them with another value; the stored one stays)"
    return counts


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


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns of numbers, and a last one of text."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]) - 1)]
    return ["  ".join([*(cell.rjust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]) for row in rows]  # fmt: skip
