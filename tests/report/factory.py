"""Runs made by hand, as small as a test needs them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mtprobe.gates.judge import Decision, GateResult
from mtprobe.methods.audit_pairs.outcome import Audit, Offset
from mtprobe.methods.salience.outcome import Importance, Salience, SalienceQuestion, SuiteSalience, Word
from mtprobe.methods.verdict import Evidence, Outcome, Result, Verdict
from mtprobe.metrics import Measure
from mtprobe.records import ModelFacts, Run, RunFacts, SuiteRun

MODEL = ModelFacts("demo", "demo:d968", "greedy", "fp32", "CPU")


def a_sample(
    id: str = "nurse-his", outcome: Outcome = Outcome.INCORRECT, p: float | None = None, **changes: Any
) -> Result:
    verdict = Verdict(outcome, changes.pop("reason", ""), p, tuple(changes.pop("evidence", ())))
    sample = Result(
        id=id,
        source="The nurse finished his shift.",
        focus=(4, 9),
        category="male",
        attributes={"stereotype": "anti"},
        cluster=id,
        path="suites/occupations.mt.yaml",
        line=14,
        translation="A enfermeira terminou o turno.",
        verdict=verdict,
    )
    return replace(sample, **changes)


def evidence(text: str = "The man nurse finished his shift.") -> list[Evidence]:
    return [
        Evidence("incorrect", "The woman nurse finished his shift.", -0.25),
        Evidence("correct", text, -1.5),
    ]


def a_gate(
    decision: Decision = Decision.PASSED,
    key: str = "accuracy[male]",
    bound: str = ">= 0.60",
    value: float | None = 0.75,
    **changes: Any,
) -> GateResult:
    measure = Measure.nothing() if value is None else Measure(value, value - 0.1, value + 0.1, 40)
    gate = GateResult(key, bound, "suites/occupations.mt.yaml", 9, measure, decision)
    return replace(gate, **changes)


def a_suite(*results: Result, **changes: Any) -> SuiteRun:
    suite = SuiteRun(
        suite="occupations",
        about="Does the translation keep the gender?",
        path="suites/occupations.mt.yaml",
        digest="0badcafe",
        method="contrastive-conditioning",
        categories=("male", "female"),
        source="en",
        target="pt",
        model=MODEL,
        evaluator=ModelFacts("opus", "hf:77aa", "", "fp32", "CPU"),
        judges_itself=False,
        partial=False,
        seed=0,
        results=results or (a_sample(p=0.2),),
        gates=(a_gate(),),
    )
    return replace(suite, **changes)


def a_run(*suites: SuiteRun) -> Run:
    return Run(RunFacts("0.1.0", "2026-03-01T09:05:00+00:00"), suites or (a_suite(),))


HOSTILE = (
    "<script>document.documentElement.dataset.owned = 1</script>",
    '"><img src=x onerror="document.documentElement.dataset.owned = 1">',
    "' autofocus onfocus='document.documentElement.dataset.owned = 1",
    "</script></style></title><script>document.title = 'owned'</script>",
    "<!-- {{ 7 * 7 }} {% raw %} &lt; &amp;",
    "\u202eright to left\u2066",
    "a line\u2028and a paragraph\u2029",
    "${document.title = 'owned'} javascript:document.title='owned' <svg onload=alert(1)>",
    "\\u003cscript\\u003e ]]> --> `" + "longword" * 60,
)


def a_hostile_run() -> Run:
    """Everything that comes from outside is all of the hostile strings."""
    bad = " ".join(HOSTILE)
    samples = [
        a_sample(
            f"{bad}-{outcome}",
            outcome,
            0.1,
            source=bad,
            focus=(0, 20),
            category=bad,
            attributes={bad: bad},
            path=bad,
            translation=bad,
            reason=bad,
            evidence=evidence(bad),
        )
        for outcome in Outcome
    ]
    facts = ModelFacts(bad, bad, bad, bad, bad)
    gates = [
        a_gate(decision, bad, bad, reason=bad, xfail=bad, measure=Measure(0.5, 0.4, 0.6, 9, bad))
        for decision in Decision
    ]
    suite = a_suite(
        *samples,
        suite=bad,
        about=bad,
        path=bad,
        digest=bad,
        method=bad,
        categories=(bad, "other"),
        source=bad,
        target=bad,
        model=facts,
        evaluator=facts,
        partial=True,
        gates=tuple(gates),
        salience=SuiteSalience(
            (
                Salience(
                    SalienceQuestion(bad, bad, bad, (0, 20), bad, (0, 20), ((0, 9),), (0, 3), bad),
                    0.5,
                    0.9,
                    (Word(bad[:9], 0, 9, "trigger", 0.2), Word(bad[9:], 9, len(bad), "other", -0.1)),
                ),
            ),
            Importance(Measure(0.5, 0.4, 0.6, 9, bad), 0.2, -0.1, 1, 1, 2.0, 0.04),
            failed=((bad, bad),),
        ),
        audit=Audit(
            bad, bad, *[Measure(0.5, 0.4, 0.6, 9, bad)] * 3, (Offset(bad, Measure(0.5, 0.4, 0.6, 9)),)
        ),
    )
    return Run(RunFacts(bad, bad), (suite, replace(suite, judges_itself=True, evaluator=None)))
