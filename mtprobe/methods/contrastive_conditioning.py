"""Contrastive conditioning (Vamvas and Sennrich, 2021).

The evaluator scores the translation given variants of the source that force the right reading, and
variants that force the wrong one. p = s_c / (s_c + s_i), where s is the best exp(mean token
log-probability) of a side; correct when p ≥ 0.5. A calibrated evaluator's offset (see calibration.py) is
subtracted from the scores of the right side first.

With `scoring: focus` the mean is that of the tokens that translate the focus (see conditioning/focus_tokens.py). With
`pooling: mean` s is the mean over a side's variants instead of the best.

Where no reading is right, the variants stand for choices, and the one with the best score is chosen.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from mtprobe.backends.scorer import ScorePair
from mtprobe.errors import Problem
from mtprobe.language.alignment import DEFAULT
from mtprobe.methods.aligners import aligner_for
from mtprobe.methods.audit_pairs.measure import Audited, audit_forms
from mtprobe.methods.calibration import cannot_calibrate, offsets_from, offsets_of
from mtprobe.methods.conditioning import decide as deciding
from mtprobe.methods.conditioning.decide import Decide
from mtprobe.methods.conditioning.disagreement import disagreement
from mtprobe.methods.conditioning.focus_tokens import FocusTokens
from mtprobe.methods.conditioning.forms import samples_for_choice
from mtprobe.methods.conditioning.joint_focus import Finder, focus_finder
from mtprobe.methods.conditioning.noise import NoiseFloor, NoiseSource, placebo_sources
from mtprobe.methods.method import Ask, Method, MethodOptions, Obstacle, Preparation, Translated
from mtprobe.methods.scored import Pooling, Query, TieKeys, judge_on_scores, side_scores
from mtprobe.methods.verdict import Evidence, Outcome, Result, Verdict
from mtprobe.suite.sample import Sample, Suite
from mtprobe.suite.samples.focus import contrastive_sources


class ConditioningKeys(TieKeys):
    calibrate: bool = False
    """Subtract the offset measured by an audit of the evaluator, which is a constant preference of its scores for one reading. Needs `audit` pairs."""

    scoring: Literal["sentence", "focus"] = "sentence"
    """Which tokens of a translation `contrastive-conditioning` compares: all tokens of the `sentence`, or only those that translate the `focus`, found by the evaluator's cross-attention or a word aligner. If a cue is next to the focus, the preceding token is included. If the focus is not found, the whole sentence is compared, and a note counts these cases."""

    pooling: Pooling = "best"
    """How the scores of several cues of one side are combined: the `best` score, as in the paper, or the `mean` of their probabilities, which depends less on a single cue."""

    decide: Decide | None = None
    """The difference required for a verdict: with `{margin: auto}`, samples whose scores differ by no more than the noise floor are undecided. By default, any difference decides."""

    @classmethod
    def problems(cls, suite: Suite) -> Iterator[Problem]:
        yield from deciding.problems(suite, ContrastiveConditioning.name)
        if suite.options["calibrate"] and not suite.audit:
            yield Problem(
                suite.place_of("calibrate"), "calibrate: needs `audit` pairs, which show what to subtract"
            )


