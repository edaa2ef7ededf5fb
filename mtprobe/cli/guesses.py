"""Advice for verbs that mtprobe does not have but that people try."""

from __future__ import annotations

from mtprobe import SUITE_SUFFIXES
from mtprobe.errors import did_you_mean

_RUN = "suites are run by pytest: `pytest --mt-model=SPEC {suite}`"

_MEANT = {
    _RUN: ("run", "test", "tests", "pytest", "eval", "evaluate", "judge", "probe", "exec", "start"),
    "`mtprobe lint SUITE` finds mistakes in suites": (
        "check",
        "validate",
        "verify",
        "format",
        "fmt",
        "doctor",
    ),
    "`mtprobe new suite PATH` starts a suite": ("init", "create", "make", "scaffold", "template", "add"),
    "`mtprobe expand SUITE` shows the samples of a suite, `pytest --collect-only SUITE` its gates, `mtprobe backends` the models": (
        "list",
        "ls",
        "collect",
        "samples",
        "generate",
        "preview",
    ),
    "`mtprobe backends` lists the models": ("models", "model", "specs"),
    "`mtprobe show RECORD` shows the samples of a run, `mtprobe report RECORD` writes the report": (
        "view",
        "open",
        "inspect",
        "results",
        "html",
        "summary",
    ),
    "`mtprobe compare BEFORE AFTER` compares two runs": ("diff", "delta", "regression"),
    "`mtprobe bless RECORD` makes a run the baseline": ("baseline", "accept", "approve", "update"),
    "`mtprobe label` draws translations and takes labels for them": ("annotate", "review"),
    "`mtprobe --help` lists the verbs": ("help", "verbs", "commands", "usage"),
    "`mtprobe --version` shows the version": ("version",),
}
_ADVICE = {verb: advice for advice, verbs in _MEANT.items() for verb in verbs}


def unknown_verb(name: str, words: list[str], known: list[str]) -> str:
    """The message: what the user may have meant, or how verbs are listed."""
    if name.endswith(SUITE_SUFFIXES):
        return f'"{name}" is not a verb; {_RUN.format(suite=name)}'
    if name in _ADVICE:
        suite = next((word for word in words if word.endswith((".yaml", ".yml"))), "SUITE")
        return f'there is no verb "{name}"; {_ADVICE[name].format(suite=suite)}'
    return f'there is no verb "{name}"{did_you_mean(name, known)} (`mtprobe --help` lists them)'
