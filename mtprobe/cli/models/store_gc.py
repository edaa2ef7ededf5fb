"""`mtprobe store gc`"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeVar

from mtprobe.cli.models.store import table
from mtprobe.store.sizes import as_size, bytes_of, days_of
from mtprobe.store.upkeep import Unwanted, open_strictly, remove, shrink

T = TypeVar("T")


def gc_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--older-than", type=_argument(days_of), metavar="AGE", help="rows that no run has used for this long, as in 90d or 8w"
    )  # fmt: skip
    parser.add_argument(
        "--model", action="append", default=[], metavar="FINGERPRINT", help="only this model (* matches anything)"
    )  # fmt: skip
    parser.add_argument(
        "--size", type=_argument(bytes_of), metavar="SIZE",
        help="the least recently used rows, until this much is left, as in 2GB",
    )  # fmt: skip
    parser.add_argument(
        "--dry-run", action="store_true", help="show what would be removed, and change nothing"
    )


def _argument(read: Callable[[str], T]) -> Callable[[str], T]:
    def checked(text: str) -> T:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return checked


def gc(args: argparse.Namespace) -> int:
    database = open_strictly(args.store, to_write=not args.dry_run)
    before = args.store.stat().st_size
    try:
        unwanted = Unwanted(args.model, args.older_than, args.size)
        removed = remove(database, unwanted, dry=args.dry_run)
        stuck = shrink(database) if removed and not args.dry_run else None
    finally:
        database.close()
    if removed:
        rows = [(f"{model.rows:,}", as_size(model.bytes), model.fingerprint) for model in removed]
        print(table([("rows", "size", "model"), *rows]))
    count, size = sum(model.rows for model in removed), sum(model.bytes for model in removed)
    print(f"{count:,} rows, {as_size(size)} {'would be removed' if args.dry_run else 'removed'}")
    if stuck:
        print(f"{args.store} keeps its size for now ({stuck}); free space in it is reused")
    elif removed and not args.dry_run:
        print(f"{args.store}: {as_size(before)} before, {as_size(args.store.stat().st_size)} now")
    return 0