class ContrastiveConditioning(Method):
    name = "contrastive-conditioning"
    about = "an evaluator scores the translation given contrastive sources that force each reading"
    scored_by = "evaluator"
    scored_evidence = "contrastive sources"
    keys = ConditioningKeys

    def __init__(
        self,
        offsets: Mapping[str, float] | None = None,
        audited: Audited | None = None,
        form: str = "",
        focus: Finder | None = None,
        alignment: str = DEFAULT,
        noise: Sequence[NoiseFloor] = (),
        pooling: Pooling = "best",
    ) -> None:
        self._offsets = offsets or {}  # by reading; empty unless the evaluator is calibrated
        self._audited = audited
        self._form = form  # of the cues, where the suite has several
        self._focus = focus  # None: whole sentences are compared
        self._alignment = alignment  # for an evaluator without attention
        self._noise = tuple(noise)  # none unless the suite decides by margin
        self._pooling = pooling

    @property
    def procedure(self) -> str:
        form = [f"cues {self._form}"] if self._form else []
        focus = ["scoring focus"] if self._focus else []
        pooling = ["pooling mean"] if self._pooling == "mean" else []
        calibrated = ["calibrated"] if self._offsets else []
        margin = [f"margin {floor.asked}" for floor in self._noise[:1]]
        return ", ".join([super().procedure, *form, *focus, *pooling, *calibrated, *margin])

    @property
    def noise(self) -> tuple[NoiseFloor, ...]:
        return self._noise

    @property
    def audited(self) -> Audited | None:
        return self._audited

    @property
    def details(self) -> str:
        found_by = self._focus and (self._focus.found_by or "nothing: whole sentences")
        return "; ".join([*([f"scoring focus by {found_by}"] if found_by else []), *map(str, self._noise)])

    def configured(self, options: MethodOptions) -> ContrastiveConditioning:
        return ContrastiveConditioning(alignment=options.alignment or DEFAULT)

    def lacks(self, sample: Sample, target: str | None = None) -> str | None:  # noqa: ARG002
        if sample.sources is None and sample.cues is None:
            focus = "" if sample.focus else "a <focus> (the word that the question is about, in <…>) and "
            return f"needs {focus}`cues` for its category, or whole contrastive `sources`"
        return None

    def obstacle(self, suite: Suite, target: str) -> Obstacle | None:
        reason = cannot_calibrate(suite, target)
        return Obstacle(reason) if reason else None

    def prepare(self, preparation: Preparation) -> ContrastiveConditioning:
        """Audits the cues that the run uses, and takes the offsets from the audit if the suite calibrates."""
        suite, target = preparation.suite, preparation.languages.target
        audited = None
        if preparation.scorer is not None:
            audits = audit_forms(
                suite, target, preparation.scorer, preparation.store, preparation.progress, used_only=True
            )
            audited = next(iter(audits), None)
        offsets = offsets_from(audited, suite, target) if suite.options.get("calibrate") else {}
        form = next(iter(suite.cue_forms)) if len(suite.cue_forms) > 1 else ""
        focus = self._focus_finder(preparation)
        pooling = suite.options.get("pooling", "best")
        scoring = ContrastiveConditioning(offsets, focus=focus)
        noise = deciding.noise_floors(preparation, partial(scoring._noise_queries, preparation.fixed))
        return ContrastiveConditioning(offsets, audited, form, focus, self._alignment, noise, pooling)

    def fitted_on(self, suite: Suite) -> Sequence[Sample]:
        return [*deciding.fitted_on(suite), *samples_for_choice(suite)]

    def _focus_finder(self, preparation: Preparation) -> Finder | None:
        if preparation.suite.options.get("scoring") != "focus" or preparation.scorer is None:
            return None
        return focus_finder(
            preparation.scorer,
            preparation.store,
            preparation.progress,
            aligner_for(self._alignment, preparation.model),
            tuple(preparation.translated_pairs),
        )

    def judge(self, samples: Sequence[Translated], ask: Ask) -> list[Verdict]:
        compared = self._compared(samples)
        queries = [
            self.queries(sample, text or "", ask.suite, tokens)
            for (sample, text), tokens in zip(samples, compared, strict=True)
        ]
        judge = partial(verdict_on, ties=ask.suite.options.get("ties"), pooling=self._pooling)
        verdicts = judge_on_scores(queries, judge, ask)
        if self._noise:
            verdicts = [
                deciding.decided(verdict, deciding.floor_for(translated.sample, self._noise), self._pooling)
                for verdict, translated in zip(verdicts, samples, strict=True)
            ]
        return [
            replace(verdict, compared=tokens.spans) if tokens and verdict.evidence else verdict
            for verdict, tokens in zip(verdicts, compared, strict=True)
        ]

    def _compared(self, samples: Sequence[Translated]) -> Sequence[FocusTokens | None]:
        """The tokens by which the cues of each sample are compared; None: all."""
        if self._focus is None:
            return [None] * len(samples)
        return self._focus.compared([(sample, text or "") for sample, text in samples])

    def _noise_queries(
        self, suite: Suite, samples: Sequence[Translated], source: NoiseSource
    ) -> list[list[Query]]:
        """The queries that samples are judged on, or the same with placebos instead of cues."""
        return [
            [
                Query("placebo", ScorePair(text, translation or ""), text, compared=tokens)
                for text in placebo_sources(sample, suite.source)
            ]
            if source == "placebos"
            else self.queries(sample, translation or "", suite, tokens)
            for (sample, translation), tokens in zip(samples, self._compared(samples), strict=True)
        ]

    def queries(
        self, sample: Sample, translation: str, suite: Suite, compared: FocusTokens | None = None
    ) -> list[Query]:
        contrast = contrastive_sources(sample, suite.source)
        if contrast is None:
            return []
        offsets = offsets_of(sample, suite, self._offsets)
        return [
            Query(side, ScorePair(source, translation), source, offsets.get(side, 0.0), compared=compared)
            for side, sources in contrast.sides.items()
            for source in sources
        ]

    def notes(self, results: Sequence[Result]) -> Sequence[str]:
        return [
            *self._focus_notes(results),
            *disagreement(results, partial(verdict_on, pooling=self._pooling)),
        ]

    def _focus_notes(self, results: Sequence[Result]) -> Sequence[str]:
        """How many samples were compared as sentences although the suite wants their focus."""
        if self._focus is None:
            return ()
        if not self._focus.found_by:
            return (
                "scoring focus: the evaluator does not say where its tokens are, so whole sentences were compared",
            )
        scored = [
            result.verdict
            for result in results
            if any(item.score is not None for item in result.verdict.evidence)
        ]
        whole = sum(not verdict.compared for verdict in scored)
        if not whole:
            return ()
        were = "was" if whole == 1 else "were"
        return (
            f"scoring focus: {whole:,} of {len(scored):,} samples {were} compared as whole sentences, since nothing was "
            "found that translates the focus",
        )


