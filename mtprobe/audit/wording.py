"""The wording of audits in place, shared by all reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mtprobe.audit.fitness import ENOUGH, LABELS, CategoryFitness
from mtprobe.audit.outcome import Counterfactuals, InPlaceAudit
from mtprobe.audit.truth import answer_of
from mtprobe.methods import METHODS
from mtprobe.methods.audit_pairs.outcome import Fitness
from mtprobe.methods.verdict import Result

NOT_AUDITED = "nobody has checked these verdicts yet: label some translations (`mtprobe label`)"


def source_name(source: str) -> str:
    """`the labels`, `the grammar`, or a method's own name."""
    if source == LABELS:
        return "the labels"
    method = METHODS.get(source)
    return (method.as_witness if method else "") or source


def fitness_line(row: CategoryFitness) -> str:
    """`verdicts agree with the grammar in 0.94 (n = 554); female reported 0.34, by the grammar 0.44: unfit`."""
    if row.by_witness_alone:
        return f"{row.group} not audited: {source_name(row.source)} gives every verdict itself"
    if not row.measured:
        return f"{row.group} could not be compared with {source_name(row.source)}: {row.bias.note}"
    return f"{_agreement(row)}; {_numbers(row)}: {row.fitness.value}{_why_unknown(row)}"


def counterfactual_line(row: Counterfactuals) -> str:
    """`counterfactuals: female and its opposite both recognized in 0.83 of 92 pairs (own 0.97, exchanged 0.85); …`."""
    made = f"{row.both.n:,} of {row.asked:,} translations could be exchanged"
    if row.both.value is None or row.own.value is None or row.other.value is None:
        return f"counterfactuals: none for {row.category or 'all'}"
    return (
        f"counterfactuals: {row.category or 'all'}: both readings recognized in {row.both.value:.2f} "
        f"(translation {row.own.value:.2f}, with the other reading {row.other.value:.2f}); {made}"
    )


def unfit_reasons(audit: InPlaceAudit) -> Mapping[str | None, str]:
    """Why gates on a category may not be decided on its verdicts."""
    return {
        row.category: f"unfit verdicts: {_numbers(row)} (difference {_difference(row)}, n = {row.bias.n:,})"
        for row in audit.unfit
    }


def unaudited_reasons(audit: InPlaceAudit, results: Iterable[Result]) -> Mapping[str | None, str]:
    """Why gates on a category may be wrong: nothing else is known about its verdicts."""
    decided = dict.fromkeys(result.category for result in results if answer_of(result) is not None)
    without_a_model = {row.category for row in audit.by_witness_alone}
    return {
        category: NOT_AUDITED
        for category in decided
        if category not in audit.audited and category not in without_a_model
    }


def _agreement(row: CategoryFitness) -> str:
    source = source_name(row.source)
    if row.agreement.value is None:
        return f"{source} decides {1 - row.share:.0%} of the verdicts, and nothing is known about the others"
    agree = f"verdicts agree with {source} in {row.agreement.value:.2f} (n = {row.agreement.n:,})"
    return (
        f"{source} decides {1 - row.share:.0%} of the verdicts, and the other {agree}"
        if row.share < 1
        else agree
    )


def _numbers(row: CategoryFitness) -> str:
    what = f"{row.group} chosen" if row.choice else f"{row.group} reported"
    return f"{what} {row.reported.value:.2f}, by {source_name(row.source)} {row.truth.value:.2f}"


def _difference(row: CategoryFitness) -> str:
    return f"{row.bias.value:+z.2f}, 95% interval {row.bias.low:+z.2f} to {row.bias.high:+z.2f}"


def _why_unknown(row: CategoryFitness) -> str:
    if row.fitness is not Fitness.UNKNOWN:
        return ""
    if row.covered < ENOUGH:
        return f" (only {row.covered:.0%} of the samples could be compared)"
    return f" (difference {_difference(row)})"
