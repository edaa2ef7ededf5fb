"""`mtprobe genders`: count male and female forms of occupations in a parallel corpus, and compare versions of it"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mtprobe.cli.suites.corpus import CORPUS_HELP, corpus_arguments

if TYPE_CHECKING:
    from mtprobe.authoring.corpus.frequency import ItemCounts
    from mtprobe.authoring.corpus.matching import Found

_EXAMPLES = f"""\
examples:
  mtprobe genders --occupations de train.en.gz train.de.gz
  mtprobe genders --occupations mine.yaml train.en reference=train.de teacher=distilled.de student=student.de \\
      --html genders.html -o occupations.yaml

A pair is male when the occupation stands in the source and one of its male forms in the target, female likewise; with no
known form, or with both, it is other. Forms are looked for as they stand, never by lemmas: lemmatizers fold feminine
forms into masculine ones. Occupations come with mtprobe for de and pt, or stand in a file:

  occupations:
    doctor:
      source: [doctor, doctors]
      male: [Arzt, Arztes, Ärzte, Ärzten]
      female: [Ärztin, Ärztinnen]

The file that -o writes is one that a suite's slot may name: each occupation with the attribute `typical`.

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
        "-o", "--output", type=Path, metavar="PATH", help="write the occupations as a slot file"
    )


def run(args: argparse.Namespace) -> int:
    from mtprobe.authoring.corpus.count import Search
    from mtprobe.authoring.corpus.frequency import item_counts
    from mtprobe.authoring.corpus.genders import FEMALE, MALE, read_genders
    from mtprobe.authoring.corpus.redistribution import OTHER, redistribution
    from mtprobe.authoring.corpus.write import write_occupations
    from mtprobe.cli.suites.corpus import Shown, counted, facts, read_corpus, show

    search = Search(corpus=read_corpus(args), inventory=read_genders(args.occupations))
    found = counted(search, args)
    names = search.corpus.targets
    versions = {name: item_counts(search.inventory, found.patterns, at) for at, name in enumerate(names)}
    first = versions[names[0]]
    made_from = facts(search, found)
    if args.output is not None:
        write_occupations(args.output, first, args.sure, made_from)
    show(
        Shown(
            title="Genders of occupations",
            what="occupations",
            explain="Other is none of the known forms, or male and female ones at once.",
            lines=found.lines,
            columns=("occupation", "occurrences", MALE, FEMALE, "other", "male of both", "95% interval"),
            rows=tuple(
                _row(one) for one in sorted(first, key=lambda one: -one.occurrences) if one.occurrences
            ),
            versions=versions,
            moved=redistribution(found.patterns, _class_of, (MALE, OTHER, FEMALE), names),
            made_from=made_from,
        ),
        args,
    )
    if args.output is not None:
        print(f"{args.output}: {sum(one.occurrences > 0 for one in first)} occupations", file=sys.stderr)
    return 0


def _class_of(_: int, found: Found) -> str:
    from mtprobe.authoring.corpus.genders import FEMALE, MALE
    from mtprobe.authoring.corpus.redistribution import OTHER

    return (MALE, FEMALE)[found[0]] if len(found) == 1 else OTHER


def _row(one: ItemCounts) -> tuple[str, ...]:
    from mtprobe.authoring.corpus.genders import FEMALE, MALE
    from mtprobe.statistics.intervals import wilson

    male, female = (one.classes[name] - one.unclear for name in (MALE, FEMALE))
    share = ("–", "–")
    if male + female:
        low, high = wilson(male, male + female)
        share = f"{male / (male + female):.2f}", f"{low:.2f}–{high:.2f}"
    return one.name, f"{one.occurrences:,}", f"{male:,}", f"{female:,}", f"{one.unclear + one.none:,}", *share
