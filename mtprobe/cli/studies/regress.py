"""`mtprobe regress STUDY`: fit a multiple regression over models (minimum accuracy on BLEU and flags, for example), with a scatter plot in HTML"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mtprobe.studies.observations import Observations
    from mtprobe.studies.regression import Coefficient, Regression

_EXAMPLES = """\
examples:
  mtprobe regress study.yaml --html reports/study.html
  mtprobe regress models.csv --outcome winomt --on bleu --on distilled

A table (CSV or TSV) has a header: `name`, perhaps `line` (models of one line are joined in the drawing), and a column
a number or flag (true, false, yes, no). A study file (YAML) can read minimum accuracies from run records and have BLEU
and chrF computed:

  study: 1
  about: Do distilled models overgeneralise more than their BLEU says?
  outcomes:
    gender: {suite: gendered-occupations}
  on: [bleu, distilled]
  test_set: {references: newstest19.de}
  models:
    - name: teacher
      record: runs/teacher.jsonl
      translations: newstest19.teacher.de
      values: {distilled: false}
    - …"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "study", type=Path, metavar="STUDY", help="a study file (.yaml) or a table (.csv, .tsv)"
    )
    parser.add_argument(
        "--outcome",
        action="append",
        default=[],
        metavar="NAME",
        help="what is to be explained; may be repeated",
    )
    parser.add_argument(
        "--on", action="append", default=[], metavar="NAME", help="what explains it; may be repeated"
    )
    parser.add_argument("--html", type=Path, metavar="PATH", help="write a page with the scatter")
    parser.add_argument("--json", action="store_true", help="for machines: the regressions as JSON")


def run(args: argparse.Namespace) -> int:
    from mtprobe.errors import MtprobeError
    from mtprobe.studies.regression import regress

    study = _read(args)
    found = [
        regress(outcome, study.numbers(outcome), {name: study.numbers(name) for name in study.on})
        for outcome in study.outcomes
    ]
    if args.html is not None:
        from mtprobe.report.html.study import write_regressions

        try:
            write_regressions(args.html, study, found)
        except OSError as error:
            raise MtprobeError(f"{args.html}: cannot be written: {error.strerror}") from None
    if args.json:
        print(json.dumps([asdict(one) for one in found], indent=2, ensure_ascii=False))
    else:
        _show(study, found)
    sys.stdout.flush()
    return 0


def _read(args: argparse.Namespace) -> Observations:
    from dataclasses import replace

    from mtprobe.errors import MtprobeError
    from mtprobe.studies.observations import checked, read_table
    from mtprobe.studies.study_file import read_study

    kind = args.study.suffix.lower()
    if kind in (".csv", ".tsv"):
        return read_table(args.study, args.outcome, args.on)
    if kind not in (".yaml", ".yml"):
        raise MtprobeError(f"{args.study}: a study ends in .yaml, .csv or .tsv")
    study = read_study(args.study)
    return checked(
        replace(study, outcomes=tuple(args.outcome) or study.outcomes, on=tuple(args.on) or study.on)
    )


def _show(study: Observations, regressions: Iterable[Regression]) -> None:
    from mtprobe.cli.tables import print_table

    for found in regressions:
        title = f"{found.outcome} · {found.n} models · R² = {found.r_squared:.2f} · p {_p(found.p)}"
        rows = [_row(one) for one in (*found.coefficients, found.intercept)]
        print_table(title, ["variable", "coefficient", "95% interval", "p"], rows)
    for note in study.notes:
        print(f"  {note}")


def _row(one: Coefficient) -> list[str]:
    return [one.name, f"{one.value:.2f}", f"{one.low:.2f} to {one.high:.2f}", _p(one.p).removeprefix("= ")]


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"
