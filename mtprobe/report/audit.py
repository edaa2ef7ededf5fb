"""Who judged a suite, and its audits: one table per suite on the command line, a sentence elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mtprobe.methods import method_named
from mtprobe.methods.audit_pairs.outcome import Audit, Fitness, best_of
from mtprobe.methods.first_decided import FirstDecided
from mtprobe.report.numbers import interval, share, with_interval
from mtprobe.report.rich_text import empty_table, foreign

if TYPE_CHECKING:
    from rich.table import Table

    from mtprobe.records import SuiteRun
    from mtprobe.statistics.measure import Measure

FITNESS_STYLES = {
    Fitness.FIT: "green",
    Fitness.CALIBRATED: "yellow",
    Fitness.UNFIT: "red",
    Fitness.UNKNOWN: "red",
}


def read_by_evaluator(suite: SuiteRun) -> bool:
    """Whether an evaluator, which may be the model, read the translations through contrastive sources."""
    method = method_named(suite.method)
    return method is not None and method.scored_by == "evaluator"


def judged_by_itself(suite: SuiteRun) -> bool:
    """Whether the model took the place of an evaluator. Scoring given targets does not count: that is the test."""
    if not suite.judges_itself or not evaluator_decided(suite):
        return False
    return method_named(suite.method) is None or read_by_evaluator(suite)


def evaluator_decided(suite: SuiteRun) -> bool:
    """Whether verdicts depend on an evaluator. Where methods are combined, others may have decided every sample."""
    method = method_named(suite.method)
    if not isinstance(method, FirstDecided):
        return True
    scored = {part.name for part in method.methods if part.scored_by}
    return any(result.verdict.by in scored for result in suite.results)


def pairs_table(title: str, audits: Sequence[Audit]) -> Table:
    """Every cue form of a suite on its audit pairs, starting with the one that runs use."""
    from rich.text import Text

    table = empty_table(title)
    table.add_column("cue form")
    for column in ("accuracy (95%)", "AUC (95%)", "calibrated (95%)"):
        table.add_column(column, no_wrap=True)
    table.add_column("n", justify="right", no_wrap=True)
    table.add_column("offset (95%)")
    table.add_column("verdict")
    for number, audit in enumerate(audits):
        table.add_row(
            foreign(audit.form + (" *" if number == 0 and len(audits) > 1 else "")),
            *(_short(measure) for measure in (audit.accuracy, audit.auc, audit.calibrated)),
            str(audit.accuracy.n),
            Text("\n").join(map(foreign, offset_text(audit).split("; "))),
            foreign(audit.problem or audit.fitness.value, FITNESS_STYLES[audit.fitness]),
        )
    return table


def _short(measure: Measure) -> str:
    return "–" if measure.value is None else f"{share(measure.value)} ({interval(measure)})"


def advice(audits: Sequence[Audit], *, name_best: bool) -> list[str]:
    """Which form is the best by audit pairs, unless more is known about them, and what calibration would do."""
    if not audits:
        return []
    used, best = audits[0], best_of(tuple(audits))
    lines = []
    if name_best and best is not None and len(audits) > 1:
        hint = "" if best is used else f"; `cues: {best.form}` in the suite would use it"
        lines.append(f"best: {best.form}{hint} (* is used in runs)")
    if used.fitness is Fitness.CALIBRATED and not used.taken_off:
        lines.append(f"{used.form} has an offset; `calibrate: true` in the suite subtracts it")
    if used.calibrated.value is None and used.calibrated.note:
        lines.append(f"calibration could not be tested: {used.calibrated.note}")
    return lines


def offset_text(audit: Audit) -> str:
    """`female +0.031 ± 0.010`; of two mirrored readings, only the second."""
    offsets = audit.offsets
    if len(offsets) == 2 and offsets[0].measure.value == -(offsets[1].measure.value or 0.0):
        offsets = offsets[1:]
    return "; ".join(
        f"{offset.reading} {offset.measure.value:+z.3f} ± {(offset.measure.high - offset.measure.low) / 2:.3f}"
        for offset in offsets
        if offset.measure.value is not None
    )


def verdict_text(audit: Audit) -> str:
    """`fit: 0.96 (95% interval 0.93–0.99, n = 108) of known readings recognized`."""
    if audit.accuracy.value is None:
        return f"not measured: {audit.problem or audit.accuracy.note or 'no targets'}"
    text = f"{audit.fitness.value}: {with_interval(audit.accuracy)} of known readings recognized"
    if not audit.taken_off and audit.fitness is Fitness.FIT:
        return text
    taken = "subtracted here" if audit.taken_off else "not subtracted here"
    return f"{text}, calibrated {_short(audit.calibrated)}; offset {offset_text(audit)}, {taken}"


def audit_warning(run: SuiteRun) -> str:
    """Why this suite's numbers cannot be trusted; empty if they can, or if the evaluator was not audited.

    What audit pairs say about other sentences does not matter where the verdicts themselves are known to be fit.
    """
    if run.audit is None or run.audit.trusted or (run.in_place is not None and run.in_place.fit):
        return ""
    if not evaluator_decided(run):
        return ""
    judge = run.evaluator.name if run.evaluator else run.model.name
    why = "is fit only after calibration" if _would_help(run.audit) else "is unfit"
    why = "could not be audited" if run.audit.fitness is Fitness.UNKNOWN else why
    remedy = "; `calibrate: true` subtracts the offset" if _would_help(run.audit) else ""
    return f"do not trust these verdicts: {judge} {why} for {run.source}→{run.target} with these cues{remedy}"


def _would_help(audit: Audit) -> bool:
    return audit.fitness is Fitness.CALIBRATED and not audit.taken_off


def audit_text(run: SuiteRun) -> str:
    """The audit of the evaluator; empty if no evaluator scored the translations."""
    if run.audit is not None:
        return verdict_text(run.audit)
    method = method_named(run.method)
    scored = method is not None and "scores" in method.asks_for
    read = scored and read_by_evaluator(run) and (run.evaluator is not None or run.judges_itself)
    return f"not audited: the suite has no audit pairs for {run.target}" if read else ""
