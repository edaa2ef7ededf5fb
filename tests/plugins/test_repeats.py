"""A chat model that samples by its seed: repeats differ, and are the same in the next run"""

from __future__ import annotations

import random

import pytest

import mtprobe
from tests.plugins.imitations import OPENAI, openai, said
from tests.plugins.loopback import Asked, Reply, loopback

SUITE = """\
mtprobe: 1
name: starters
about: Is a starter food?
languages: {source: en, targets: [de]}
method: lexicon
cluster: number
gates: {accuracy: ">= 0.50"}
generate:
  - source: "We had soup number {number} as a <starter>, and it was good."
    slots: {number: [one, two, three, four, five, six, seven, eight, nine, ten]}
    lemmas:
      de: {good: [Vorspeise], bad: [Anlasser]}
"""


def samples_by_seed(asked: Asked) -> Reply:
    if asked.method == "GET":
        return openai(asked)
    body = asked.json
    source = body["messages"][-1]["content"]
    right = random.Random(f"{body.get('seed')} {source}").random() < 0.7 or body["temperature"] == 0
    word, number = "Vorspeise" if right else "Anlasser", source.split()[4]
    return said(f"Wir hatten die Suppe {number} als {word}, und sie war gut.")


@pytest.fixture
def run(monkeypatch, tmp_path):
    suite = tmp_path / "starters.mt.yaml"
    suite.write_text(SUITE, encoding="utf-8")
    monkeypatch.setenv(OPENAI.key, "s3cr3t-0f-the-h0use-4711")
    with loopback(samples_by_seed) as server:

        def asked(*options: str, **settings):
            spec = OPENAI.spec(server.address, *options)
            return mtprobe.run(suite, spec, source="en", target="de", **settings)

        yield asked


def test_the_mean_over_repeats_is_gated_and_flaky_samples_are_known(run):
    [suite] = run("temperature=0.7", "seed=1", repeat=8).suites
    right = [result.verdict.outcome.value == "correct" for result in suite.results]
    assert len(right) == 80
    [gate] = suite.gates
    assert (gate.measure.value, gate.measure.n) == (sum(right) / 80, 10)
    assert gate.measure.value != pytest.approx(sum(right[::8]) / 10)
    assert gate.measure.high - gate.measure.low > 0.2


def test_the_same_seed_gives_the_same_translations_again(run):
    first, second, other = (
        [row["translation"] for row in run("temperature=0.7", f"seed={seed}", repeat=4).to_rows()]
        for seed in (1, 1, 50)
    )
    assert first == second != other
    assert any(len(set(first[start : start + 4])) > 1 for start in range(0, 40, 4))


def test_without_temperature_nothing_is_flaky(run):
    rows = run("seed=1", repeat=3).to_rows()
    assert {row["outcome"] for row in rows} == {"correct"}
    assert len({row["translation"] for row in rows}) == 10