def verdict_on(
    evidence: tuple[Evidence, ...],
    ties: Literal["correct", "incorrect"] | None = None,
    pooling: Pooling = "best",
) -> Verdict:
    """The verdict on the scores of all contrastive sources; a tie is correct unless the suite says otherwise."""
    best = side_scores(evidence, pooling)
    if "correct" not in best:
        return _choice(best, evidence)
    right, wrong = best["correct"], best["incorrect"]
    correct = ties != "incorrect" if right == wrong else right > wrong
    return Verdict(
        Outcome.CORRECT if correct else Outcome.INCORRECT,
        probability=probability(right, wrong),
        evidence=evidence,
        margin=right - wrong,
    )


def _choice(best: Mapping[str, float], evidence: tuple[Evidence, ...]) -> Verdict:
    """The reading that fits the translation best, with its share of exp(score) over all choices."""
    first, second, *_ = sorted(best, key=lambda choice: -best[choice])
    top = best[first]
    if top == best[second]:
        return Verdict(Outcome.UNDECIDED, f"fits {first} and {second} equally well", evidence=evidence)
    p = 1 / sum(math.exp(score - top) for score in best.values())
    return Verdict(Outcome.OPEN, probability=p, evidence=evidence, choice=first)


def probability(right: float, wrong: float) -> float:
    """p of two mean log-probabilities: exp(right) / (exp(right) + exp(wrong)), without overflow."""
    return 1 / (1 + math.exp(min(wrong - right, 700.0)))
