"""The audit in place: compares the verdicts on a suite with everything else known about its translations."""

from __future__ import annotations

from collections.abc import Sequence

from mtprobe.audit.combined import compare_combined
from mtprobe.audit.compare import compare
from mtprobe.audit.diagnosis import diagnose
from mtprobe.audit.outcome import InPlaceAudit
from mtprobe.audit.truth import Truth
from mtprobe.methods import Method
from mtprobe.methods.first_decided import FirstDecided
from mtprobe.methods.verdict import Result
from mtprobe.suite.labels import half_of
from mtprobe.suite.sample import Suite


def audit_in_place(
    suite: Suite,
    method: Method,
    results: Sequence[Result],
    truths: Sequence[Truth | str | None],
    problems: Sequence[str] = (),
    *,
    held_out: bool = False,
) -> InPlaceAudit | None:
    """The verdicts of one method. None where nobody needs to ask: no evaluator judged, and there are no labels.

    `truths` are labels and what witnesses decided, in the order in which they count, or why they cannot be used.
    `held_out`: the cue form was chosen by them on one half of the words, and only the other half shows what it is worth.
    """
    by_evaluator = method.scored_by == "evaluator"
    known = [truth for truth in truths if isinstance(truth, Truth)]
    missing = [truth for truth in truths if isinstance(truth, str)]
    if method.judges != "translations" or not (by_evaluator or known or missing):
        return None
    compared = [result for result in results if not held_out or half_of(result.cluster) == "reporting"]
    fitness = [row for truth in known for row in compare(compared, suite.categories, truth)]
    if by_evaluator and isinstance(method, FirstDecided):
        witnesses = [part.name for part in method.methods if part.is_witness]
        fitness += compare_combined(compared, suite.categories, witnesses) if witnesses else ()
    findings = diagnose(suite, results) if by_evaluator else ()
    return InPlaceAudit(tuple(fitness), tuple(findings), (*missing, *problems))
