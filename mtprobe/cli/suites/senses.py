"""`mtprobe senses`: count the senses of ambiguous words in a parallel corpus, and write which are frequent and which are rare"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from textwrap import shorten

from mtprobe.authoring.corpus.count import Search
from mtprobe.authoring.corpus.frequency import (
    FREQUENT,
    RARE,
    ItemCounts,
    item_counts,
    sense_categories,
    write_frequencies,
)
from mtprobe.authoring.corpus.inventories import read_senses
from mtprobe.authoring.corpus.matching import Classes, Inventory
from mtprobe.authoring.corpus.parallel import Corpus
from mtprobe.authoring.corpus.redistribution import OTHER, ClassOf, redistribution
from mtprobe.cli.arguments import standard_languages
from mtprobe.cli.output import warn, writing
from mtprobe.cli.suites.corpus import CORPUS_HELP, corpus_arguments, counted, facts, read_corpus, show
from mtprobe.language.lemmatizers import open_lemmatizer
from mtprobe.report.html.study import CorpusPage

_WIDTH = 32  # of a sense's name in a table

_EXAMPLES = f"""\
examples:
  mtprobe senses --words words.yaml --target de train.en.gz train.de.gz -o frequencies.json
  mtprobe senses --words en-de.key.tsv --target de train.en reference=train.de teacher=distilled.de --html senses.html

A pair counts for a sense if the source contains the word and the lemmatized target contains one of the sense's lemmas.
Words come from a YAML file, from the `lemmas` of a suite (.mt.yaml), or from MuCoW's key:

  words:
    starter:
      appetizer: [Vorspeise]
      motor: [Anlasser, Starter]

A suite uses the output of -o as `frequencies`, which gives samples with `lemmas` their category.

{CORPUS_HELP}"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EXAMPLES
    corpus_arguments(parser)
    parser.add_argument("--words", type=Path, required=True, metavar="FILE", help="words and their senses")
    parser.add_argument("--target", required=True, metavar="TAG", help="the target language")
    parser.add_argument("--source", default="en", metavar="TAG", help="the source language (default: en)")
    parser.add_argument(
        "--lemmatizer",
        "--lemmatiser",
        default="simplemma",
        metavar="KIND",
        help="simplemma (the default), stanza, pymorphy3, jieba, spacy:MODEL",
    )
    parser.add_argument(
        "--inflected", action="store_true", help="also count inflected forms of the source words"
    )
    parser.add_argument(
        "--data-root", type=Path, metavar="DIR", help="as pytest's --mt-data-root, for a suite"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="PATH", help="write the categories as JSON")


def run(args: argparse.Namespace) -> int:
    search = _search(args, read_corpus(args))
    lemmatizer = open_lemmatizer(*search.lemmatizer).name if search.lemmatizer else None
    counts = counted(search, args)
    names = search.corpus.targets
    versions = {name: item_counts(search.inventory, counts.patterns, at) for at, name in enumerate(names)}
    first = versions[names[0]]  # the categories are those of the first version
    categories = sense_categories(first, args.sure)
    made_from = facts(search, counts, lemmatizer)
    if args.output is not None:
        language = search.lemmatizer[1] if search.lemmatizer else args.target
        with writing(args.output):
            write_frequencies(args.output, language, search.inventory, first, categories, made_from)
    ranked = sorted((word for word in first if word.occurrences), key=lambda word: -word.occurrences)
    class_of = _class_of(search.inventory, categories)
    show(
        CorpusPage(
            title="Senses of words",
            what="words",
            explain="Frequent: the most frequent sense in the first version. Other: none of the known senses, or "
            "several at once. Words without a single most frequent sense are omitted.",
            lines=counts.lines,
            columns=("word", "n", "most frequent", "lead", "95% interval", "none found"),
            rows=tuple(_row(word, categories) for word in ranked),
            bars=tuple(map(_bar, ranked)),
            parts=("most frequent sense", "none found", "other senses"),
            made_from=", ".join(f"{name}: {value}" for name, value in made_from.items()),
        ),
        redistribution(counts.patterns, class_of, (FREQUENT, OTHER, RARE), names),
        versions,
        made_from,
        args,
    )
    if args.output is not None:
        warn(
            f"{args.output}: senses of {len(categories)} of {len(first)} words; the others have no single most frequent sense"
        )
    return 0


def _search(args: argparse.Namespace, corpus: Corpus) -> Search:
    target, source = standard_languages(args)
    return Search(
        corpus=corpus,
        inventory=read_senses(args.words, target, args.data_root),
        lemmatizer=(args.lemmatizer, target),
        source_lemmatizer=("simplemma", source) if args.inflected else None,
    )


def _class_of(inventory: Inventory, categories: Mapping[str, Mapping[str, str]]) -> ClassOf:
    """The category of the sense; a word without categories is not counted."""
    by_item = [
        [categories[item.name][sense] for sense in item.classes] if item.name in categories else None
        for item in inventory.items
    ]

    def class_of(item: int, classes: Classes) -> str | None:
        senses = by_item[item]
        if senses is None:
            return None
        return senses[classes[0]] if len(classes) == 1 else OTHER

    return class_of


def _bar(word: ItemCounts) -> tuple[int, int, int]:
    most = word.classes[word.ranked[0]]
    return most, word.none, word.occurrences - word.none - most


def _row(word: ItemCounts, categories: Mapping[str, Mapping[str, str]]) -> tuple[str, ...]:
    lead = word.lead
    sense = shorten(word.ranked[0], _WIDTH, placeholder=" …") if word.name in categories else "–"
    shown = ("–", "–") if lead.value is None else (f"{lead.value:.2f}", f"{lead.low:.2f}–{lead.high:.2f}")
    return word.name, f"{word.occurrences:,}", sense, *shown, f"{word.none:,}"
