"""`mtprobe agree`: measure agreement of verdicts with human labels, between annotators or methods, and between evaluators that rank models"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mtprobe.cli.output import cells, counted, print_table, say, say_json
from mtprobe.errors import MtprobeError, did_you_mean
from mtprobe.records import SuiteRun, read_run
from mtprobe.report.agreement import MethodAgreement
from mtprobe.report.agreement import agreements as between_methods
from mtprobe.studies.agree import (
    BetweenAnnotators,
    LabelAgreement,
    agree,
    between_annotators,
    labelled_by_all,
)
from mtprobe.studies.figures import read_figure
from mtprobe.studies.labels import Label, LabelKeys, read_labels, read_meanings
from mtprobe.studies.rankings import Rankings, rankings

_EXAMPLES = """\
examples:
  mtprobe agree .mtprobe/last-run.jsonl --labels anna.tsv --labels ben.tsv \\
      --label "neutral=correct" --label "too bad to tell=incorrect"
  mtprobe agree --labels anna.tsv --labels ben.tsv       # only the annotators
  mtprobe agree judged-by-*.jsonl                        # do evaluators rank the models alike?
  mtprobe agree run.jsonl                                # two methods that judged the same translations

A label file is JSON Lines, TSV or CSV (with a header) with the fields `id` (of the sample), `label` and, if there are several
annotators, `annotator`. A label is `correct`, `incorrect`, the category that the translation conveys, or a text that
--label maps to one of these. Files of `mtprobe label` can be used directly: their labels count only for the translations
that were labelled, `unclear` is skipped, and `labelled_by` is the annotator."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _EXAMPLES
    parser.add_argument("records", nargs="*", type=Path, metavar="RECORD", help="run records (--mt-record)")
    parser.add_argument(
        "--labels",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="human labels; may be repeated",
    )
    parser.add_argument(
        "--label",
        action="append",
        default=[],
        metavar="TEXT=MEANING",
        help="the meaning of a label: correct, incorrect, skip or a category; may be repeated",
    )
    parser.add_argument(
        "--undecided",
        choices=("skip", "correct", "incorrect"),
        default="skip",
        help="how undecided verdicts count (default: skip)",
    )
    parser.add_argument("--shared", action="store_true", help="only samples that every annotator labelled")
    parser.add_argument("--suite", metavar="NAME", help="only this suite of the records")
    parser.add_argument("--id-key", default="id", metavar="KEY", help="the name of the labels' field `id`")
    parser.add_argument("--label-key", default="label", metavar="KEY", help="… and of the field `label`")
    parser.add_argument(
        "--metric",
        default="minimum_weighted_accuracy",
        help="the metric that ranks models, as in gates: accuracy[rare] (default: minimum_weighted_accuracy)",
    )
    parser.add_argument("--method", metavar="NAME", help="only verdicts of this method")
    parser.add_argument("--json", action="store_true", help="everything as one JSON object")


def run(args: argparse.Namespace) -> int:
    try:
        figure = read_figure(args.metric, args.method)
    except MtprobeError as error:
        raise MtprobeError(f"--metric: {error}") from None
    suites = _suites(args.records, args.suite, figure.method)
    labels = _labels(args)
    used = labelled_by_all(labels) if args.shared else labels
    agreements = _agreements(suites, used, args) if suites and labels else []
    annotators = between_annotators(labels, given=read_meanings(args.label), suites=suites)
    ranked = rankings(suites, args.metric) if not labels or len(suites) > 1 else []
    methods = [] if labels else list(between_methods(suites))
    if not agreements and not annotators and not ranked and not methods:
        raise MtprobeError(
            "nothing to compare: give a record and labels, labels of two annotators, a record in which two methods "
            "judge the same translations, or records in which two evaluators judge the same models, at least two"
        )
    if args.json:
        document = {
            "agreement": [asdict(agreement) for agreement in agreements],
            "annotators": [asdict(pair) for pair in annotators],
            "rankings": [asdict(suite) for suite in ranked],
            "methods": [_methods_record(pair) for pair in methods],
        }
        say_json(document, indent=2)
        return 0
    for agreement in agreements:
        _show_agreement(agreement)
    if annotators:
        _show_annotators(annotators)
    for suite in ranked:
        _show_rankings(suite)
    for pair in methods:
        _show_methods(pair)
    sys.stdout.flush()
    return 0


def _suites(records: Sequence[Path], name: str | None, method: str | None) -> list[SuiteRun]:
    suites = [suite for record in records for suite in read_run(record).suites]
    selected = [suite for suite in suites if name is None or suite.suite == name]
    methods = list(dict.fromkeys(suite.method for suite in selected))
    if method is not None and selected and method not in methods:
        hint = did_you_mean(method, methods) or f"; available: {', '.join(methods)}"
        raise MtprobeError(f'--method: no suite was judged by "{method}"{hint}')
    selected = [suite for suite in selected if method is None or suite.method == method]
    if records and not selected:
        known = {suite.suite for suite in suites}
        raise MtprobeError(
            f'--suite: no suite "{name}"{did_you_mean(name, known)}' if name else "the records have no suites"
        )
    return selected


def _labels(args: argparse.Namespace) -> list[Label]:
    keys = LabelKeys(args.id_key, args.label_key)
    labels: list[Label] = []
    seen: dict[tuple[str, str, str | None], Label] = {}
    for path in args.labels:
        for label in read_labels(path, keys):
            first = seen.setdefault(label.key, label)
            if first is not label:
                raise MtprobeError(
                    f'{label.place}: a second label by "{label.annotator}" for "{label.id}"; the first is at {first.place}'
                )
            labels.append(label)
    return labels


