"""What `senses` and `genders` share: a corpus from the command line, counting, and what is shown of it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mtprobe.errors import MtprobeError

if TYPE_CHECKING:
    from mtprobe.authoring.corpus.count import Counted, Search
    from mtprobe.authoring.corpus.frequency import ItemCounts
    from mtprobe.authoring.corpus.parallel import Corpus
    from mtprobe.authoring.corpus.redistribution import Redistribution
    from mtprobe.statistics.measure import Measure

_ROWS = 20  # in the terminal
_SMALL = 5_000_000  # bytes that are counted before other processes have started

CORPUS_HELP = """\
A corpus is a source file and one or more target files that match it line by line, plain or gzipped: the references, and
what a teacher and a student made of the same sources, for example (NAME=FILE gives a version its name). A single file is
a table: source and targets separated by tabs; --names names its target columns. It is read as a stream, on all cores."""


def corpus_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("corpus", nargs="+", metavar="FILE", help="SOURCE [NAME=]TARGET …, or one TABLE")
    parser.add_argument(
        "--names", metavar="NAMES", help="of a table's target columns: reference,teacher,student"
    )
    parser.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="processes that count (default: one a core, and one for a small corpus)",
    )
    parser.add_argument(
        "--sure", action="store_true", help="only call a class more frequent where its 95%% interval says so"
    )
    parser.add_argument(
        "--html", type=Path, metavar="PATH", help="write a page that draws the redistribution"
    )
    parser.add_argument("--json", action="store_true", help="for machines: all counts as one JSON object")


def read_corpus(args: argparse.Namespace) -> Corpus:
    """The corpus that the arguments name; its files are there."""
    from mtprobe.authoring.corpus.parallel import Corpus

    source, *targets = args.corpus
    named = [_named(target) for target in targets]
    if not targets:
        names = [name.strip() for name in (args.names or "target").split(",")]
        named = [(name, Path(source)) for name in names]
    elif args.names:
        raise MtprobeError("--names is for a table; files are named NAME=FILE")
    names = [name for name, _ in named]
    if not all(names) or len(set(names)) < len(names):
        raise MtprobeError(f"every version of a corpus needs a name of its own; these are {', '.join(names)}")
    paths = (Path(source), *(path for _, path in named)) if targets else (Path(source),)
    for path in paths:
        if not path.is_file():
            raise MtprobeError(f"{path}: there is no such file")
    return Corpus(paths, tuple(names))


def _named(target: str) -> tuple[str, Path]:
    name, sign, path = target.partition("=")
    if not sign or Path(target).is_file():
        return Path(target).name, Path(target)
    return name.strip(), Path(path)


def counted(search: Search, args: argparse.Namespace) -> Counted:
    """Counts, with progress; an interruption leaves nothing half done."""
    from mtprobe.authoring.corpus.count import count
    from mtprobe.report.progress import progress_of_a_verb
    from mtprobe.system.cores import cores

    if args.jobs is not None and args.jobs < 1:
        raise MtprobeError("--jobs: at least 1")
    jobs = args.jobs or (cores() if search.corpus.size > _SMALL else 1)
    found = count(search, jobs, progress_of_a_verb())
    if not found.lines:
        raise MtprobeError(f"{search.corpus.paths[0]}: is empty")
    return found


@dataclass(frozen=True, slots=True)
class Shown:
    """What a study of a corpus has to say, whichever way it is said."""

    title: str
    what: str  # "words" or "occupations"
    explain: str
    lines: int
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]  # an item each, the most frequent first
    versions: Mapping[str, Sequence[ItemCounts]]
    moved: Redistribution
    made_from: Mapping[str, Any]


def facts(search: Search, found: Counted, lemmatizer: str | None = None) -> dict[str, Any]:
    """What the numbers were made from, for files and pages."""
    return {
        "pairs": found.lines,
        "source": search.corpus.paths[0].name,
        "versions": list(search.corpus.targets),
        **({"lemmatizer": lemmatizer} if lemmatizer else {}),
    }


def show(shown: Shown, args: argparse.Namespace) -> None:
    """A page if one is wanted; then JSON, or tables."""
    if args.html is not None:
        _write_page(shown, args.html)
    if args.json:
        document = {
            "made_from": shown.made_from,
            "counts": {name: [asdict(one) for one in counts] for name, counts in shown.versions.items()},
            "redistribution": asdict(shown.moved),
        }
        print(json.dumps(document, ensure_ascii=False, indent=1))
    else:
        _print_tables(shown)
    sys.stdout.flush()


def _write_page(shown: Shown, path: Path) -> None:
    from mtprobe.report.html.study import CorpusPage, write_redistribution

    made_from = ", ".join(f"{name}: {value}" for name, value in shown.made_from.items())
    page = CorpusPage(
        shown.title, shown.what, shown.explain, shown.lines, shown.columns, shown.rows, made_from
    )
    try:
        write_redistribution(path, page, shown.moved)
    except OSError as error:
        raise MtprobeError(f"{path}: cannot be written: {error.strerror}") from None


def _print_tables(shown: Shown) -> None:
    from mtprobe.cli.tables import print_table

    print_table(f"{shown.title} · {shown.lines:,} pairs", shown.columns, shown.rows[:_ROWS])
    if len(shown.rows) > _ROWS:
        print(f"  and {len(shown.rows) - _ROWS:,} more; --json and --html have them\n")
    moved = shown.moved
    rows = []
    for at, version in enumerate(moved.versions):
        if at:
            rows.append(
                ["  change", *(_percent(moved.changes[at - 1][name], "+.1f") for name in moved.classes)]
            )
        rows.append([version, *(_percent(moved.shares[at][name], ".1f") for name in moved.classes)])
    title = f"{moved.n:,} occurrences of {moved.items:,} {shown.what}: share (95% interval)"
    print_table(title, ["version", *moved.classes], rows)


def _percent(measure: Measure, form: str) -> str:
    if measure.value is None:
        return "–"
    value, low, high = (format(100 * part, form) for part in (measure.value, measure.low, measure.high))
    return f"{value} % ({low} to {high})"
