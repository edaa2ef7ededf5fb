"""Model error or search error, as DiBiMT asks it: a model's wrong translations scored beside good ones of other models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mtprobe.backends.model import Model
from mtprobe.backends.scorer import ScorePair, Scorer, mean
from mtprobe.backends.scoring import score_all
from mtprobe.errors import Failure, MtprobeError
from mtprobe.language import tags
from mtprobe.methods.verdict import REFERENCE, TRANSLATION, Evidence, Outcome, Result
from mtprobe.metrics import Measure, Selector, measure, tally
from mtprobe.metrics.model_errors import preference
from mtprobe.progress import Progress
from mtprobe.records import Run, SuiteRun
from mtprobe.store import Store


@dataclass(frozen=True, slots=True)
class Blame:
    """What came of a suite's wrong translations."""

    suite: SuiteRun
    wrong: int
    errors: Measure  # of the model, among the wrong translations for which there is a good one
    results: tuple[Result, ...]  # those, with scores; the ones that the search is to blame for first


def blamed(
    run: Run, others: Sequence[Run], model: Model, scorer: Scorer, store: Store | None, progress: Progress
) -> Iterator[Blame]:
    """For each suite that the model was asked and that `lexicon` judged."""
    judged = [one for one in run.suites if one.method == "lexicon"]
    own = [one for one in judged if one.model.fingerprint == model.backend.fingerprint]
    if not own:
        known = ", ".join(sorted({f"{one.model.name} ({one.model.fingerprint})" for one in judged}))
        raise MtprobeError(
            f"the record has no suite that lexicon judged on {model.name} ({model.backend.fingerprint}); "
            f"there is {known or 'none at all'}"
        )
    for suite in own:
        wrong = [one for one in suite.results if one.verdict.outcome is Outcome.INCORRECT and one.translation]
        good = _good_translations(suite, others)
        beside = [(one, good[one.id, one.source]) for one in wrong if (one.id, one.source) in good]
        scored = tuple(_scored(beside, scorer, store, progress))
        errors = measure("model_errors", tally(scored, suite.seed), Selector(), ())
        yield Blame(suite, len(wrong), errors, tuple(sorted(scored, key=lambda one: preference(one) or 0.0)))


def _good_translations(suite: SuiteRun, others: Sequence[Run]) -> dict[tuple[str, str], list[str]]:
    """What other models made right, by the sample's id and source."""
    found: dict[tuple[str, str], list[str]] = {}
    for other in (one for run in others for one in run.suites):
        if other.method != "lexicon" or not tags.fits(suite.target, other.target):
            continue
        for result in other.results:
            if result.verdict.outcome is Outcome.CORRECT and result.translation:
                found.setdefault((result.id, result.source), []).append(result.translation)
    return found


def _scored(
    beside: Sequence[tuple[Result, Sequence[str]]], scorer: Scorer, store: Store | None, progress: Progress
) -> Iterator[Result]:
    pairs = [
        ScorePair(result.source, text)
        for result, good in beside
        for text in (result.translation or "", *good)
    ]
    scores = score_all(scorer, pairs, store, progress)
    for result, good in beside:
        evidence = []
        for side, text in ((TRANSLATION, result.translation or ""), *((REFERENCE, text) for text in good)):
            found = scores[ScorePair(result.source, text)]
            if isinstance(found, Failure):
                raise MtprobeError(f"{result.id}: could not be scored: {found.reason}")
            evidence.append(Evidence(side, text, mean(found)))
        yield replace(result, verdict=replace(result.verdict, evidence=tuple(evidence)))
