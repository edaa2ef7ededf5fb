"""The shipped suites on real models: verdicts against the labels of people, and figures within stated tolerances"""

from __future__ import annotations

from pathlib import Path

import pytest

import mtprobe
from mtprobe.methods.audit_pairs.outcome import Fitness
from mtprobe.methods.verdict import Outcome
from mtprobe.suite.labels import UNCLEAR
from tests.conftest import ROOT

# Of the verdicts that were decided, this many must be what two readers say; and so many must be decided.
GOALS = {"gender/occupations": (0.97, 0.95), "wsd/everyday-words": (0.93, 0.80)}

# Accuracy by category as it was measured. What a model translates does not change, so neither do these, but for
# the last bit of a score here and there.
FIGURES = {
    ("demo", "gender/occupations"): {"male": 0.98, "female": 0.09},
    ("demo", "wsd/everyday-words"): {"frequent": 0.91, "rare": 0.48},
    ("opus", "gender/occupations"): {"male": 0.95, "female": 0.46},
    ("opus", "wsd/everyday-words"): {"frequent": 0.97, "rare": 0.66},
}
TOLERANCE = 0.02


@pytest.fixture(scope="module", params=["demo", "opus"])
def runs(request, models: Path, tmp_path_factory):
    opus = {"model": f"hf:{models / 'opus-mt-en-fr'}", "source": "en", "target": "fr"}
    settings = opus if request.param == "opus" else {"model": "demo"}
    store = tmp_path_factory.mktemp("store") / "store.sqlite"
    paths = [ROOT / "suites" / f"{name}.mt.yaml" for name in GOALS]
    run = mtprobe.run(paths, store=store, **settings)
    return request.param, dict(zip(GOALS, run.suites, strict=True))


@pytest.mark.parametrize("name", GOALS)
def test_verdicts_are_what_readers_say(runs, name):
    _, suites = runs
    labelled = [
        (result.verdict.outcome, result.label)
        for result in suites[name].results
        if result.label and result.label != UNCLEAR
    ]
    decided = [pair for pair in labelled if pair[0] in (Outcome.CORRECT, Outcome.INCORRECT)]
    right, share = GOALS[name]
    assert len(labelled) > 250
    assert len(decided) >= share * len(labelled)
    assert sum(outcome.value == label for outcome, label in decided) >= right * len(decided)


@pytest.mark.parametrize("name", GOALS)
def test_no_category_is_reported_far_from_what_readers_say(runs, name):
    _, suites = runs
    rows = [row for row in suites[name].in_place.fitness if row.source == "labels"]
    assert {row.category for row in rows} == set(suites[name].categories)
    for row in rows:
        assert abs(row.bias.value) <= 0.05, row
        assert row.fitness is not Fitness.UNFIT


@pytest.mark.parametrize("name", GOALS)
def test_the_figures_are_those_of_the_docs(runs, name):
    model, suites = runs
    for category, expected in FIGURES[model, name].items():
        results = [result for result in suites[name].results if result.category == category]
        correct = sum(result.verdict.outcome is Outcome.CORRECT for result in results)
        decided = correct + sum(result.verdict.outcome is Outcome.INCORRECT for result in results)
        assert correct / decided == pytest.approx(expected, abs=TOLERANCE)
