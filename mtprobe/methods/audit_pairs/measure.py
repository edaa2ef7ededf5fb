"""Audits an evaluator: scores targets of known reading, through the store, and counts how it reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mtprobe.backends.scorer import ScorePair, Scorer, TokenLogProbs
from mtprobe.backends.stored import score_all
from mtprobe.errors import Failure
from mtprobe.language.alignment import DEFAULT, SentencePair, open_aligner
from mtprobe.methods.audit_pairs.answers import Answers, answers
from mtprobe.methods.audit_pairs.outcome import Audit, Offset
from mtprobe.methods.audit_pairs.questions import KnownTarget, known_targets
from mtprobe.methods.conditioning.focus_tokens import FocusTokens
from mtprobe.methods.conditioning.joint_focus import focus_finder
from mtprobe.methods.scored import Pooling, difference
from mtprobe.progress import Progress
from mtprobe.statistics.measure import Estimated, Measure
from mtprobe.store import Store
from mtprobe.suite.sample import Suite

_OWN_CUES = "own cues"  # the name of the form if all cues are the samples' own


@dataclass(frozen=True, slots=True)
class Audited:
    """An audit with its individual answers, for intervals at other levels."""

    audit: Audit
    answers: Answers | None  # None if some targets could not be scored

    @property
    def problem(self) -> str:
        """Why it could not be measured; empty if it could."""
        return self.audit.problem

    @property
    def accuracy(self) -> Estimated:
        """Judging the way the suite's samples are judged."""
        if self.answers is None:
            return Estimated.nothing(self.audit.problem)
        return self.answers.estimate(calibrated=self.audit.taken_off)


def audit_forms(
    suite: Suite,
    target: str,
    scorer: Scorer,
    store: Store | None,
    progress: Progress,
    *,
    used_only: bool = False,
) -> tuple[Audited, ...]:
    """One audit per cue form, the one that a run uses first; none if the suite has no pairs for the language."""
    pairs = suite.audit_for(target)
    if not pairs:
        return ()
    forms = [*(suite.cue_forms or {_OWN_CUES: {}}).items()][: 1 if used_only else None]
    asked = [(form, known_targets(pairs, suite, cues)) for form, cues in forms]
    wanted = [pair for _, targets in asked for pair in _pairs(targets)]
    scores = score_all(scorer, wanted, store, progress)
    compared = [_compared(targets, suite, scorer, store, progress) for _, targets in asked]
    return tuple(
        _audited(form, targets, scores, suite, target, tokens)
        for (form, targets), tokens in zip(asked, compared, strict=True)
    )


def _compared(
    targets: Sequence[KnownTarget], suite: Suite, scorer: Scorer, store: Store | None, progress: Progress
) -> list[FocusTokens | None]:
    """The tokens by which each target is judged; None: all of them."""
    if suite.options.get("scoring") != "focus":
        return [None] * len(targets)
    samples = [(target.sample, target.text) for target in targets if target.sample is not None]
    corpus = tuple(dict.fromkeys(SentencePair(sample.source, text) for sample, text in samples))
    finder = focus_finder(scorer, store, progress, open_aligner(DEFAULT), corpus)
    found = iter(finder.compared(samples))
    return [next(found) if target.sample is not None else None for target in targets]


def _pairs(targets: Sequence[KnownTarget]) -> list[ScorePair]:
    return [
        ScorePair(source, target.text)
        for target in targets
        for question in target.questions
        for source in (*question.sources.correct, *question.sources.incorrect)
    ]


def _audited(
    form: str,
    targets: Sequence[KnownTarget],
    scores: Mapping[ScorePair, TokenLogProbs | Failure],
    suite: Suite,
    target: str,
    compared: Sequence[FocusTokens | None],
) -> Audited:
    failures = [one for pair in dict.fromkeys(_pairs(targets)) if isinstance(one := scores[pair], Failure)]
    if failures:
        problem = f"{len(failures)} scores are missing: {failures[0].reason}"
        nothing = Measure.nothing(problem)
        return Audited(
            Audit(form, target, nothing, nothing, nothing, (), bool(suite.options.get("calibrate")), problem),
            None,
        )
    known = {pair: logprobs for pair, logprobs in scores.items() if not isinstance(logprobs, Failure)}
    found = answers(
        targets,
        [
            _differences(one, known, tokens, suite.options.get("pooling", "best"))
            for one, tokens in zip(targets, compared, strict=True)
        ],
    )
    offsets = zip(found.readings, found.offsets(), strict=True)
    audit = Audit(
        form=form,
        target=target,
        accuracy=found.accuracy(),
        auc=found.auc(),
        calibrated=found.calibrated_accuracy(),
        offsets=tuple(Offset(reading, one) for reading, one in offsets if one.value is not None),
        taken_off=bool(suite.options.get("calibrate")),
    )
    return Audited(audit, found)


def _differences(
    target: KnownTarget,
    scores: Mapping[ScorePair, TokenLogProbs],
    compared: FocusTokens | None,
    pooling: Pooling,
) -> list[float]:
    """How much the scores support each reading in question."""
    tokens = compared.tokens if compared else ()

    def of(sources: Sequence[str]) -> list[TokenLogProbs]:
        return [scores[ScorePair(source, target.text)] for source in sources]

    return [
        difference(of(question.sources.correct), of(question.sources.incorrect), tokens, pooling)
        for question in target.questions
    ]
