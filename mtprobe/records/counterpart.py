"""Finds the suite of an earlier run that a suite is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mtprobe.language import tags
from mtprobe.methods import METHODS

if TYPE_CHECKING:
    from mtprobe.records.run import SuiteRun


def counterpart(earlier: Sequence[SuiteRun], later: SuiteRun, *, only: bool) -> SuiteRun | str:
    """The same suite, method and languages with the model of the same name; or with the only model there is, if
    the later run has only one, too (`only`). A string says why there is none."""
    suite = later.suite
    named = [run for run in earlier if run.suite == suite]
    if not named:
        return f'it has no suite "{suite}"'
    judged = [run for run in named if run.method == later.method]
    if not judged:
        methods = dict.fromkeys(run.method for run in named)
        return f"{suite} was judged by {', '.join(methods)}, not by {later.method}"
    fitting = [run for run in judged if _same(run.source, later.source) and _same(run.target, later.target)]
    if not fitting:
        pairs = dict.fromkeys(f"{run.source}→{run.target}" for run in judged)
        return f"{suite} was run for {', '.join(pairs)}, not for {later.source}→{later.target}"
    same = [run for run in fitting if run.model.name == later.model.name]
    if same:
        return same[0]
    if only and len(fitting) == 1:
        return fitting[0]
    names = ", ".join(run.model.name for run in fitting)
    return f"{suite} was run on {names}, not on {later.model.name}"


def _same(tag: str, other: str) -> bool:
    """A record may have any origin: what is not a language tag is compared literally."""
    if tag == other or not (tags.is_language(tag) and tags.is_language(other)):
        return tag == other
    return tags.fits(tag, other) or tags.fits(other, tag)


def judge_warning(before: SuiteRun, after: SuiteRun) -> str | None:
    """A caveat about a difference: verdicts may differ because another model provided the scores."""
    if _judge(before) == _judge(after):
        return None
    if before.judges_itself and after.judges_itself:
        return "each model judged itself: a common `evaluator` would be fairer"
    return "the two runs were judged by different evaluators: verdicts may differ for that reason alone"


def _judge(run: SuiteRun) -> str | None:
    """The model that provided scores as an evaluator; some methods judge the model's own scores."""
    method = METHODS.get(run.method)
    if method is not None and method.scored_by != "evaluator":
        return None
    if run.evaluator is not None:
        return run.evaluator.fingerprint
    return run.model.fingerprint if run.judges_itself else None
