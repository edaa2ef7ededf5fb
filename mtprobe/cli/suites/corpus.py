"""Shared by `senses`, `genders` and `pronouns`: corpus arguments, counting and output."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mtprobe.authoring.corpus.count import Counted, Key, Searched, count
from mtprobe.authoring.corpus.frequency import ItemCounts
from mtprobe.authoring.corpus.parallel import Corpus
from mtprobe.authoring.corpus.redistribution import Redistribution
from mtprobe.cli.output import print_table, say, say_json, writing
from mtprobe.errors import MtprobeError
from mtprobe.report.charts.stacked import legend, stacked_bar
from mtprobe.report.html.study import CorpusPage, write_redistribution
from mtprobe.report.progress import progress_of_a_verb
from mtprobe.statistics.measure import Measure
from mtprobe.system.cores import cores

_ROWS = 20  # in the terminal
_BAR, _WIDE_BAR = 10, 40  # characters
_SMALL = 5_000_000  # bytes; counting them takes less time than starting processes

CORPUS_HELP = """\
A corpus is a source file and one or more target files that match it line by line, plain or gzipped: for example, references
and the translations of the same sources by a teacher and a student (NAME=FILE names a version). A single file is a
table: source and targets separated by tabs; --names names its target columns. Files are streamed and use all cores."""


def corpus_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of verbs that follow items from one version of a corpus to the next."""
    file_arguments(parser)
    parser.add_argument(
        "--sure", action="store_true", help="only call a class more frequent if its 95%% interval says so"
    )
    parser.add_argument(
        "--html", type=Path, metavar="PATH", help="write a page with a chart of the redistribution"
    )


def file_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of all verbs that read a corpus."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("corpus", nargs="+", metavar="FILE", help="SOURCE [NAME=]TARGET …, or one TABLE")
    parser.add_argument(
        "--names", metavar="NAMES", help="names of a table's target columns: reference,teacher,student"
    )
    parser.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="number of processes (default: one per core, one for a small corpus)",
    )
    parser.add_argument("--json", action="store_true", help="all counts as one JSON object")


def read_corpus(args: argparse.Namespace) -> Corpus:
    """The corpus that the arguments name; an error if a file is missing."""
    source, *targets = args.corpus
    named = [_named(target) for target in targets]
    if not targets:
        names = [name.strip() for name in (args.names or "target").split(",")]
        named = [(name, Path(source)) for name in names]
    elif args.names:
        raise MtprobeError("--names is for a table; name files with NAME=FILE")
    names = [name for name, _ in named]
    if not all(names) or len(set(names)) < len(names):
        raise MtprobeError(f"every version of a corpus needs its own name; got {', '.join(names)}")
    paths = (Path(source), *(path for _, path in named)) if targets else (Path(source),)
    for path in paths:
        if not path.is_file():
            raise MtprobeError(f"{path}: no such file")
    return Corpus(paths, tuple(names))


def _named(target: str) -> tuple[str, Path]:
    name, sign, path = target.partition("=")
    if not sign or Path(target).is_file():
        return Path(target).name, Path(target)
    return name.strip(), Path(path)


def counted(search: Searched[Key], args: argparse.Namespace) -> Counted[Key]:
    """Counts, with progress."""
    if args.jobs is not None and args.jobs < 1:
        raise MtprobeError("--jobs: must be at least 1")
    jobs = args.jobs or (cores() if search.corpus.size > _SMALL else 1)
    result = count(search, jobs, progress_of_a_verb())
    if not result.lines:
        raise MtprobeError(f"{search.corpus.paths[0]}: is empty")
    return result


def facts(search: Searched[Key], counts: Counted[Key], lemmatizer: str | None = None) -> dict[str, Any]:
    """The input of the counts, for files and pages."""
    return {
        "pairs": counts.lines,
        "source": search.corpus.paths[0].name,
        "versions": list(search.corpus.targets),
        **({"lemmatizer": lemmatizer} if lemmatizer else {}),
    }


def show(
    page: CorpusPage,
    moved: Redistribution,
    versions: Mapping[str, Sequence[ItemCounts]],
    made_from: Mapping[str, Any],
    args: argparse.Namespace,
    further: Mapping[str, Any] | None = None,
) -> None:
    """Writes a page if requested; then prints JSON, with further keys, or tables."""
    if args.html is not None:
        with writing(args.html):
            write_redistribution(args.html, page, moved)
    if args.json:
        document = {
            "made_from": made_from,
            "counts": {name: [asdict(item) for item in counts] for name, counts in versions.items()},
            "redistribution": asdict(moved),
            **(further or {}),
        }
        say_json(document, indent=1)
    else:
        _print_tables(page, moved)
    sys.stdout.flush()


def _print_tables(page: CorpusPage, moved: Redistribution) -> None:
    first, *others = page.columns
    rows = [
        [name, stacked_bar(bar, _BAR), *numbers]
        for (name, *numbers), bar in zip(page.rows[:_ROWS], page.bars, strict=False)
    ]
    print_table(f"{page.title} · {page.lines:,} pairs", [first, "", *others], rows)
    say(f"  {legend(page.parts)}")
    if len(page.rows) > _ROWS:
        say(f"  and {len(page.rows) - _ROWS:,} more; --json and --html have them")
    say()
    rows = []
    for at, version in enumerate(moved.versions):
        if at:
            rows.append(
                ["  change", *(_percent(moved.changes[at - 1][name], "+.1f") for name in moved.classes)]
            )
        rows.append([version, *(_percent(moved.shares[at][name], ".1f") for name in moved.classes)])
    what = page.what if moved.items != 1 else page.what.removesuffix("s")
    occurrences = "occurrence" if moved.n == 1 else "occurrences"
    title = f"{moved.n:,} {occurrences} of {moved.items:,} {what}: share (95% interval)"
    print_table(title, ["version", *moved.classes], rows)
    for version, shares in zip(moved.versions, moved.shares, strict=True):
        bar = stacked_bar([shares[name].value or 0.0 for name in moved.classes], _WIDE_BAR)
        say(f"  {bar:<{_WIDE_BAR}}  {version}")
    say(f"  {legend(moved.classes)}")


def _percent(measure: Measure, form: str) -> str:
    if measure.value is None:
        return "–"
    value, low, high = (format(100 * part, form) for part in (measure.value, measure.low, measure.high))
    return f"{value} % ({low} to {high})"
