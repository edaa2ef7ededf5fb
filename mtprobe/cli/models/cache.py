"""`mtprobe cache [show|clear]`: show the converted models in the cache, or delete them"""

from __future__ import annotations

import argparse
from datetime import datetime


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", nargs="?", choices=("show", "clear"), default="show", help="show by default"
    )


def run(args: argparse.Namespace) -> int:
    from mtprobe.engine.converted.place import VARIABLE, cache_folder, entries, forget

    folder = cache_folder()
    if folder is None:
        print(f"converted models are not kept ({VARIABLE}=off)")
        return 0
    found = entries(folder)
    if args.action == "clear":
        for entry in found:
            forget(entry.path)
        left = {entry.path for entry in entries(folder)}
        found = [entry for entry in found if entry.path not in left]
    for entry in found:
        used = datetime.fromtimestamp(entry.used).isoformat(" ", "minutes")
        print(f"{_size(entry.size)}  {used}  {entry.made_from}")
    done = "forgotten" if args.action == "clear" else "kept"
    print(f"{_size(sum(entry.size for entry in found))}  {len(found)} converted models {done} in {folder}")
    return 0


def _size(size: int) -> str:
    return f"{size / 1e6:10,.1f} MB"
