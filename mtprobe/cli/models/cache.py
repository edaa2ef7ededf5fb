"""`mtprobe cache [show|clear]`: show the converted models in the cache, or delete them"""

from __future__ import annotations

import argparse
from datetime import datetime

from mtprobe.cli.output import say


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", nargs="?", choices=("show", "clear"), default="show", help="show by default"
    )


def run(args: argparse.Namespace) -> int:
    from mtprobe.engine.converted.cache import VARIABLE, cache_folder, entries, forget

    folder = cache_folder()
    if folder is None:
        say(f"the cache of converted models is off ({VARIABLE}=off)")
        return 0
    listed = entries(folder)
    if args.action == "clear":
        for entry in listed:
            forget(entry.path)
        remaining = {entry.path for entry in entries(folder)}
        listed = [entry for entry in listed if entry.path not in remaining]
    for entry in listed:
        used = datetime.fromtimestamp(entry.used).isoformat(" ", "minutes")
        say(f"{_size(entry.size)}  {used}  {entry.made_from}")
    action = "removed from" if args.action == "clear" else "in"
    say(f"{_size(sum(entry.size for entry in listed))}  {len(listed)} converted models {action} {folder}")
    return 0


def _size(size: int) -> str:
    return f"{size / 1e6:10,.1f} MB"
