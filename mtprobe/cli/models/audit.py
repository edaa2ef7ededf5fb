"""`mtprobe audit --evaluator SPEC SUITES…`: audit an evaluator on translations with a known reading and on a model's own translations; exit code 1 if verdicts with a suite's cues are unfit"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from mtprobe.backends.model import Model
from mtprobe.backends.protocols import can_translate
from mtprobe.cli.arguments import data_root_argument, language_arguments, store_arguments
from mtprobe.cli.model import open_evaluator, open_store
from mtprobe.cli.output import even_if_closed, say_json, warn
from mtprobe.errors import MissingData, MtprobeError
from mtprobe.language import tags
from mtprobe.methods.audit_pairs.outcome import best_of
from mtprobe.plan import open_models
from mtprobe.records import Run, SuiteRun, read_run
from mtprobe.report.evaluator import show_evaluator
from mtprobe.report.progress import progress_of_a_verb
from mtprobe.rescoring import Recorded
from mtprobe.settings import read_settings
from mtprobe.store import Store
from mtprobe.studies.evaluator import EvaluatorAudit, FormAudit, asks_evaluator, audit_evaluator
from mtprobe.suite import Suite
from mtprobe.suite.find import suite_files
from mtprobe.suites import load_suite


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", type=Path, metavar="SUITE", help="suites, or folders of them")
    parser.add_argument(
        "--evaluator",
        required=True,
        action="append",
        metavar="SPEC",
        help="as pytest's --mt-evaluator; several score together",
    )
    translated = parser.add_mutually_exclusive_group()
    translated.add_argument(
        "--model",
        metavar="SPEC",
        help="the model whose translations are judged (default: the evaluator, if it can translate)",
    )
    translated.add_argument("--record", type=Path, metavar="RECORD", help="use the translations of this run")
    translated.add_argument(
        "--pairs-only", action="store_true", help="only use audit pairs; translate nothing"
    )
    parser.add_argument("--take", type=int, metavar="N", help="judge the translations of N samples per suite")
    language_arguments(parser)
    parser.add_argument("--json", action="store_true", help="write everything as one JSON document")
    store_arguments(parser, "the store of scores", "do not store or reuse scores")
    data_root_argument(parser)


def run(args: argparse.Namespace) -> int:
    if args.take is not None and args.take < 1:
        raise MtprobeError(f"--take: {args.take} is not a number of samples")
    earlier = read_run(args.record) if args.record else None
    evaluator = open_evaluator(args)
    audits: list[EvaluatorAudit] = []
    unasked: list[Suite] = []
    with open_store(args.store) as store:
        for suite in _suites(args):
            if not asks_evaluator(suite):
                unasked.append(suite)
                continue
            audit = _audit(suite, evaluator, args, earlier, store)
            if audit is not None:
                audits.append(audit)
                if not args.json:
                    with even_if_closed():
                        show_evaluator(audit, sys.stdout)
    if args.json:
        with even_if_closed():
            say_json([_record(audit) for audit in audits], indent=2)
    for suite in unasked:
        warn(
            f"{suite.path}: judged by {', '.join(suite.methods)}, without an evaluator, so there is nothing to audit; "
            "to check its verdicts, label some translations: `mtprobe label RECORD`"
        )
    if unasked and not audits:
        return 2
    if not any(audit.measured for audit in audits):
        pairs = f"none of these suites has audit pairs for {evaluator.languages.target}"
        rest = "" if args.pairs_only else ", and no label or method without a model decides a sample"
        raise MtprobeError(pairs + rest)
    return 1 if any(audit.used.unfit for audit in audits) else 0


def _suites(args: argparse.Namespace) -> Iterator[Suite]:
    """The suites at the paths; one whose data is missing is skipped with a message."""
    for path in suite_files(args.paths):
        try:
            yield load_suite(path, args.data_root)
        except MissingData as error:
            warn(f"skipped: {error}")


def _audit(
    suite: Suite, evaluator: Model, args: argparse.Namespace, earlier: Run | None, store: Store | None
) -> EvaluatorAudit | None:
    model = _model(suite, evaluator, args, earlier)
    if isinstance(model.backend if model else None, Recorded):
        recorded = {result.source for run in _runs_of(suite, earlier, evaluator) for result in run.results}
        suite = replace(suite, samples=tuple(sample for sample in suite.samples if sample.source in recorded))
    taken = suite.take(args.take) if args.take else suite
    return audit_evaluator(taken, evaluator, model, store, progress_of_a_verb())


def _model(suite: Suite, evaluator: Model, args: argparse.Namespace, earlier: Run | None) -> Model | None:
    """The model whose translations are judged, if there is one."""
    if args.pairs_only:
        return None
    if earlier is not None:
        runs = _runs_of(suite, earlier, evaluator)
        return Model(runs[0].model.name, Recorded(runs)) if runs else None
    if args.model is not None:
        languages = evaluator.languages
        settings = read_settings(
            models=args.model, source=languages.source, target=languages.target, device=args.device
        )
        return open_models(settings).tested[0]
    return evaluator if can_translate(evaluator.backend) else None


def _runs_of(suite: Suite, earlier: Run | None, evaluator: Model) -> list[SuiteRun]:
    """The runs of the record's first model that has the suite, in the evaluator's language if there are several."""
    runs = [run for run in earlier.suites if run.suite == suite.name] if earlier else []
    spoken = [run for run in runs if tags.fits(run.target, evaluator.languages.target)] or runs
    return [run for run in spoken if _on(run) == _on(spoken[0])]


def _on(run: SuiteRun) -> tuple[str, ...]:
    return run.model.name, run.source, run.target


def _record(audit: EvaluatorAudit) -> dict[str, Any]:
    best = best_of(audit.pairs)
    return {
        "suite": audit.suite.name,
        "path": str(audit.suite.path),
        "digest": audit.suite.digest,
        "source": audit.suite.source,
        "target": audit.evaluator.languages.target,
        "evaluator": asdict(audit.evaluator.facts()),
        "model": asdict(audit.model.facts()) if audit.model else None,
        "used": audit.used.form,
        "best": best.form if best else None,
        "best_in_place": audit.best.form if audit.best else None,
        "forms": [_form(form) for form in audit.forms],
    }


def _form(form: FormAudit) -> dict[str, Any]:
    pairs = {**asdict(form.pairs), "verdict": form.pairs.fitness.value} if form.pairs else {"form": form.form}
    return {**pairs, "in_place": asdict(form.in_place) if form.in_place else None}
