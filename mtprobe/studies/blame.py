"""Model error or search error, as in DiBiMT: scores a model's wrong translations against good ones from other models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mtprobe.backends.model import Model
from mtprobe.backends.scorer import ScorePair, Scorer, mean
from mtprobe.backends.stored import score_all
from mtprobe.errors import Failure, MtprobeError
from mtprobe.language import tags
from mtprobe.methods import reads_senses
from mtprobe.methods.verdict import REFERENCE, TRANSLATION, Evidence, Outcome, Result
from mtprobe.metrics import Measure, Selector, measure, tally
from mtprobe.metrics.model_errors import preference, preference_over_first
from mtprobe.progress import Progress
from mtprobe.records import Run, SuiteRun
from mtprobe.store import Store


@dataclass(frozen=True, slots=True)
class Blame:
    """Model errors and search errors among a suite's wrong translations."""

    suite: SuiteRun
    wrong: int
    # Shares of model errors among the wrong translations for which there is a good one.
    errors: Measure  # against every good one
    errors_one: Measure  # against one, the first
    results: tuple[Result, ...]  # those translations with their scores, search errors first


def blamed(
    run: Run,
    others: Sequence[Run],
    model: Model,
    scorer: Scorer,
    store: Store | None,
    progress: Progress,
    *,
    every: bool = False,
) -> Iterator[Blame]:
    """For each suite of the model whose senses were read (by `lexicon`).

    A search error is one where a good translation has the better score: the first of the other runs, or any (`every`).
    """
    judged = [suite for suite in run.suites if reads_senses(suite.method)]
    own = [suite for suite in judged if suite.model.fingerprint == model.backend.fingerprint]
    if not own:
        models = ", ".join(sorted({f"{suite.model.name} ({suite.model.fingerprint})" for suite in judged}))
        raise MtprobeError(
            f"the record has no suite that lexicon judged on {model.name} ({model.backend.fingerprint}); "
            f"it has {models or 'no suite judged by lexicon'}"
        )
    for suite in own:
        wrong = [
            result
            for result in suite.results
            if result.verdict.outcome is Outcome.INCORRECT and result.translation
        ]
        good = _good_translations(suite, others)
        pairs = [(result, good[key]) for result in wrong if (key := (result.id, result.source)) in good]
        scored = tuple(_scored(pairs, scorer, store, progress))
        errors, errors_one = (
            measure(name, tally(scored, suite.seed), Selector(), ())
            for name in ("model_errors", "model_errors_one")
        )
        lead = preference if every else preference_over_first
        ordered = tuple(sorted(scored, key=lambda result: lead(result) or 0.0))
        yield Blame(suite, len(wrong), errors, errors_one, ordered)


def _good_translations(suite: SuiteRun, others: Sequence[Run]) -> dict[tuple[str, str], list[str]]:
    """Other models' correct translations by the sample's id and source."""
    translations: dict[tuple[str, str], list[str]] = {}
    for other in (suite for run in others for suite in run.suites):
        if not reads_senses(other.method) or not tags.fits(suite.target, other.target):
            continue
        for result in other.results:
            if result.verdict.outcome is Outcome.CORRECT and result.translation:
                translations.setdefault((result.id, result.source), []).append(result.translation)
    return translations


def _scored(
    compared: Sequence[tuple[Result, Sequence[str]]], scorer: Scorer, store: Store | None, progress: Progress
) -> Iterator[Result]:
    pairs = [
        ScorePair(result.source, text)
        for result, good in compared
        for text in (result.translation or "", *good)
    ]
    scores = score_all(scorer, pairs, store, progress)
    for result, good in compared:
        evidence = []
        for side, text in ((TRANSLATION, result.translation or ""), *((REFERENCE, text) for text in good)):
            score = scores[ScorePair(result.source, text)]
            if isinstance(score, Failure):
                raise MtprobeError(f"{result.id}: could not be scored: {score.reason}")
            evidence.append(Evidence(side, text, mean(score)))
        yield replace(result, verdict=replace(result.verdict, evidence=tuple(evidence)))
