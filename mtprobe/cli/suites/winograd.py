"""`mtprobe winograd SPEC SCHEMAS`: create contrastive translations of Winograd schemas that differ in a pronoun"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from mtprobe.authoring.winograd import LANGUAGES, word_lists
from mtprobe.authoring.winograd.gap import GAPS
from mtprobe.authoring.winograd.make import PRONOUNS, SchemaCounts, make_samples
from mtprobe.authoring.winograd.schema import read_schemas
from mtprobe.backends.protocols import LanguagePair
from mtprobe.cli.arguments import model_arguments, store_arguments
from mtprobe.cli.model import open_translator
from mtprobe.cli.output import say
from mtprobe.datasets.preset import Preset
from mtprobe.datasets.write import files_of, write_suite
from mtprobe.errors import MtprobeError
from mtprobe.language import tags
from mtprobe.report.progress import progress_of_a_verb
from mtprobe.suite.format.evidence import SampleModel
from mtprobe.suites import load_suite
from mtprobe.system.secrets import without_secrets

_EXAMPLE = """\
examples:
  mtprobe winograd hf:Helsinki-NLP/opus-mt-tc-big-en-pt schemas.jsonl -o mine/
  mtprobe winograd demo schemas.jsonl --lm -o mine/

SCHEMAS is JSON Lines in the layout of WinoGrande; the ids of a schema's twins end in -1 and -2:

  {"qID": "trophy-1", "sentence": "The trophy did not fit into the suitcase because the _ was too large.",
   "option1": "trophy", "option2": "suitcase", "answer": "1"}

The model translates each sentence with each option in the gap. The option is then replaced by the pronoun of its gender:
ele or ela; er, sie or es; il or elle; он, она or оно. Sentences that do not pass the filters of Wino-X (Emelin and
Sennrich, 2021) are skipped and counted. The source language is English; the target languages are de, fr, pt and ru.

With --lm, writes suites for masked language models (mlm:) in English and in the target language, with each option in the
gap of each sentence. In fr, pt and ru, both options have the same gender, so agreement does not reveal the answer."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _EXAMPLE
    model_arguments(parser)
    parser.add_argument("schemas", type=Path, metavar="SCHEMAS", help="JSON Lines, plain or gzipped")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="DIR", help="the folder for the suite"
    )
    parser.add_argument(
        "--lm", action="store_true", help="for language models: noun phrases instead of pronouns"
    )
    parser.add_argument("--name", metavar="NAME", help="the name of the suite and its files")
    store_arguments(parser, "where translations are stored, as --mt-store", without=None)


def run(args: argparse.Namespace) -> int:
    if not args.schemas.is_file():
        raise MtprobeError(f"{args.schemas}: no such file")
    instances = list(read_schemas(args.schemas))
    counts = SchemaCounts()
    with ExitStack() as stack:
        model, translate = open_translator(args, stack, progress_of_a_verb())
        languages = model.languages.with_source("en")
        if tags.standard(languages.target).split("-")[0] not in LANGUAGES or not tags.fits(
            "en", languages.source
        ):
            raise MtprobeError(
                f"schemas can be translated from en into {', '.join(LANGUAGES)}; the model {model.name} is for {languages}"
            )
        name = args.name or f"winograd-{'lm-' if args.lm else ''}{languages.target}"
        files_of(args.output, name)  # fails before the work, not after it
        made = (
            make_samples(instances, languages, translate, counts, GAPS)
            if args.lm
            else make_samples(instances, languages, translate, counts, PRONOUNS)
        )
        preset = (_gaps if args.lm else _pronouns)(name, languages, without_secrets(args.spec))
        suite, data = write_suite(args.output, preset, _not_empty(made, counts))
    _print_counts(counts)
    say(f"{suite}: a suite of {len(load_suite(suite).samples):,} samples, in {data}")
    return 0


def _not_empty(samples: Iterator[SampleModel], counts: SchemaCounts) -> Iterator[SampleModel]:
    """All samples; an error if there are none, so that no empty suite is written."""
    yield from samples
    if not counts.kept:
        _print_counts(counts)
        raise MtprobeError("no sentence passed the filters, so no suite was written")


def _pronouns(name: str, languages: LanguagePair, spec: str) -> Preset:
    language = tags.standard(languages.target).split("-")[0]
    genders = tuple(word_lists(language)["pronouns"])
    return Preset(
        name=name,
        about="Does the model score the pronoun that agrees with its antecedent above the other one?",
        source=languages.source,
        target=languages.target,
        methods=("minimal-pairs",),
        gates={
            "accuracy": ">= 0.60",
            "pair_accuracy": ">= 0.30",
            "bias[gender]": "<= 0.24",
            "bias[antecedent]": "<= 0.24",
        },
        categories=genders,
        cluster="schema",
        ties="incorrect",
        variants={"gender": tuple(sorted(genders))},  # the order that gives the figures of Wino-X
        notes=(
            f"Translations by {spec}, with a pronoun in place of its antecedent. Read some before you trust them, and test other models with them.",
        ),
        made_by="mtprobe winograd",
    )


def _gaps(name: str, languages: LanguagePair, spec: str) -> Preset:
    return Preset(
        name=name,
        about="Does the language model score the sentence with the right noun in its gap above the other one?",
        source=languages.source,
        target=languages.target,
        other_targets=(languages.source,),
        methods=("masked-lm",),
        gates={"accuracy": ">= 0.60", "pair_accuracy": ">= 0.30", "bias[antecedent]": "<= 0.24"},
        categories=("first", "second"),
        cluster="schema",
        notes=(
            f"Translations by {spec}, with each noun in the gap. Read some before you trust them.",
            "Categories: is the right noun the first or the second of the sentence?",
        ),
        made_by="mtprobe winograd --lm",
    )


def _print_counts(counts: SchemaCounts) -> None:
    say(f"{counts.read:,} sentences: {counts.kept:,} kept, of {counts.schemas:,} schemas")
    for reason, count in counts.skipped.most_common():
        say(f"  {count:,} skipped: {reason}")
