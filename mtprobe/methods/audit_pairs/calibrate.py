"""A run's own audit of its evaluator, and the method with the offset taken off that it found."""

from __future__ import annotations

from mtprobe.backends.scorer import Scorer
from mtprobe.errors import ModelError, SuiteError
from mtprobe.methods.audit_pairs.measure import Audited, audit_forms
from mtprobe.methods.calibration import OWN, readings_judged
from mtprobe.methods.contrastive_conditioning import ContrastiveConditioning
from mtprobe.methods.method import Method
from mtprobe.progress import Progress
from mtprobe.store import Store
from mtprobe.suite.sample import Suite


def audit_evaluator(
    suite: Suite,
    method: Method,
    target: str,
    scorer: Scorer | None,
    store: Store | None,
    progress: Progress,
) -> Audited | None:
    """The audit of the cues that the run uses; None where no evaluator reads, or the suite has no pairs."""
    if scorer is None or not isinstance(method, ContrastiveConditioning):
        return None
    return next(iter(audit_forms(suite, target, scorer, store, progress, used_only=True)), None)


def cannot_calibrate(suite: Suite, method: Method, target: str) -> str | None:
    """Why a suite that calibrates cannot be judged for this language, or None."""
    if (
        not suite.options.get("calibrate")
        or not isinstance(method, ContrastiveConditioning)
        or suite.audit_for(target)
    ):
        return None
    return f"the suite calibrates its evaluator, and has no audit pairs for {target}"


def calibrated(method: Method, suite: Suite, target: str, audited: Audited | None) -> Method:
    """The method as the suite wants it: itself, or one that takes the audit's offsets off."""
    if not suite.options.get("calibrate") or not isinstance(method, ContrastiveConditioning):
        return method
    place = suite.place_of("calibrate")
    if audited is None:
        raise SuiteError.at(place, cannot_calibrate(suite, method, target) or "the evaluator was not audited")
    if audited.problem:
        raise ModelError(f"the evaluator could not be audited, so not calibrated: {audited.problem}")
    offsets = {one.reading: one.measure.value for one in audited.audit.offsets}
    known = {reading: value for reading, value in offsets.items() if value is not None}
    for reading in sorted(readings_judged(suite) - known.keys()):
        whose = "samples with cues of their own" if reading == OWN else f'samples for the reading "{reading}"'
        raise SuiteError.at(place, f"calibrate: the audit pairs for {target} say nothing of {whose}")
    return ContrastiveConditioning(known)
