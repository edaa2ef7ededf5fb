"""`mtprobe pronouns`: count pronouns by gender in a corpus, and the translations of *it*"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from mtprobe.authoring.corpus.parallel import Corpus
from mtprobe.authoring.corpus.pronouns import (
    OTHER,
    UNCLEAR,
    PronounSearch,
    PronounsFile,
    read_pronouns,
    table,
)
from mtprobe.cli.output import print_table, say, say_json
from mtprobe.cli.suites.corpus import CORPUS_HELP, counted, facts, file_arguments, read_corpus
from mtprobe.errors import MtprobeError
from mtprobe.language.tagging import TAGGERS
from mtprobe.statistics.intervals import exact

_EXAMPLES = f"""\
examples:
  mtprobe pronouns --pronouns fr train.en.gz train.fr.gz
  mtprobe pronouns --pronouns de test.en reference=test.de before=before.de after=after.de
  mtprobe pronouns --pronouns fr train.en train.fr --links train.en-fr.links

Counts, as in Wino-X (Emelin and Sennrich, 2021), how often each version has a masculine, feminine or neuter pronoun (Table 6)
and how *it* is translated (Table 14). With --links, the translation of *it* is the aligned word; the links are files in
Pharaoh format (0-0 1-2), one per target file, for a corpus whose tokens are separated by spaces. Without --links, only
unambiguous pairs count: the source has one *it* and no *he* or *she*, and the target has one pronoun.

mtprobe includes pronouns for de, es, fr, it, pt and ru; others come from a file:

  source: it
  rivals: [he, she, they, you]     # the same pronouns translate these
  genders: {{masculine: er, neuter: es}}
  unclear: {{sie: feminine}}         # also plural and polite; feminine where it translates *it*

Unclear forms are counted separately, unless a tagger resolves them (--tagger stanza).

{CORPUS_HELP}"""


def arguments(parser: argparse.ArgumentParser) -> None:
    file_arguments(parser)
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "--pronouns",
        required=True,
        metavar="FILE|TAG",
        help="a file of pronouns, or a language: de, es, fr, it, pt, ru",
    )
    parser.add_argument(
        "--links",
        action="append",
        type=Path,
        metavar="FILE",
        help="word alignments; repeat for each target file",
    )
    parser.add_argument(
        "--tagger", choices=sorted(TAGGERS), help="how forms with several readings are resolved"
    )
    parser.add_argument("--target", metavar="TAG", help="the language of the tagger, if --pronouns is a file")


def run(args: argparse.Namespace) -> int:
    pronouns = read_pronouns(args.pronouns)
    corpus = read_corpus(args)
    search = PronounSearch(
        corpus=_with_links(corpus, args.links or []),
        pronouns=pronouns,
        linked=bool(args.links),
        tagger=(args.tagger, _language(args)) if args.tagger else None,
    )
    counts = counted(search, args)
    every, of_it = (table(counts.patterns, what, len(corpus.targets)) for what in ("pronouns", "it"))
    genders = _genders(pronouns)
    classes = [gender for gender in genders if gender in pronouns.genders or args.tagger]
    if pronouns.unclear:
        classes.append(UNCLEAR)
    if args.json:
        document = {
            "made_from": {**facts(search, counts), "it": "aligned" if args.links else "clear pairs"},
            "pronouns": _named(corpus, every, classes),
            "it": _named(corpus, of_it, [*genders, OTHER]),
        }
        say_json(document, indent=1)
        return 0
    print_table(
        f"Pronouns · {counts.lines:,} pairs", ["version", *classes], _absolute(corpus, every, classes)
    )
    how = "aligned words" if args.links else "pairs with one *it* and no rival"
    word = " or ".join(f"*{source}*" for source in pronouns.source)
    print_table(
        f"Translations of {word} · {how}", ["version", *genders, OTHER], _of_it(corpus, of_it, genders)
    )
    say("Shares are of the pronouns, with 95% intervals; other: no pronoun, or several.")
    return 0


def _with_links(corpus: Corpus, links: Sequence[Path]) -> Corpus:
    """Alignments are further sides of the corpus."""
    if not links:
        return corpus
    if len(corpus.paths) != len(corpus.targets) + 1:
        raise MtprobeError("--links: needs a source file and target files, not a table")
    if len(links) != len(corpus.targets):
        raise MtprobeError(f"--links: {len(links)} files for {len(corpus.targets)} target files")
    for path in links:
        if not path.is_file():
            raise MtprobeError(f"{path}: no such file")
    return replace(corpus, paths=(*corpus.paths, *links))


def _language(args: argparse.Namespace) -> str:
    if args.target:
        return str(args.target)
    if Path(args.pronouns).suffix:
        raise MtprobeError("--tagger: give the language of the corpus with --target")
    return str(args.pronouns)


def _genders(pronouns: PronounsFile) -> list[str]:
    present = {*pronouns.genders, *pronouns.unclear.values()}
    return [gender for gender in ("masculine", "feminine", "neuter") if gender in present]


def _named(
    corpus: Corpus, versions: Sequence[Mapping[str, int]], classes: Sequence[str]
) -> dict[str, dict[str, int]]:
    return {
        name: {kind: version.get(kind, 0) for kind in classes}
        for name, version in zip(corpus.targets, versions, strict=True)
    }


def _absolute(
    corpus: Corpus, versions: Sequence[Mapping[str, int]], classes: Sequence[str]
) -> list[list[str]]:
    """Counts; from the second version on also as a share of the first one's."""
    rows = []
    for name, version in zip(corpus.targets, versions, strict=True):
        row = [name]
        for kind in classes:
            count, first = version.get(kind, 0), versions[0].get(kind, 0)
            row.append(f"{count:,}" if version is versions[0] else f"{count:,} ({_percent(count, first)})")
        rows.append(row)
    return rows


def _percent(part: int, of: int) -> str:
    return f"{100 * part / of:.0f} %" if of else "–"


def _of_it(corpus: Corpus, versions: Sequence[Mapping[str, int]], genders: Sequence[str]) -> list[list[str]]:
    rows = []
    for name, version in zip(corpus.targets, versions, strict=True):
        n = sum(version.get(gender, 0) for gender in genders)
        row = [name]
        for gender in genders:
            count = version.get(gender, 0)
            low, high = exact(count, n)
            row.append(f"{count:,} ({_percent(count, n)}, {100 * low:.0f}–{100 * high:.0f})")
        rows.append([*row, f"{version.get(OTHER, 0):,}"])
    return rows
