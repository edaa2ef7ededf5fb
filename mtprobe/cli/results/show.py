"""`mtprobe show RECORD [ID]`: list the samples of a run with their translations and verdicts, or show all details of one: verdict, evidence with scores, location"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mtprobe.cli.output import say, warn
from mtprobe.errors import MtprobeError, did_you_mean
from mtprobe.methods import Method, method_named
from mtprobe.methods.verdict import Evidence, Outcome, Result
from mtprobe.metrics.repeats import verdict_counts
from mtprobe.records import SuiteRun, read_run
from mtprobe.report.failure import marked

_MOST = 20  # ids that are listed
_ORDER = [  # as a reader wants them
    Outcome.INCORRECT,
    Outcome.DEGENERATE,
    Outcome.ERROR,
    Outcome.UNDECIDED,
    Outcome.OPEN,
    Outcome.CORRECT,
]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", type=Path, metavar="RECORD", help="a run record (--mt-record)")
    parser.add_argument(
        "id",
        nargs="?",
        metavar="ID",
        help="a sample's id, or a unique part of it; without an id, all samples are listed",
    )
    parser.add_argument(
        "--verdict",
        choices=[*Outcome],
        metavar="VERDICT",
        help=f"only list these verdicts: {', '.join(Outcome)}",
    )
    parser.add_argument("--suite", metavar="NAME", help="only this suite")
    parser.add_argument("--method", metavar="NAME", help="only this method")
    parser.add_argument("--model", metavar="NAME", help="only this model")


def run(args: argparse.Namespace) -> int:
    record = read_run(args.record, whole=False)
    for text in record.missing:
        warn(f"{args.record}: {text}")
    suites = [
        suite
        for suite in record.suites
        if args.suite in (None, suite.suite)
        and args.method in (None, suite.method)
        and args.model in (None, suite.model.name)
    ]
    if not suites:
        raise MtprobeError(f"{args.record}: no suite of that name, method and model")
    if args.id is None:
        for suite in suites:
            say(*_listed(suite, args.verdict), "")
        return 0
    if args.verdict:
        raise MtprobeError("--verdict: lists samples, so it takes no ID")
    wanted = _meant(args.id, suites)
    results = [(suite, result) for suite in suites for result in suite.results if result.id == wanted]
    if not results:
        ids = dict.fromkeys(result.id for suite in suites for result in suite.results)
        raise MtprobeError(f'{args.record}: no sample "{args.id}"{_near(args.id, ids)}')
    for number, (suite, result) in enumerate(results):
        repeats = [other for run, other in results if run is suite and other.repeat]
        say(*[""] * bool(number), *_story(suite, result, repeats))
    return 0


def _listed(suite: SuiteRun, only: str | None) -> Iterator[str]:
    """A line or two per sample: the incorrect ones first, and in each group in the order of the suite."""
    yield f"{suite.suite} · {suite.model.name} {suite.source}→{suite.target} · {suite.method}"
    shown = sorted(
        (result for result in suite.results if only in (None, result.verdict.outcome)),
        key=lambda result: _ORDER.index(result.verdict.outcome),
    )
    for result in shown:
        verdict = result.verdict
        outcome = f"chose {verdict.choice}" if verdict.choice else verdict.outcome.value
        category = f" [{result.category}]" if result.category else ""
        yield f"  {outcome:<10} {result.id}{category}"
        reason = f" ({verdict.reason})" if verdict.reason else ""
        yield f"    {marked(result.source, result.focus)} → {result.translation or '– (none)'}{reason}"
    if not shown:
        yield f"  no sample is {only}" if only else "  no samples"


def _meant(text: str, suites: Sequence[SuiteRun]) -> str:
    """The id, or the only one that contains the text."""
    ids = dict.fromkeys(result.id for suite in suites for result in suite.results)
    containing = [id for id in ids if text.casefold() in id.casefold()]
    return containing[0] if text not in ids and len(containing) == 1 else text


def _near(text: str, ids: Iterable[str]) -> str:
    """The ids that contain the text; otherwise the one that resembles it."""
    ids = list(ids)
    if not (containing := [id for id in ids if text.casefold() in id.casefold()]):
        return did_you_mean(text, ids)
    more = f"\n  … and {len(containing) - _MOST} more" if len(containing) > _MOST else ""
    return "; these ids contain it:" + "".join(f"\n  {id}" for id in containing[:_MOST]) + more


def _story(suite: SuiteRun, result: Result, repeats: Sequence[Result]) -> Iterator[str]:
    verdict = result.verdict
    judge = suite.evaluator.name if suite.evaluator else "the model itself" if suite.judges_itself else ""
    facts = {
        "suite": f"{suite.suite} ({suite.source}→{suite.target})",
        "place": result.place,
        "model": f"{suite.model.name} ({suite.model.fingerprint})",
        "method": suite.method,
        "evaluator": judge,
        "category": result.category or "",
        "attributes": ", ".join(f"{name} {value}" for name, value in result.attributes.items()),
        "context": " ".join(result.context),
        "source": marked(result.source, result.focus),
        "translation": result.translation if result.translation is not None else "– (none)",
        "repeat": f"{result.repeat} of {len(repeats)} ({verdict_counts(repeats)})" if repeats else "",
        "compared": result.compared,
        "label": result.label,
        "verdict": f"chose {verdict.choice}" if verdict.choice else verdict.outcome.value,
        "decided by": verdict.by,
        "asked": ", ".join(f"{name}: {outcome}" for name, outcome in verdict.opinions.items()),
        "reason": verdict.reason,
        "probability": "" if verdict.probability is None else f"{verdict.probability:.4f}",
        "margin": "" if verdict.margin is None else f"{verdict.margin:+.4f}",
    }
    yield result.id
    for name, value in facts.items():
        if value:
            yield f"  {name:<12} {value}"
    for heading, pieces in _by_kind(suite, result):
        if pieces:
            yield f"  {heading}"
            yield from (f"    {_evidence(evidence)}" for evidence in pieces)


def _by_kind(suite: SuiteRun, result: Result) -> Iterator[tuple[str, list[Evidence]]]:
    """The evidence with scores, then what was found in the translation, each with the method's name for it."""
    method = method_named(suite.method) or Method
    pieces = result.verdict.evidence
    what = "mean log-probability of the compared tokens" if result.compared else "mean token log-probability"
    scored = [piece for piece in pieces if piece.score is not None]
    yield f"{method.scored_evidence} ({what}, natural log)", scored
    yield method.found_evidence, [piece for piece in pieces if piece.score is None]


def _evidence(evidence: Evidence) -> str:
    score = "" if evidence.score is None else f"{evidence.score:+.4f}"
    if evidence.by_evaluator:
        score += f" ({', '.join(f'{value:+.4f}' for value in evidence.by_evaluator)})"
    offset = f" minus {evidence.offset:+.4f}" if evidence.offset else ""
    attributes = "".join(f" [{name} {value}]" for name, value in evidence.attributes.items())
    number = f" {score:>8}{offset}" if score else ""
    return f"{evidence.side:<12}{number}  {evidence.text}{attributes}"
