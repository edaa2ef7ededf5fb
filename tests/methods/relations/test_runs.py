"""Runs with related sources: what is translated, what does not depend on the choice of samples, and judging again"""

from __future__ import annotations

from random import Random

import pytest

import mtprobe
from mtprobe.backends import LanguagePair
from mtprobe.cli import main
from mtprobe.plan import Planner, open_models
from mtprobe.records import read_run
from mtprobe.settings import read_settings
from mtprobe.suites import load_suite

SUITE = """\
mtprobe: 1
name: relations
about: Do the translations belong together?
languages: {source: en, targets: any}
method: relation
gates: {accuracy: ">= 0.1", false_alarms: "<= 0.5"}
generate:
  - source: "The {animal} slept in the {place}."
    slots: &slots {animal: [dog, cat, horse], place: [garden, house]}
    relation: same
    perturb: [upper-case, no-final-stop, lower-start]
  - source: "A {animal} lives in the {place}."
    slots: *slots
    relation: same
    against: "A {animal} lived in the {place}."
    control: true
"""
WORDS = {"dog": "cão", "cat": "gato", "horse": "cavalo", "garden": "jardim", "house": "casa"}


class Toy:
    """Translates word by word, and not at all what is in capitals but for the house; counts what it is asked."""

    languages = LanguagePair("en", "pt")
    fingerprint = "toy"

    def __init__(self):
        self.asked = []

    def translate(self, sources):
        self.asked += sources
        return [self.one(source) for source in sources]

    def one(self, source):
        if source.isupper() and "HOUSE" not in source:
            return "O NÃO " + source
        animal, place = (WORDS[word] for word in WORDS if word in source.lower())
        verb = "vive" if "live" in source else "dormiu"
        return f"O {animal} {verb} na {place}" + "." * source.endswith(".")


@pytest.fixture
def suite(tmp_path):
    path = tmp_path / "relations.mt.yaml"
    path.write_text(SUITE, encoding="utf-8")
    return path


def verdicts(run):
    return {result.id: (result.verdict.outcome, result.verdict.reason) for result in run.suites[0].results}


def test_each_sentence_is_translated_once_further_sources_too(suite):
    toy = Toy()
    mtprobe.run(suite, toy)
    assert len(toy.asked) == len(set(toy.asked)) == 6 * 4 + 6 * 2


def test_a_verdict_does_not_depend_on_which_samples_are_taken_or_on_their_order(suite):
    complete = verdicts(mtprobe.run(suite, Toy()))
    assert {outcome for outcome, _ in complete.values()} > {"correct"}
    for take in (3, 7, 11):
        some = verdicts(mtprobe.run(suite, Toy(), take=take))
        assert len(some) == take
        assert some.items() <= complete.items()
    lines = SUITE.partition("generate:\n")[2].split("  - source")[1:]
    Random(1).shuffle(lines)
    anchored = [
        line.replace("*slots", "{animal: [dog, cat, horse], place: [garden, house]}").replace("&slots ", "")
        for line in lines
    ]
    suite.write_text(
        SUITE.partition("generate:\n")[0] + "generate:\n" + "".join(f"  - source{line}" for line in anchored),
        encoding="utf-8",
    )
    assert verdicts(mtprobe.run(suite, Toy())) == complete


def test_repeats_are_compared_with_the_same_repeat(suite):
    class Sampling(Toy):
        takes_requests = True

        def translate(self, requests):
            return [f"{self.one(request.text)} ({request.repeat})" for request in requests]

    run = mtprobe.run(suite, Sampling(), repeat=2).suites[0]
    assert len(run.results) == 2 * 24
    for result in run.results:
        (item,) = [item for item in result.verdict.evidence if item.side == "against"]
        assert item.text[-3:] == result.translation[-3:] == f"({result.repeat - 1})"


def test_a_record_can_be_judged_again_with_nothing_to_translate(suite, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = mtprobe.run(suite.name, Toy(), record="run.jsonl")
    assert main(["rescore", "run.jsonl", "-o", "again.jsonl"]) == 0
    assert verdicts(read_run(tmp_path / "again.jsonl")) == verdicts(before)


def test_costs_count_further_sources(suite):
    settings = read_settings()
    models = open_models(settings, model=Toy())
    plan = Planner(settings, models, has_baseline=False).plan([suite])
    assert len(plan.running[0].requests()) == 6 * 4 + 6 * 2


def test_expanded_samples_can_be_read_again_as_data(suite, tmp_path, capsys):
    assert main(["expand", str(suite), "--jsonl"]) == 0
    (tmp_path / "samples.jsonl").write_text(capsys.readouterr().out, encoding="utf-8")
    again = tmp_path / "again.mt.yaml"
    again.write_text(SUITE.partition("generate:")[0] + "data: {file: samples.jsonl}\n", encoding="utf-8")
    one, other = load_suite(suite), load_suite(again)
    assert [sample.sentences for sample in one.samples] == [sample.sentences for sample in other.samples]
    assert [sample.attributes.get("control") for sample in one.samples] == [
        sample.attributes.get("control") for sample in other.samples
    ]
