"""Which part of an earlier run a suite is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mtprobe.language import tags
from mtprobe.methods import METHODS

if TYPE_CHECKING:
    from mtprobe.records.run import SuiteRun


def counterpart(
    earlier: Sequence[SuiteRun], *, suite: str, method: str, source: str, target: str, model: str, only: bool
) -> SuiteRun | str:
    """The same suite, method and languages by the model of the same name; or by the only model there is, where
    the later run has but one (`only`), too. A string says why there is none."""
    named = [one for one in earlier if one.suite == suite]
    if not named:
        return f'it has no suite "{suite}"'
    judged = [one for one in named if one.method == method]
    if not judged:
        return (
            f"{suite} was judged by {', '.join(dict.fromkeys(one.method for one in named))}, not by {method}"
        )
    fitting = [one for one in judged if _same(one.source, source) and _same(one.target, target)]
    if not fitting:
        pairs = dict.fromkeys(f"{one.source}→{one.target}" for one in judged)
        return f"{suite} was asked for {', '.join(pairs)}, not for {source}→{target}"
    same = [one for one in fitting if one.model.name == model]
    if same:
        return same[0]
    if only and len(fitting) == 1:
        return fitting[0]
    names = ", ".join(one.model.name for one in fitting)
    return f"{suite} was asked of {names}, none of which is {model}"


def _same(one: str, other: str) -> bool:
    """A record may be of any making: what is no language tag is compared as it stands."""
    if one == other or not (tags.is_language(one) and tags.is_language(other)):
        return one == other
    return tags.fits(one, other) or tags.fits(other, one)


def judge_warning(before: SuiteRun, after: SuiteRun) -> str | None:
    """What to think of before believing a difference: verdicts may differ since somebody else gave the scores."""
    if _judge(before) == _judge(after):
        return None
    if before.judges_itself and after.judges_itself:
        return "each model judged itself: a common evaluator would be fairer (--mt-evaluator)"
    return "the two were judged by different evaluators: verdicts may differ for that alone"


def _judge(run: SuiteRun) -> str | None:
    """Who gave the scores, if it was an evaluator's part; with some methods a model's own scores are what is judged."""
    method = METHODS.get(run.method)
    if method is not None and method.scored_by != "evaluator":
        return None
    if run.evaluator is not None:
        return run.evaluator.fingerprint
    return run.model.fingerprint if run.judges_itself else None
