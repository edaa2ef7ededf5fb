"""Whether two suite runs were judged by the same procedure: verdicts by different ones are not compared."""

from __future__ import annotations

from mtprobe.records.run import SuiteRun

RENEW = "judge the earlier translations again with `mtprobe rescore`"
_ALSO_BEFORE = ("cues ", "calibrated", "rules ")  # what suites could set before records named the procedure


def procedure_of(run: SuiteRun) -> str:
    """As the record says, or as it must have been: older records are by version 1 of their method."""
    if run.procedure:
        return run.procedure
    calibrated = ", calibrated" if run.audit and run.audit.taken_off else ""
    return f"{run.method} 1{calibrated}"


def same_procedure(before: SuiteRun, after: SuiteRun) -> bool:
    """An older record says nothing of cue forms and rules, except in its audit: what is unknown counts as the same."""
    if before.procedure and after.procedure:
        return before.procedure == after.procedure
    older, newer = (before, after) if not before.procedure else (after, before)
    method, *settings = procedure_of(newer).split(", ")
    if method != f"{older.method} 1" or any(not part.startswith(_ALSO_BEFORE) for part in settings):
        return False
    if older.audit is None:
        return True
    forms = [part.removeprefix("cues ") for part in settings if part.startswith("cues ")]
    return forms in ([], [older.audit.form]) and older.audit.taken_off == ("calibrated" in settings)


def difference(before: SuiteRun, after: SuiteRun) -> str:
    """For an error about the two."""
    return f"{after.suite} was judged by {procedure_of(before)}, and now by {procedure_of(after)}: {RENEW}"
