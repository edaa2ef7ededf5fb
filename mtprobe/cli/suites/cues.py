"""`mtprobe cues SUITE --evaluator SPEC`: find cues for ambiguous words: WordNet or a masked language model proposes candidates, reference translations select"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from mtprobe.authoring.cues.describe import total_lines, word_lines
from mtprobe.authoring.cues.generate import PartFile, Proposers, WordCues, find_cues, write_cues
from mtprobe.authoring.cues.kinds import WHERE, best_kind
from mtprobe.authoring.cues.masked import CueModel
from mtprobe.authoring.cues.material import Material, read_material
from mtprobe.authoring.cues.propose import Limits
from mtprobe.authoring.cues.replacements import Sources
from mtprobe.authoring.cues.select import Evaluator
from mtprobe.backends.model import Model
from mtprobe.cli.arguments import data_root_argument, language_arguments, store_arguments
from mtprobe.cli.model import open_evaluator, open_store
from mtprobe.cli.output import counted, say, warn, writing
from mtprobe.engine.checkpoints.huggingface.files import resolve
from mtprobe.errors import ModelError, MtprobeError
from mtprobe.language import tags
from mtprobe.language.wordnet import INSTALL, WordNet, find_wordnet
from mtprobe.report.progress import progress_of_a_verb
from mtprobe.suite import Suite
from mtprobe.suites import load_suite

_EXAMPLES = """\
examples:
  mtprobe cues words.mt.yaml --mlm roberta-large --evaluator hf:facebook/m2m100_418M --target de
  mtprobe cues words.mt.yaml --evaluator demo                        # words that replace the focus, from WordNet
  mtprobe cues words.mt.yaml --mlm ./my-bert --dry-run               # only the proposals

Samples need a <focus>, attributes for their word and sense, and translations that are known to be correct:
`references`, `targets`, labels, or audit pairs that name the samples. The suite names the output file:

  cues: {file: cues.jsonl}

An interrupted run resumes where it stopped: finished words are saved next to the output, in cues.jsonl.part."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _EXAMPLES
    add = parser.add_argument
    add("suite", type=Path, metavar="SUITE", help="a suite's file")
    add("--mlm", metavar="MODEL", help="a fill-mask model: a folder, or its name on the hub")
    add("--revision", metavar="NAME", help="of a model on the hub")
    add(
        "--wordnet",
        type=Path,
        metavar="DIR",
        help="the folder of the WordNet database (default: WNSEARCHDIR, WNHOME/dict, or the system's location)",
    )
    add(
        "--kind",
        choices=("best", "before", "replace"),
        default="best",
        help="cues before the focus, cues that replace it, or the kind that judges held-out references better (default: best)",
    )
    add(
        "--evaluator", metavar="SPEC", help="the model that scores the references, as pytest's --mt-evaluator"
    )
    add(
        "-o",
        "--output",
        type=Path,
        metavar="PATH",
        help="the output (default: the file that the suite names)",
    )
    add("--force", action="store_true", help="replace an existing output")
    add("--restart", action="store_true", help="discard the words of an interrupted run")
    add("--dry-run", action="store_true", help="show the result without writing it")
    add("--word", metavar="NAME", help="the attribute with the word (default: word, else lemma)")
    add("--sense", metavar="NAME", help="the attribute with the sense (default: sense)")
    for name, about in (
        ("pool", "candidates per sense; words that are candidates for two senses are not proposed"),
        ("proposals", "proposals per side, before references select among them"),
        ("cues", "selected cues per side"),
    ):
        default = getattr(Limits(), name)
        add(f"--{name}", type=_count, default=default, metavar="N", help=f"{about} (default: {default})")
    language_arguments(parser, "the {} language, if the evaluator does not say")
    store_arguments(parser)
    data_root_argument(parser)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 18) or int(text) < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return int(text)


def run(args: argparse.Namespace) -> int:
    suite = load_suite(args.suite, args.data_root, uncued=True)
    output = _output(args, suite)
    evaluator = _evaluator(args, suite)
    by = _by(args, suite)
    material = read_material(suite, by, evaluator.languages.target if evaluator else None)
    _report_skipped(material, evaluator)
    proposers = _proposers(args, suite)
    made_with = _made_with(args, proposers, evaluator)
    with _part(args, output, {"words": material.digest(), **made_with}) as part:
        words = _find(args, suite, material, proposers, evaluator, part)
        say(*total_lines(words))
        if output is not None and part is not None:
            kind = best_kind([word.kinds for word in words]) or "before"
            with writing(output):
                written = write_cues(output, words, kind, made_with)
            part.finish()
            warn(f"{output}: cues {WHERE[kind]} for {written} senses{_hint(suite, output, by)}")
    return 0


def _proposers(args: argparse.Namespace, suite: Suite) -> Proposers:
    """The proposers available for the requested kinds, given the options and the machine."""
    model = CueModel(resolve(args.mlm, args.revision), suite.source, args.device) if args.mlm else None
    if args.kind == "before":
        if model is None:
            raise MtprobeError(
                "--kind before needs --mlm: a masked language model proposes words before the focus"
            )
        return Proposers(model, None)
    wordnet = _wordnet(args, suite, model)
    replace = Sources(wordnet, model, suite.source) if wordnet or model else None
    return Proposers(model if args.kind == "best" else None, replace)


