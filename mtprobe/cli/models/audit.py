"""`mtprobe audit --evaluator SPEC SUITES…`: audit an evaluator on translations of known reading; exit code 1 if the cues of a suite are unfit"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mtprobe.backends.model import Model
from mtprobe.cli.model import language_arguments, open_evaluator, open_store, store_arguments
from mtprobe.cli.output import say_json, warn
from mtprobe.errors import MissingData, MtprobeError
from mtprobe.methods.audit_pairs.measure import audit_forms
from mtprobe.methods.audit_pairs.outcome import Audit, best_of
from mtprobe.report.audit import show_audits
from mtprobe.report.progress import progress_of_a_verb
from mtprobe.suite import Suite
from mtprobe.suite.find import suite_files
from mtprobe.suites import load_suite


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", type=Path, metavar="SUITE", help="suites, or folders of them")
    parser.add_argument("--evaluator", required=True, metavar="SPEC", help="as pytest's --mt-evaluator")
    language_arguments(parser)
    parser.add_argument("--json", action="store_true", help="write everything as one JSON document")
    store_arguments(parser, "the store of scores", "store nothing and reuse nothing")
    parser.add_argument("--data-root", type=Path, metavar="DIR", help="as pytest's --mt-data-root")


def run(args: argparse.Namespace) -> int:
    evaluator = open_evaluator(args)
    suites = list(_suites(args))
    audited: list[tuple[Suite, tuple[Audit, ...]]] = []
    with open_store(None if args.no_store else args.store) as store:
        for suite in suites:
            audits = _audits(suite, evaluator, store)
            audited.append((suite, audits))
            if not args.json:
                show_audits(suite, audits, evaluator, sys.stdout)
    if args.json:
        records = [_record(suite, audits, evaluator) for suite, audits in audited]
        say_json(records, indent=2)
    if not any(audits for _, audits in audited):
        raise MtprobeError(f"none of these suites has audit pairs for {evaluator.languages.target}")
    return 0 if all(audits[0].trusted for _, audits in audited if audits) else 1


def _suites(args: argparse.Namespace) -> Iterator[Suite]:
    """The suites at the paths; one whose data is missing is skipped with a message."""
    for path in suite_files(args.paths):
        try:
            yield load_suite(path, args.data_root)
        except MissingData as error:
            warn(f"skipped: {error}")


def _audits(suite: Suite, evaluator: Model, store: Any) -> tuple[Audit, ...]:
    languages = evaluator.languages
    if not suite.fits(languages.source, languages.target):
        return ()
    forms = audit_forms(suite, languages.target, evaluator.backend, store, progress_of_a_verb())  # type: ignore[arg-type]
    return tuple(form.audit for form in forms)


def _record(suite: Suite, audits: tuple[Audit, ...], evaluator: Model) -> dict[str, Any]:
    best = best_of(audits)
    return {
        "suite": suite.name,
        "path": str(suite.path),
        "digest": suite.digest,
        "source": suite.source,
        "target": evaluator.languages.target,
        "evaluator": asdict(evaluator.facts()),
        "used": audits[0].form if audits else None,
        "best": best.form if best else None,
        "forms": [{**asdict(audit), "verdict": audit.fitness.value} for audit in audits],
    }
