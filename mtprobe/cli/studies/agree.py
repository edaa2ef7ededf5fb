"""`mtprobe agree`: measure how far verdicts agree with human labels, annotators with each other, and evaluators in their ranking of models"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mtprobe.records import SuiteRun
    from mtprobe.studies.agree import Agreement, BetweenAnnotators
    from mtprobe.studies.labels import Label
    from mtprobe.studies.rankings import Rankings

_EXAMPLES = """\
examples:
  mtprobe agree .mtprobe/last-run.jsonl --labels anna.tsv --labels ben.tsv \\
      --label "neutral=correct" --label "too bad to tell=incorrect"
  mtprobe agree --labels anna.tsv --labels ben.tsv       # the annotators alone
  mtprobe agree judged-by-*.jsonl                        # do evaluators rank the models alike?

A file of labels is JSON Lines, TSV or CSV (with a header) with the fields `id` (the sample's), `label` and, if it is
several people's, `annotator`. A label is `correct`, `incorrect`, a category that the translation conveys, or what
--label gives a meaning to."""


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
        help="what a label counts as: correct, incorrect, skip or a category; may be repeated",
    )
    parser.add_argument(
        "--undecided",
        choices=("skip", "correct", "incorrect"),
        default="skip",
        help="what a verdict without a decision counts as (default: skip)",
    )
    parser.add_argument("--shared", action="store_true", help="only samples that every annotator labelled")
    parser.add_argument("--suite", metavar="NAME", help="only this suite of the records")
    parser.add_argument("--id-key", default="id", metavar="KEY", help="what the labels' field `id` is called")
    parser.add_argument("--label-key", default="label", metavar="KEY", help="… and the field `label`")
    parser.add_argument(
        "--metric",
        default="minimum_weighted_accuracy",
        help="what models are ranked by (default: minimum_weighted_accuracy)",
    )
    parser.add_argument("--json", action="store_true", help="for machines: everything as one JSON object")


def run(args: argparse.Namespace) -> int:
    from mtprobe.errors import MtprobeError, did_you_mean
    from mtprobe.metrics import METRICS
    from mtprobe.studies.agree import between_annotators, labelled_by_all
    from mtprobe.studies.rankings import rankings

    if args.metric not in METRICS:
        raise MtprobeError(
            f'--metric: there is no metric "{args.metric}"{did_you_mean(args.metric, METRICS)}'
        )
    suites = _suites(args.records, args.suite)
    labels = _labels(args)
    used = labelled_by_all(labels) if args.shared else labels
    agreements = _agreements(suites, used, args) if suites and labels else []
    annotators = between_annotators(labels)
    ranked = rankings(suites, args.metric) if not labels or len(suites) > 1 else []
    if not agreements and not annotators and not ranked:
        raise MtprobeError(
            "nothing to compare: give a record and labels, labels of two annotators, "
            "or records in which two evaluators judge the same two models or more"
        )
    if args.json:
        found = {
            "agreement": [asdict(one) for one in agreements],
            "annotators": [asdict(one) for one in annotators],
            "rankings": [asdict(one) for one in ranked],
        }
        print(json.dumps(found, indent=2, ensure_ascii=False))
        return 0
    for agreement in agreements:
        _show_agreement(agreement)
    if annotators:
        _show_annotators(annotators)
    for one in ranked:
        _show_rankings(one)
    sys.stdout.flush()
    return 0


def _suites(records: Sequence[Path], name: str | None) -> list[SuiteRun]:
    from mtprobe.errors import MtprobeError, did_you_mean
    from mtprobe.records import read_run

    suites = [suite for record in records for suite in read_run(record).suites]
    kept = [suite for suite in suites if name is None or suite.suite == name]
    if records and not kept:
        known = {suite.suite for suite in suites}
        raise MtprobeError(
            f'--suite: no suite "{name}"{did_you_mean(name, known)}' if name else "the records hold no suites"
        )
    return kept


def _labels(args: argparse.Namespace) -> list[Label]:
    from mtprobe.errors import MtprobeError
    from mtprobe.studies.labels import LabelKeys, read_labels

    keys = LabelKeys(args.id_key, args.label_key)
    labels: list[Label] = []
    seen: dict[tuple[str, str], Label] = {}
    for path in args.labels:
        for label in read_labels(path, keys):
            first = seen.setdefault((label.annotator, label.id), label)
            if first is not label:
                raise MtprobeError(
                    f'{label.place}: "{label.annotator}" has labelled "{label.id}" at {first.place} already'
                )
            labels.append(label)
    return labels


def _agreements(
    suites: Sequence[SuiteRun], labels: Sequence[Label], args: argparse.Namespace
) -> list[Agreement]:
    from mtprobe.errors import MtprobeError
    from mtprobe.studies.agree import agree
    from mtprobe.studies.meanings import read_meanings

    meanings = read_meanings(args.label)
    ids = {label.id for label in labels}
    fitting = [suite for suite in suites if any(result.id in ids for result in suite.results)]
    if not fitting:
        an_id = next(iter(suites[0].results)).id if suites[0].results else "?"
        raise MtprobeError(
            f'no label has the id of a sample: a label\'s id is "{labels[0].id if labels else "?"}", '
            f'a sample\'s "{an_id}"; --id-key names the field of the ids'
        )
    return [agree(suite, labels, meanings, args.undecided) for suite in fitting]


def _show_agreement(found: Agreement) -> None:
    from mtprobe.cli.tables import cells, counted, print_table

    rows = [["agreement", *cells(found.plain)]]
    if found.weighted is not None:
        rows.append(["weighted agreement", *cells(found.weighted)])
    rows.append(["Cohen's κ", *cells(found.kappa)])
    for one in found.classes:
        rows.append([f"precision {one.name}", *cells(one.precision)])
        rows.append([f"recall {one.name}", *cells(one.recall)])
    people = counted(len(found.annotators), "annotator")
    title = f"{found.suite} · {found.model} · {found.judge} · {counted(found.samples, 'sample')}, {people}"
    print_table(title, ["verdicts and humans", "value", "95% interval", "n"], rows)
    for line in _left_out(found):
        print(f"  {line}")
    print()


def _left_out(found: Agreement) -> Iterator[str]:
    from mtprobe.cli.tables import counted

    left = found.left
    if left.labels_without_sample:
        some = ", ".join(left.labels_without_sample[:3])
        more = ", …" if len(left.labels_without_sample) > 3 else ""
        yield f"not matched: {counted(len(left.labels_without_sample), 'labelled id')} not in the record ({some}{more})"
    if left.samples_without_label:
        yield f"not matched: {counted(left.samples_without_label, 'sample')} of the record without a label"
    for count, why in (
        (left.skipped_labels, "that --label skips"),
        (left.undecided, "of samples whose verdict is undecided (--undecided)"),
        (left.open, "of samples to which no answer is right"),
        (left.errors, "of samples that were not judged"),
    ):
        if count:
            yield f"left out: {counted(count, 'label')} {why}"


def _show_annotators(pairs: Sequence[BetweenAnnotators]) -> None:
    from mtprobe.cli.tables import cells, counted, print_table

    rows = []
    for pair in pairs:
        rows.append([f"{pair.one} and {pair.other}: agreement", *cells(pair.plain)])
        rows.append([f"{pair.one} and {pair.other}: Cohen's κ", *cells(pair.kappa)])
    print_table(
        "Annotators, by their labels as they stand", ["two annotators", "value", "95% interval", "n"], rows
    )
    for pair in pairs:
        for name, count in ((pair.one, pair.only_one), (pair.other, pair.only_other)):
            if count:
                other = pair.other if name == pair.one else pair.one
                print(f"  not matched: {counted(count, 'sample')} that {name} labelled and {other} did not")
    print()


def _show_rankings(found: Rankings) -> None:
    from mtprobe.cli.tables import cells, counted, print_table

    rows = [[f"{pair.one} and {pair.other}", *cells(pair.rho)] for pair in found.pairs]
    if len(found.pairs) > 1:
        rows.append([f"mean of {found.mean.note}", *cells(found.mean)])
    title = (
        f"{found.suite} {found.languages} · {counted(len(found.models), 'model')} ranked by {found.metric}"
    )
    print_table(title, ["two judges", "Spearman's ρ", "95% interval", "models"], rows)
    if found.judged_themselves:
        print(f"  left out: {counted(found.judged_themselves, 'model')} that judged itself")
    print()
