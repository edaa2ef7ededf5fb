"""`mtprobe genders`: count male and female forms of occupations in a parallel corpus, and compare versions of it"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from mtprobe.authoring.corpus.count import Search
from mtprobe.authoring.corpus.frequency import ItemCounts, item_counts, write_occupations
from mtprobe.authoring.corpus.inventories import FEMALE, MALE, read_genders
from mtprobe.authoring.corpus.matching import Classes
from mtprobe.authoring.corpus.redistribution import OTHER, redistribution
from mtprobe.cli.output import say, warn, writing
from mtprobe.cli.suites.corpus import CORPUS_HELP, corpus_arguments, counted, facts, read_corpus, show
from mtprobe.report.html.study import CorpusPage
from mtprobe.statistics.correlation import pearson
from mtprobe.statistics.intervals import exact
from mtprobe.statistics.measure import Measure
from mtprobe.studies.observations import read_column

_EXAMPLES = f"""\
examples:
  mtprobe genders --occupations de train.en.gz train.de.gz
  mtprobe genders --occupations mine.yaml train.en reference=train.de teacher=distilled.de student=student.de \\
      --html genders.html -o occupations.yaml

A pair counts as male if the source contains the occupation and the target contains one of its male forms, and as female
likewise. With no known form, or with both, it counts as other. Forms are matched literally, never by lemma, because
lemmatizers map feminine forms to masculine ones. mtprobe includes occupations for de and pt; others come from a file:

  occupations:
    doctor:
      source: [doctor, doctors]
      male: [Arzt, Arztes, Ärzte, Ärzten]
      female: [Ärztin, Ärztinnen]

The output of -o can be used as a slot file of a suite: it has each occupation with the attribute `typical`.

{CORPUS_HELP}"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EXAMPLES
    corpus_arguments(parser)
    parser.add_argument(
        "--occupations",
        required=True,
        metavar="FILE|TAG",
        help="a file of occupations, or a language: de, pt",
    )
    parser.add_argument(
        "--statistics",
        type=Path,
        metavar="TABLE",
        help="correlate the female shares with those of a table (CSV or TSV) with the columns `name`, the occupation, and `female`: "
        "labour statistics, for example",
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="PATH", help="write the occupations as a slot file"
    )


def run(args: argparse.Namespace) -> int:
    search = Search(corpus=read_corpus(args), inventory=read_genders(args.occupations))
    counts = counted(search, args)
    names = search.corpus.targets
    versions = {name: item_counts(search.inventory, counts.patterns, at) for at, name in enumerate(names)}
    first = versions[names[0]]
    correlated: dict[str, Measure] = {}
    if args.statistics is not None:
        given = read_column(args.statistics, FEMALE)
        correlated = {name: _correlated(items, given) for name, items in versions.items()}
    made_from = facts(search, counts)
    ranked = sorted((item for item in first if item.occurrences), key=lambda item: -item.occurrences)
    if args.output is not None:
        with writing(args.output):
            write_occupations(args.output, first, args.sure, made_from)
    show(
        CorpusPage(
            title="Genders of occupations",
            what="occupations",
            explain="Other: none of the known forms, or both male and female ones.",
            lines=counts.lines,
            columns=("occupation", "n", MALE, FEMALE, "other", "male share of known", "95% interval"),
            rows=tuple(map(_row, ranked)),
            bars=tuple(map(_bar, ranked)),
            parts=(MALE, OTHER, FEMALE),
            made_from=", ".join(f"{name}: {value}" for name, value in made_from.items()),
        ),
        redistribution(counts.patterns, _class_of, (MALE, OTHER, FEMALE), names),
        versions,
        made_from,
        args,
        {"statistics": {name: asdict(r) for name, r in correlated.items()}} if correlated else None,
    )
    if not args.json:
        say(*(_in_words(name, r, args.statistics) for name, r in correlated.items()))
    if args.output is not None:
        warn(f"{args.output}: {sum(item.occurrences > 0 for item in first)} occupations")
    return 0


def _class_of(_: int, classes: Classes) -> str:
    return (MALE, FEMALE)[classes[0]] if len(classes) == 1 else OTHER


def _correlated(counts: Sequence[ItemCounts], given: Mapping[str, float]) -> Measure:
    """Pearson's r between the female shares of one version and given ones, over the occupations of both."""
    pairs = []
    for item in counts:
        male, female = (item.classes[gender] - item.unclear for gender in (MALE, FEMALE))
        if male + female and item.name.casefold() in given:
            pairs.append((female / (male + female), given[item.name.casefold()]))
    return pearson([share for share, _ in pairs], [number for _, number in pairs])


def _in_words(name: str, r: Measure, table: Path) -> str:
    occupations = "1 occupation" if r.n == 1 else f"{r.n:,} occupations"
    if r.value is None:
        return f"{name}: no correlation with {table.name} ({occupations} in both): {r.note}"
    interval = f"95% interval {r.low:.2f} to {r.high:.2f}"
    return f"{name}: Pearson's r = {r.value:.2f} with {table.name} ({interval}, {occupations} in both)"


def _bar(item: ItemCounts) -> tuple[int, int, int]:
    male, female = (item.classes[name] - item.unclear for name in (MALE, FEMALE))
    return male, item.unclear + item.none, female


def _row(item: ItemCounts) -> tuple[str, ...]:
    male, other, female = _bar(item)
    share = ("–", "–")
    if male + female:
        low, high = exact(male, male + female)
        share = f"{male / (male + female):.2f}", f"{low:.2f}–{high:.2f}"
    return item.name, f"{item.occurrences:,}", f"{male:,}", f"{female:,}", f"{other:,}", *share
