"""`mtprobe store stats`"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from mtprobe.cli.models.store import as_date, table
from mtprobe.store.aside import set_aside_beside
from mtprobe.store.sizes import as_size
from mtprobe.store.upkeep import Holding, holdings, open_strictly


def stats(args: argparse.Namespace) -> int:
    database = open_strictly(args.store, to_write=False)
    try:
        models = holdings(database)
    finally:
        database.close()
    aside = set_aside_beside(args.store)
    (_as_json if args.json else _as_text)(args.store, models, aside)
    return 0


def _as_json(path: Path, models: list[Holding], aside: list[Path]) -> None:
    rows = [
        {
            **asdict(model),
            "since": as_date(model.since),
            "oldest": as_date(model.oldest),
            "newest": as_date(model.newest),
        }
        for model in models
    ]
    value = {
        "store": str(path),
        "file_bytes": _size(path),
        "models": rows,
        "set_aside": [str(each) for each in aside],
    }
    print(json.dumps(value, indent=2))


def _as_text(path: Path, models: list[Holding], aside: list[Path]) -> None:
    head = ("translations", "scores", "size", "since", "used from", "to", "model")
    rows = [
        (
            f"{model.translations:,}",
            f"{model.scores:,}",
            as_size(model.bytes),
            *(as_date(day) for day in (model.since, model.oldest, model.newest)),
            model.fingerprint,
        )
        for model in models
    ]
    if rows:
        print(table([head, *rows]))
    count, size = (
        sum(model.translations + model.scores for model in models),
        sum(model.bytes for model in models),
    )
    print(f"{count:,} rows of {len(models)} models, {as_size(size)}; {path} takes {as_size(_size(path))}")
    for each in aside:
        print(f"set aside earlier: {each}")


def _size(path: Path) -> int:
    """With the log of a run that is in progress or was killed."""
    files = (path, Path(f"{path}-wal"))
    return sum(each.stat().st_size for each in files if each.exists())
