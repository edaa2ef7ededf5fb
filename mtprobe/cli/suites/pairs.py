"""`mtprobe pairs KIND FILES…`: create minimal pairs from a parallel corpus, or from a model's translations of it"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from mtprobe.authoring.corpus.parallel import Corpus
from mtprobe.authoring.pairs import kinds_of, open_kind
from mtprobe.authoring.pairs.make import GeneratedPair, Making, Origin, PairCounts, Translate, make_pairs
from mtprobe.authoring.pairs.suite import preset_of, sample_of, selected
from mtprobe.backends.device import DTYPES
from mtprobe.backends.protocols import LanguagePair
from mtprobe.cli.arguments import standard_languages, store_arguments
from mtprobe.cli.model import open_translator
from mtprobe.cli.output import say
from mtprobe.datasets.write import files_of, write_suite
from mtprobe.errors import MtprobeError
from mtprobe.language.tagging import open_tagger
from mtprobe.progress import Silent
from mtprobe.report.progress import progress_of_a_verb
from mtprobe.suites import load_suite
from mtprobe.system.secrets import without_secrets

_EXAMPLES = """\
examples:
  mtprobe pairs negation-particle news.en news.de.gz --target de -o mine/
  mtprobe pairs all pairs.tsv --target pt --from-model hf:Helsinki-NLP/opus-mt-tc-big-en-pt --with-human -o mine/

KIND is one of these, several separated by commas, or `all` for all that exist for the target language:
  placeholder-noun        a noun becomes Ding, coisa (a control: models do not do this)         de pt
  hypercorrect-genitive   seit dem Tag → seit des Tages (a control)                              de
  polarity-affix          unmöglich → möglich, impossível → possível                             de pt
  negation-particle       nicht, kein or não is removed                                           de pt
  clause-omission         a clause is removed                                                    de pt
  np-agreement            a determiner of the wrong gender                                       de pt
  subject-verb-agreement  a verb of the other number                                             de pt
  gendered-pronoun        er ↔ sie, ele ↔ ela, where the source shows the gender                 de pt

The corpus is a source file and a target file that match line by line, or one file with a tab between them; plain or
gzipped. Use the pairs to test models other than the one that translated; for that model they show nothing new. Whether a line makes a pair, and which, depends only on that line and the seed."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _EXAMPLES
    parser.add_argument("kind", metavar="KIND", help="the kind of change; see below")
    parser.add_argument("corpus", nargs="+", metavar="FILE", help="SOURCE TARGET, or one TABLE")
    parser.add_argument("--target", required=True, metavar="TAG", help="the target language: de or pt")
    parser.add_argument("--source", default="en", metavar="TAG", help="the source language (default: en)")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="DIR", help="the folder for the suite"
    )
    parser.add_argument("--name", metavar="NAME", help="the name of the suite and its files")
    parser.add_argument(
        "--from-model",
        metavar="SPEC",
        help="create pairs from this model's translations of the sources, validated by the references",
    )
    parser.add_argument(
        "--with-human", action="store_true", help="with --from-model: also create pairs from the references"
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="seed for selecting one of several possible changes"
    )
    parser.add_argument("--take", type=int, metavar="N", help="keep N pairs, the same ones each time")
    parser.add_argument(
        "--tagger", default="rules", metavar="KIND", help="rules (the default), or stanza with its models"
    )
    store_arguments(parser, "where translations are stored, as --mt-store", without=None)
    parser.add_argument("--device", default="auto", help="the model's device: auto, cpu, cuda or cuda:N")
    parser.add_argument(
        "--dtype", default="fp32", choices=DTYPES, help="the model's number format (default: fp32)"
    )


def run(args: argparse.Namespace) -> int:
    if args.take is not None and args.take < 1:
        raise MtprobeError("--take: must be at least 1")
    if args.with_human and not args.from_model:
        raise MtprobeError(
            "--with-human needs --from-model; without a model all pairs are from the references"
        )
    corpus = _corpus(args.corpus)
    counts = PairCounts()
    with ExitStack() as stack:
        making = _making(args, stack)
        kind = "minimal-pairs" if "," in args.kind or args.kind == "all" else args.kind
        name = args.name or f"{kind}-{making.languages.target}"
        files_of(args.output, name)  # fails before the work, not after it
        made_with = f"Kinds: {args.kind}; {making.tagger.name}; seed {making.seed}." + (
            f" Machine translations by {without_secrets(args.from_model)}." if args.from_model else ""
        )
        preset = preset_of(name, making.kinds, making.origins, making.languages, made_with)
        pairs = _not_empty(make_pairs(corpus, making, counts, progress_of_a_verb()), counts)
        samples = (sample_of(pair, args.target) for pair in selected(pairs, args.take, args.seed))
        suite, data = write_suite(args.output, preset, samples)
    _print_counts(counts, making.origins)
    say(f"{suite}: a suite of {len(load_suite(suite).samples):,} samples, in {data}")
    return 0


def _corpus(files: Sequence[str]) -> Corpus:
    if len(files) > 2:
        raise MtprobeError("a corpus must be a source and a target file, or one table")
    paths = tuple(map(Path, files))
    for path in paths:
        if not path.is_file():
            raise MtprobeError(f"{path}: no such file")
    return Corpus(paths, ("target",))


def _making(args: argparse.Namespace, stack: ExitStack) -> Making:
    target, source = standard_languages(args)
    names = kinds_of(target) if args.kind == "all" else [name.strip() for name in args.kind.split(",")]
    kinds = tuple(open_kind(name, target) for name in dict.fromkeys(names))
    origins: tuple[Origin, ...] = ("human",)
    translate: Translate | None = None
    if args.from_model:
        origins = ("human", "machine") if args.with_human else ("machine",)
        args.spec = args.from_model
        translate = open_translator(args, stack, Silent())[1]  # the lines read already show the progress
    tagger = open_tagger(args.tagger, target)
    return Making(kinds, tagger, LanguagePair(source, target), origins, translate, args.seed)


def _not_empty(pairs: Iterator[GeneratedPair], counts: PairCounts) -> Iterator[GeneratedPair]:
    """All pairs; an error if there are none, so that no empty suite is written."""
    yield from pairs
    if not counts.lines:
        raise MtprobeError("the corpus is empty, so no suite was written")
    if not counts.made:
        reasons = "; ".join(
            f"{count:,}: {reason}"
            for skipped in counts.skipped.values()
            for reason, count in skipped.most_common(3)
        )
        raise MtprobeError(
            f"no pair could be made from {counts.lines:,} lines, so no suite was written ({reasons})"
        )


def _print_counts(counts: PairCounts, origins: Sequence[Origin]) -> None:
    say(f"{counts.lines:,} lines")
    for (kind, origin), skipped in counts.skipped.items():
        swapped = f", {counts.swapped[kind]:,} of them swapped" if origin == "machine" else ""
        say(f"{kind}, {origin}: {counts.made[kind, origin]:,} pairs{swapped}")
        for reason, count in skipped.most_common():
            say(f"  {count:,} skipped: {reason}")
    for (kind, origin), made in counts.made.items():
        if (kind, origin) not in counts.skipped and origin in origins:
            say(f"{kind}, {origin}: {made:,} pairs")
