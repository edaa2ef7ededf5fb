"""`mtprobe regress STUDY`: fit a multiple regression over models (for example, minimum accuracy on BLEU and flags), with an HTML scatter plot"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path

from mtprobe.cli.output import print_table, say, say_json, writing
from mtprobe.errors import MtprobeError
from mtprobe.studies.observations import Observations, checked, read_table
from mtprobe.studies.regression import Coefficient, LinearRegression, regress
from mtprobe.studies.study_file import read_study

_EXAMPLES = """\
examples:
  mtprobe regress study.yaml --html reports/study.html
  mtprobe regress models.csv --outcome winomt --on bleu --on distilled

A table (CSV or TSV) has a header with `name`, optionally `line` (models of one line are connected in the chart), and one
column per number or flag (true, false, yes, no). A study file (YAML) can also read metrics from run records and compute
BLEU and chrF:

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
        help="the dependent variable; may be repeated",
    )
    parser.add_argument(
        "--on", action="append", default=[], metavar="NAME", help="an independent variable; may be repeated"
    )
    parser.add_argument("--html", type=Path, metavar="PATH", help="write a page with the scatter plot")
    parser.add_argument("--json", action="store_true", help="the regressions as JSON")


def run(args: argparse.Namespace) -> int:
    study = _read(args)
    regressions = [
        regress(outcome, study.numbers(outcome), {name: study.numbers(name) for name in study.on})
        for outcome in study.outcomes
    ]
    if args.html is not None:
        from mtprobe.report.html.study import write_regressions

        with writing(args.html):
            write_regressions(args.html, study, regressions)
    if args.json:
        say_json([asdict(regression) for regression in regressions], indent=2)
    else:
        _show(study, regressions)
    sys.stdout.flush()
    return 0


def _read(args: argparse.Namespace) -> Observations:
    kind = args.study.suffix.lower()
    if kind in (".csv", ".tsv"):
        return read_table(args.study, args.outcome, args.on)
    if kind not in (".yaml", ".yml"):
        raise MtprobeError(f"{args.study}: a study file ends in .yaml, .csv or .tsv")
    study = read_study(args.study)
    return checked(
        replace(study, outcomes=tuple(args.outcome) or study.outcomes, on=tuple(args.on) or study.on)
    )


def _show(study: Observations, regressions: Iterable[LinearRegression]) -> None:
    for fit in regressions:
        title = f"{fit.outcome} · {fit.n} models · R² = {fit.r_squared:.2f} · p {_p(fit.p)}"
        rows = [_row(coefficient) for coefficient in (*fit.coefficients, fit.intercept)]
        print_table(title, ["variable", "coefficient", "95% interval", "p"], rows)
    for note in study.notes:
        say(f"  {note}")


def _row(fit: Coefficient) -> list[str]:
    return [fit.name, f"{fit.value:.2f}", f"{fit.low:.2f} to {fit.high:.2f}", _p(fit.p).removeprefix("= ")]


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"
