"""--mt-back SPEC"""

from __future__ import annotations

import pytest

import mtprobe
from mtprobe.backends import LanguagePair
from mtprobe.backends.protocols import Estimate
from mtprobe.cli import main
from mtprobe.errors import ModelError
from mtprobe.records import read_run

SUITE = """\
mtprobe: 1
name: there-and-back
about: Does it survive?
languages: {source: en, targets: any}
method: relation
categories: [numbers, case]
gates:
  accuracy[numbers]: ">= 0.5"
  accuracy[case]: ">= 0.5"
  degenerate: "<= 0.1"
samples:
  - {source: We sold 45 cars., category: numbers, relation: round-trip}
  - {source: We sold 50 cars., category: numbers, relation: round-trip}
  - {source: We were not there., category: numbers, relation: round-trip}
  - {source: Lindsey Galloway left., category: numbers, relation: round-trip, names: Lindsey Galloway}
  - {source: We saw a cat., category: case, relation: same, perturb: no-final-stop}
"""
ROUND_TRIPS = (
    SUITE.partition("  - {source: We saw")[0]
    .replace('  accuracy[case]: ">= 0.5"\n', "")
    .replace(", case]", "]")
)

MODELS = """
from toys import note

THERE = {
    "We sold 45 cars.": "Vendemos 54 carros.",
    "We sold 50 cars.": "Vendemos 50 carros.",
    "We were not there.": "Não estávamos lá.",
    "Lindsey Galloway left.": "Lindsey Galloway saiu.",
    "We saw a cat.": "Vimos um gato.",
    "We saw a cat": "Vimos um gato",
}
BACK = {
    "Vendemos 54 carros.": "We sold 54 cars.",
    "Vendemos 50 carros.": "We sold 15 cars.",
    "Não estávamos lá.": "We were not there.",
    "Lindsey Galloway saiu.": "Lindsey Galloway left.",
}


def there(sources):
    return [THERE[source] for source in sources]


def back(sources):
    for source in sources:
        note(f"back {source}")
    return [BACK[source] for source in sources]


there.fingerprint = "there"
back.fingerprint = "back"
"""


@pytest.fixture
def trips(project):
    project.path.joinpath("trips.py").write_text(MODELS, encoding="utf-8")
    project.path.joinpath("suites/occupations.mt.yaml").unlink()
    project.suite("trips", SUITE)
    return project


def there_and_back(project, *args):
    return project.pytest(
        "--mt-model=python:trips:there",
        "--mt-target=pt",
        "--mt-source=en",
        "--mt-back=python:trips:back",
        *args,
        model=None,
    )


def test_numbers_names_and_negation_survive_and_evidence_shows_the_way_back(trips):
    result = there_and_back(trips)
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["*translates back: python-trips-back*"])
    samples = {line["id"]: line["verdict"] for line in trips.record() if line["kind"] == "sample"}
    assert {name: verdict["outcome"] for name, verdict in samples.items()} == {
        "we-sold-45-cars": "incorrect",
        "we-sold-50-cars": "undecided",  # the second model's mistake
        "we-were-not-there": "correct",
        "lindsey-galloway-left": "correct",
        "we-saw-a-cat": "correct",
    }
    assert samples["we-sold-45-cars"]["reason"] == "numbers: “45” became “54”"
    (back,) = [item for item in samples["we-sold-45-cars"]["evidence"] if item["side"] == "back"]
    assert (back["text"], back["attributes"]) == ("We sold 54 cars.", {"source": "Vendemos 54 carros."})


def test_back_translations_are_stored_and_asked_for_once(trips):
    there_and_back(trips)
    asked = len(trips.calls("back"))
    there_and_back(trips)
    assert len(trips.calls("back")) == asked == 4


def test_without_a_second_model_its_samples_and_gates_are_skipped_with_the_reason(trips):
    result = trips.pytest(
        "-rs", "--mt-model=python:trips:there", "--mt-target=pt", "--mt-source=en", model=None
    )
    result.assert_outcomes(passed=2, skipped=1)
    result.stdout.fnmatch_lines(["*round trips need a model for back-translation (--mt-back)*"])
    (suite,) = [line for line in trips.record() if line["kind"] == "suite"]
    assert any(note.startswith("4 samples were skipped: round trips need") for note in suite["notes"])


def test_a_suite_of_round_trips_alone_is_skipped(trips):
    trips.suite("trips", ROUND_TRIPS)
    result = trips.pytest("--mt-model=python:trips:there", "--mt-target=pt", "--mt-source=en", model=None)
    result.assert_outcomes(skipped=2)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*no gate was judged*"])


def test_a_second_model_of_the_wrong_direction_is_a_usage_error(trips):
    result = trips.pytest(
        "--mt-model=python:trips:there", "--mt-target=pt", "--mt-source=en", "--mt-back=demo", model=None
    )
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*the second model demo cannot translate back from pt*"])


def test_the_ini_file_may_name_it(trips):
    trips.path.joinpath("pytest.ini").write_text("[pytest]\nmt_back = python:trips:back\n", encoding="utf-8")
    result = trips.pytest("--mt-model=python:trips:there", "--mt-target=pt", "--mt-source=en", model=None)
    result.assert_outcomes(passed=3)


def test_from_python_it_may_be_an_object(trips, monkeypatch):
    class Back:
        languages = LanguagePair("pt", "en")
        fingerprint = "object"

        def translate(self, sources):
            return ["We sold 54 cars." for _ in sources]

    class Wrong(Back):
        languages = LanguagePair("de", "en")

    monkeypatch.syspath_prepend(trips.path)
    monkeypatch.chdir(trips.path)
    settings = {"source": "en", "target": "pt", "take": 5}
    run = mtprobe.run("suites/trips.mt.yaml", "python:trips:there", back=Back(), **settings)
    assert run.suites[0].procedure == "relation 1, back object"
    with pytest.raises(ModelError, match="translates de→en; to translate back, it must translate pt→en"):
        mtprobe.run("suites/trips.mt.yaml", "python:trips:there", back=Wrong(), **settings)


def test_a_record_of_round_trips_is_judged_again_from_what_it_has(trips, monkeypatch):
    there_and_back(trips, "--mt-record=run.jsonl")
    asked = len(trips.calls("back"))
    monkeypatch.chdir(trips.path)
    assert main(["rescore", "run.jsonl", "-o", "again.jsonl"]) == 0
    before, after = (read_run(trips.path / name).suites[0] for name in ("run.jsonl", "again.jsonl"))
    assert [result.verdict for result in after.results] == [result.verdict for result in before.results]
    assert after.procedure == before.procedure
    assert len(trips.calls("back")) == asked


class Priced:
    """A second model that costs a dollar per sentence."""

    languages = LanguagePair("pt", "en")
    fingerprint = "priced"

    def translate(self, sources):
        return ["We sold 54 cars." for _ in sources]

    def estimate(self, sources):
        return Estimate(sum(map(len, sources)), float(len(sources)), "a dollar per sentence")


def test_the_second_model_counts_for_the_budget_and_what_is_stored_costs_nothing(trips, monkeypatch):
    monkeypatch.syspath_prepend(trips.path)
    monkeypatch.chdir(trips.path)

    def run(budget):
        settings = {"source": "en", "target": "pt", "store": "costs.sqlite", "budget": budget}
        return mtprobe.run("suites/trips.mt.yaml", "python:trips:there", back=Priced(), **settings)

    with pytest.raises(ModelError, match=r"the run would cost about 4\.00 USD"):
        run(3)
    run(4)
    run(0)