def _wordnet(args: argparse.Namespace, suite: Suite, model: CueModel | None) -> WordNet | None:
    english = tags.fits("en", suite.source)
    if args.wordnet is not None and not english:
        raise MtprobeError(
            f"--wordnet: WordNet is English, and the sources of {suite.path} are {suite.source}"
        )
    wordnet = find_wordnet(args.wordnet) if english else None
    if wordnet is None and model is None:
        missing = f"WordNet is not installed ({INSTALL})" if english else "WordNet is English"
        raise MtprobeError(f"nothing proposes cues: {missing}, and no masked language model is given (--mlm)")
    return wordnet


def _find(
    args: argparse.Namespace,
    suite: Suite,
    material: Material,
    proposers: Proposers,
    evaluator: Model | None,
    part: PartFile | None,
) -> list[WordCues]:
    """Prints each word when it is finished."""
    words: list[WordCues] = []
    limits = Limits(args.pool, args.proposals, args.cues)
    with open_store(None if evaluator is None else args.store) as store:
        scoring = Evaluator(evaluator.backend, store, suite.source) if evaluator else None  # type: ignore[arg-type]
        try:
            for word in find_cues(material, proposers, scoring, limits, progress_of_a_verb(), part):
                words.append(word)
                say(*word_lines(word))
        except KeyboardInterrupt:
            if part is not None:
                finished = f"{len(part.done)} of {len(material.words)} words are finished"
                saved = f"{finished} and saved in {part.path}; the same command resumes from there"
                warn(saved)
            raise
    return words


def _output(args: argparse.Namespace, suite: Suite) -> Path | None:
    """The output file; None in a dry run."""
    if args.dry_run:
        return None
    if args.evaluator is None:
        raise MtprobeError(
            "--evaluator is needed to select from the proposals; --dry-run shows them without it"
        )
    output: Path | None = args.output or (suite.cue_file.path if suite.cue_file else None)
    if output is None:
        raise MtprobeError(
            f"{suite.path} names no file for its cues; write `cues: {{file: cues.jsonl}}` into it, or give --output"
        )
    if output.exists() and not args.force:
        raise MtprobeError(f"{output}: already exists; --force overwrites it")
    return output


def _evaluator(args: argparse.Namespace, suite: Suite) -> Model | None:
    if args.evaluator is None:
        return None
    evaluator = open_evaluator(args)
    languages = evaluator.languages
    if not suite.fits(languages.source, languages.target):
        raise ModelError(
            f"the evaluator {evaluator.name} ({languages}) does not fit the suite, which is for {suite.languages}"
        )
    return evaluator


def _by(args: argparse.Namespace, suite: Suite) -> tuple[str, str]:
    """The attributes with word and sense: from the options, the suite, or by their usual names."""
    named = suite.cue_file
    usual = "lemma" if "word" not in suite.attributes and "lemma" in suite.attributes else "word"
    return args.word or (named.word if named else usual), args.sense or (named.sense if named else "sense")


def _report_skipped(material: Material, evaluator: Model | None) -> None:
    for reason, count in material.skipped.items():
        warn(f"skipped: {counted(count, 'sample')}: {reason}")
    contexts = (context for word in material.words for sense in word.senses.values() for context in sense)
    if evaluator is not None and not any(context.right for context in contexts):
        raise MtprobeError(
            f"no sample has a translation into {evaluator.languages.target} that is known to be correct: "
            "`references`, `targets`, labels, or audit pairs that name the samples"
        )


def _made_with(args: argparse.Namespace, proposers: Proposers, evaluator: Model | None) -> dict[str, Any]:
    made_with: dict[str, Any] = {}
    model = proposers.before or (proposers.replace.model if proposers.replace else None)
    if model is not None:
        made_with["mlm"] = f"{Path(args.mlm).name} {model.fingerprint}"
    if proposers.replace is not None and proposers.replace.wordnet is not None:
        made_with["wordnet"] = proposers.replace.wordnet.fingerprint
    if evaluator is not None:
        made_with |= {"evaluator": evaluator.backend.fingerprint, "target": evaluator.languages.target}
    return {**made_with, "kind": args.kind, "pool": args.pool, "proposals": args.proposals, "cues": args.cues}


def _part(args: argparse.Namespace, output: Path | None, settings: Mapping[str, Any]) -> Any:
    if output is None:
        return nullcontext()
    part = PartFile(output, settings)
    if args.restart:
        part.path.unlink(missing_ok=True)
    return part


def _hint(suite: Suite, output: Path, by: tuple[str, str]) -> str:
    """How a suite that does not name the file can use it."""
    if suite.cue_file is not None and suite.cue_file.path == output:
        return ""
    more = "" if by == ("word", "sense") else f", by: [{', '.join(by)}]"
    return f"; to use them, write `cues: {{file: {output.name}{more}}}` into the suite"
