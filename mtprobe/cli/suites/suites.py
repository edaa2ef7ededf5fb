"""`mtprobe suites [copy] [NAME…] [FOLDER]`: list the suites shipped with mtprobe, or copy them for editing"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from mtprobe.cli.output import counted, say, say_json, writing
from mtprobe.errors import MissingData, MtprobeError
from mtprobe.report.rich_text import console_for, foreign
from mtprobe.suite.find import suite_files
from mtprobe.suite.parsing.tree import read_tree
from mtprobe.suite.shipped import ALL, copy_shipped, shipped_name, shipped_suite
from mtprobe.suites import load_suite

INTERMIXED = True  # `copy --force NAME… FOLDER`
_COLUMNS = ("name", "question", "languages", "samples", "methods")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="list only gender, or gender/occupations; `copy NAME… FOLDER` copies suites with all files that they name "
        "(gender to FOLDER/gender)",
    )
    parser.add_argument("--json", action="store_true", help="as one JSON list, with their paths")
    parser.add_argument("--force", action="store_true", help="copy: replace existing files")


def run(args: argparse.Namespace) -> int:
    if args.names[:1] == ["copy"]:
        if len(args.names) < 3:
            raise MtprobeError("write: mtprobe suites copy NAME… FOLDER")
        _copy(args.names[1:-1], Path(args.names[-1]), force=args.force)
    else:
        _list(args.names or [ALL], json=args.json)
    return 0


def _copy(names: Sequence[str], folder: Path, *, force: bool) -> None:
    sources = dict.fromkeys(names)
    for name in sources:
        shipped_suite(name)  # a mistake in the last name copies none of the others
    with writing(folder):
        for name in sources:
            copies = copy_shipped(name, folder, force=force)
            say(f"{name}: {counted(len(copies), 'file')} copied to {folder}")
    say(f"run them: pytest --mt-model=SPEC {folder}")


def _list(names: Sequence[str], *, json: bool) -> None:
    rows = list(_rows(names))
    if json:
        say_json(rows)
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in _COLUMNS:
        table.add_column(column, justify="right" if column == "samples" else "left", overflow="fold")
    for row in rows:
        table.add_row(*(foreign(row[column]) for column in _COLUMNS))
    console_for(sys.stdout, least=80).print(table)
    say("", "run one, or a folder of them: pytest --mt-model=SPEC --mt-suite=NAME")


def _rows(names: Sequence[str]) -> Iterator[dict[str, str]]:
    for path in suite_files([shipped_suite(name) for name in names]):
        row = {"name": shipped_name(path), "path": str(path)}
        try:
            suite = load_suite(path)
        except MissingData:
            yield row | _without_data(path)
            continue
        yield row | {
            "question": suite.about,
            "languages": str(suite.languages),
            "samples": f"{len(suite.samples):,}",
            "methods": ", ".join(suite.methods),
        }


def _without_data(path: Path) -> dict[str, str]:
    """A suite whose public test set is not here, as far as its own file describes it."""
    keys = read_tree(path).value
    targets = keys["languages"]["targets"]
    return {
        "question": keys["about"],
        "languages": f"{keys['languages']['source']}→{targets if isinstance(targets, str) else ', '.join(targets)}",
        "samples": "–",
        "methods": ", ".join(keys.get("methods") or [keys["method"]]),
    }
