"""`mtprobe store stats`"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from mtprobe.cli.models.store import as_date, table

if TYPE_CHECKING:
    from mtprobe.store.upkeep import Holding


def stats(args: argparse.Namespace) -> int:
    from mtprobe.store.aside import set_aside_beside
    from mtprobe.store.upkeep import holdings, open_strictly

    database = open_strictly(args.store, to_write=False)
    try:
        found = holdings(database)
    finally:
        database.close()
    aside = set_aside_beside(args.store)
    (_as_json if args.json else _as_text)(args.store, found, aside)
    return 0


def _as_json(path: Path, found: list[Holding], aside: list[Path]) -> None:
    models = [
        {
            **asdict(one),
            "since": as_date(one.since),
            "oldest": as_date(one.oldest),
            "newest": as_date(one.newest),
        }
        for one in found
    ]
    value = {
        "store": str(path),
        "file_bytes": _size(path),
        "models": models,
        "set_aside": [str(each) for each in aside],
    }
    print(json.dumps(value, indent=2))


def _as_text(path: Path, found: list[Holding], aside: list[Path]) -> None:
    from mtprobe.store.sizes import as_size

    head = ("translations", "scores", "size", "since", "used from", "to", "model")
    rows = [
        (
            f"{one.translations:,}",
            f"{one.scores:,}",
            as_size(one.bytes),
            *(as_date(day) for day in (one.since, one.oldest, one.newest)),
            one.fingerprint,
        )
        for one in found
    ]
    if rows:
        print(table([head, *rows]))
    count, size = sum(one.translations + one.scores for one in found), sum(one.bytes for one in found)
    print(f"{count:,} rows of {len(found)} models, {as_size(size)}; {path} takes {as_size(_size(path))}")
    for each in aside:
        print(f"set aside earlier: {each}")


def _size(path: Path) -> int:
    """With the log, where a run is at work or was killed."""
    files = (path, Path(f"{path}-wal"))
    return sum(each.stat().st_size for each in files if each.exists())
