"""Whether two suite runs were judged by the same procedure: verdicts by different ones are not compared."""

from __future__ import annotations

from mtprobe.records.run import SuiteRun

RENEW = "judge the earlier translations again with `mtprobe rescore`"
_FORM, _RULES = "cues ", "rules "  # parts of a procedure


def procedure_of(run: SuiteRun) -> str:
    """As recorded, or as it must have been: older records use version 1 of their method."""
    if run.procedure:
        return run.procedure
    rules = [part for part in run.details.split(", ") if part.startswith(_RULES)]
    calibrated = ["calibrated"] if run.audit and run.audit.taken_off else []
    return ", ".join([f"{run.method} 1", *rules, *calibrated])


def same_procedure(before: SuiteRun, after: SuiteRun) -> bool:
    """The cue form of an older record is known only from its audit; an unknown one counts as the same."""
    if bool(before.procedure) == bool(after.procedure):
        return before.procedure == after.procedure
    older, newer = (before, after) if not before.procedure else (after, before)
    known, parts = set(procedure_of(older).split(", ")), set(procedure_of(newer).split(", "))
    forms = {part for part in parts if part.startswith(_FORM)}
    if forms and older.audit is not None:
        known.add(f"{_FORM}{older.audit.form}")
        forms = set()
    return known == parts - forms


def difference(before: SuiteRun, after: SuiteRun) -> str:
    """For an error about the two."""
    return f"{after.suite} was judged by {procedure_of(before)}, and now by {procedure_of(after)}: {RENEW}"
