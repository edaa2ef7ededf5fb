"""The figures of the shipped suites on the demo model: who was asked, by whom it was judged, and every gate."""

from __future__ import annotations

import json

import mtprobe
from tests.conftest import ROOT

TAKEN = 25  # samples a suite


def test_the_shipped_suites_give_the_demo_model_the_figures_that_they_gave(monkeypatch, golden):
    """All that fit it and whose data is here: the public test sets and those into German are left out."""
    monkeypatch.chdir(ROOT)
    golden("figures.json", _page(mtprobe.run("suites", "demo", take=TAKEN)))


def test_the_suites_into_english_give_its_other_direction_the_figures_that_they_gave(monkeypatch, golden):
    monkeypatch.chdir(ROOT)
    golden("figures-pt-en.json", _page(mtprobe.run("suites", "demo:pt-en")))


def _page(run):
    return json.dumps([_figures(suite) for suite in run.suites], indent=1, ensure_ascii=False) + "\n"


def _figures(suite):
    return {
        "suite": suite.suite,
        "path": suite.path,
        "digest": suite.digest,
        "method": suite.method,
        "details": suite.details,
        "languages": f"{suite.source}→{suite.target}",
        "model": _model(suite.model),
        "evaluator": _model(suite.evaluator),
        "judges_itself": suite.judges_itself,
        "partial": suite.partial,
        "seed": suite.seed,
        "notes": list(suite.notes),
        "audit": suite.audit and suite.audit.fitness.value,
        "samples": {one.id: _outcome(one.verdict) for one in suite.results},
        "gates": [_gate(one) for one in suite.gates],
    }


def _model(facts):
    """What ran it is left out: on another machine it may be another."""
    return facts and [facts.name, facts.fingerprint, facts.decoding, facts.dtype]


def _outcome(verdict):
    return verdict.outcome.value if verdict.choice is None else f"{verdict.outcome.value}: {verdict.choice}"


def _gate(gate):
    found = gate.measure
    return {
        "key": gate.key,
        "bound": gate.bound,
        "place": f"{gate.path}:{gate.line}",
        "decision": gate.decision.value,
        "n": found.n,
        **{name: _rounded(getattr(found, name)) for name in ("value", "low", "high")},
        "note": found.note,
        "reason": gate.reason,
        "n_to_decide": gate.n_to_decide,
    }


def _rounded(value):
    return None if value is None else round(value, 6) + 0.0  # and never -0.0
