"""Minimal pairs (Sennrich, 2017; Vamvas and Sennrich, 2021, on their limits; Emelin and Sennrich, 2021).

The model under test scores a correct target and incorrect ones that differ from it in one respect, given the
same source: correct when the correct target has a higher mean token log-probability than every incorrect one.
The model's own translation is scored as well: where it is far likelier than the targets, they are not text
that this model would write, and say little about what it does (see metrics/discrepancy.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

from mtprobe.backends.scorer import ScorePair
from mtprobe.methods.method import Ask, Method, Preparation, Translated
from mtprobe.methods.salience.outcome import SuiteSalience
from mtprobe.methods.scored import Query, TieKeys, judge_on_scores, side_scores
from mtprobe.methods.verdict import TRANSLATION, Evidence, Outcome, Verdict
from mtprobe.suite.sample import Sample


class MinimalPairs(Method):
    name = "minimal-pairs"
    about = "the model under test scores a correct target and incorrect ones"
    keys = TieKeys
    scored_by = "model"
    scored_evidence = "targets"
    judges = "targets"

    def lacks(self, sample: Sample, target: str | None = None) -> str | None:
        if not sample.targets:
            return "needs `targets`: a correct and an incorrect one in the target language"
        if target is not None and sample.targets_in(target) is None:
            return f"needs `targets` in {target}; available: {', '.join(sample.targets)}"
        return None

    def judge(self, samples: Sequence[Translated], ask: Ask) -> list[Verdict]:
        queries = [target_queries(sample, text, ask) for sample, text in samples]
        return judge_on_scores(queries, partial(verdict_on, ties=ask.suite.options.get("ties")), ask)

    def salience(self, preparation: Preparation, samples: int) -> SuiteSalience | str | None:
        from mtprobe.methods.salience.suite import no_salience, suite_salience

        reason = no_salience(preparation.model)
        if reason is not None:
            return reason
        return suite_salience(preparation.model, preparation.suite, samples, preparation.progress)


UNOPPOSED = "it has no incorrect target, so it counts as correct"


def target_queries(sample: Sample, translation: str | None, ask: Ask) -> list[Query]:
    """The scores to ask for: those of the sample's targets, and of the model's own translation if there is one."""
    contrast = sample.targets_in(ask.languages.target)
    if contrast is None:
        return []
    source = ask.source_of(sample)
    queries = []
    for side, texts in contrast.sides.items():
        for number, text in enumerate(texts):
            attributes = {
                name: getattr(variants, side)[number] for name, variants in contrast.variants.items()
            }
            place = (sample.id, side, number)
            pair = ScorePair(source, text)
            queries.append(Query(side, pair, text, attributes=attributes, place=place))
    if translation:
        queries.append(Query(TRANSLATION, ScorePair(source, translation), translation))
    return queries


def verdict_on(
    evidence: tuple[Evidence, ...], ties: Literal["correct", "incorrect"] | None = None
) -> Verdict:
    """The verdict on the scores of all targets; a tie is correct unless the suite says otherwise."""
    best = side_scores(evidence)
    if "incorrect" not in best:
        return Verdict(Outcome.CORRECT, UNOPPOSED, evidence=evidence)
    right, wrong = best["correct"], best["incorrect"]
    correct = ties != "incorrect" if right == wrong else right > wrong
    return Verdict(Outcome.CORRECT if correct else Outcome.INCORRECT, evidence=evidence, margin=right - wrong)