def _agreements(
    suites: Sequence[SuiteRun], labels: Sequence[Label], args: argparse.Namespace
) -> list[LabelAgreement]:
    meanings = read_meanings(args.label)
    ids = {label.id for label in labels}
    fitting = [suite for suite in suites if any(result.id in ids for result in suite.results)]
    if not fitting:
        sample = next(iter(suites[0].results)).id if suites[0].results else "?"
        raise MtprobeError(
            f'no label has the id of a sample: a label\'s id is "{labels[0].id if labels else "?"}", '
            f'a sample\'s "{sample}"; --id-key names the id field'
        )
    return [agree(suite, labels, meanings, args.undecided) for suite in fitting]


def _show_agreement(agreement: LabelAgreement) -> None:
    rows = [["agreement", *cells(agreement.plain)]]
    if agreement.weighted is not None:
        rows.append(["weighted agreement", *cells(agreement.weighted)])
    rows.append(["Cohen's κ", *cells(agreement.kappa)])
    for label in agreement.classes:
        rows.append([f"precision {label.name}", *cells(label.precision)])
        rows.append([f"recall {label.name}", *cells(label.recall)])
    people = counted(len(agreement.annotators), "annotator")
    judged = f"{agreement.suite} · {agreement.model} · {agreement.judge}"
    title = f"{judged} · {counted(agreement.samples, 'sample')}, {people}"
    print_table(title, ["verdicts and humans", "value", "95% interval", "n"], rows)
    for line in _excluded(agreement):
        say(f"  {line}")
    say()


def _excluded(agreement: LabelAgreement) -> Iterator[str]:
    left = agreement.left
    if left.labels_without_sample:
        ids = ", ".join(left.labels_without_sample[:3])
        more = ", …" if len(left.labels_without_sample) > 3 else ""
        yield f"not matched: {counted(len(left.labels_without_sample), 'labelled id')} not in the record ({ids}{more})"
    if left.samples_without_label:
        yield f"not matched: {counted(left.samples_without_label, 'sample')} of the record without a label"
    for count, why in (
        (left.other_translations, "of other translations than this run's"),
        (left.skipped_labels, "that --label skips"),
        (left.undecided, "of samples whose verdict is undecided (--undecided)"),
        (left.open, "of samples for which no answer is right"),
        (left.errors, "of samples that were not judged"),
    ):
        if count:
            yield f"excluded: {counted(count, 'label')} {why}"


def _show_annotators(pairs: Sequence[BetweenAnnotators]) -> None:
    rows = []
    for pair in pairs:
        rows.append([f"{pair.one} and {pair.other}: agreement", *cells(pair.plain)])
        rows.append([f"{pair.one} and {pair.other}: Cohen's κ", *cells(pair.kappa)])
        if pair.binary is not None and pair.binary_kappa is not None:
            rows.append([f"{pair.one} and {pair.other}: agreement by --label", *cells(pair.binary)])
            rows.append([f"{pair.one} and {pair.other}: Cohen's κ by --label", *cells(pair.binary_kappa)])
    print_table(
        "Annotators, by their literal labels and by what --label says of them",
        ["two annotators", "value", "95% interval", "n"],
        rows,
    )
    for pair in pairs:
        for name, count in ((pair.one, pair.only_one), (pair.other, pair.only_other)):
            if count:
                other = pair.other if name == pair.one else pair.one
                say(f"  not matched: {counted(count, 'sample')} that {name} labelled and {other} did not")
    say()


def _show_rankings(rankings: Rankings) -> None:
    rows = [[f"{pair.one} and {pair.other}", *cells(pair.rho)] for pair in rankings.pairs]
    if len(rankings.pairs) > 1:
        rows.append([f"mean of {rankings.mean.note}", *cells(rankings.mean)])
    models = counted(len(rankings.models), "model")
    title = f"{rankings.suite} {rankings.languages} · {models} ranked by {rankings.metric}"
    print_table(title, ["two judges", "Spearman's ρ", "95% interval", "models"], rows)
    if rankings.judged_themselves:
        say(f"  excluded: {counted(rankings.judged_themselves, 'model')} that judged itself")
    say()


def _show_methods(pair: MethodAgreement) -> None:
    suite = pair.one
    title = f"{suite.suite} {suite.source}→{suite.target} · {suite.model.name}: {suite.method} and {pair.other.method}"
    rows = [["agreement", *cells(pair.agreement)], ["Cohen's κ", *cells(pair.kappa)]]
    print_table(title, ["two methods", "value", "95% interval", "n"], rows)
    for one, other in pair.counts:
        if one != other:
            say(
                f"  {counted(pair.counts[one, other], 'sample')}: {one} by {suite.method}, {other} by {pair.other.method}"
            )
    say()


def _methods_record(pair: MethodAgreement) -> dict[str, Any]:
    suite = pair.one
    return {
        "suite": suite.suite,
        "model": suite.model.name,
        "languages": f"{suite.source}→{suite.target}",
        "methods": [suite.method, pair.other.method],
        "agreement": asdict(pair.agreement),
        "kappa": asdict(pair.kappa),
        "verdicts": [{"one": one, "other": other, "n": n} for (one, other), n in pair.counts.items()],
    }
