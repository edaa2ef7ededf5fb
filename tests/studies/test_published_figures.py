"""Figures that others have published, from their data and our arithmetic."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence

import pytest

from mtprobe.metrics import Selector, measure, tally
from mtprobe.statistics.agreement import agreement, precision, recall
from tests.metrics.results import result

from .winomt import Line, predictions, read_lines


def percent(value: float | None) -> float:
    """As the published script rounds: to one decimal, at every step."""
    assert value is not None
    return round(100 * value, 1)


def accuracy(gold: Sequence[str], found: Sequence[str]) -> float:
    return percent(agreement(gold, found, [str(number) for number in range(len(gold))]).value)


def f1(lines: Sequence[Line], name: str) -> float:
    gold, found = [line.gold for line in lines], [line.predicted for line in lines]
    clusters = [line.occupation for line in lines]
    p, r = (percent(one(found, gold, name, clusters).value) for one in (precision, recall))
    return round(2 * p * r / (p + r), 1)


@pytest.mark.parametrize(("system", "figures"), [("aws", (62.4, 12.0, 16.7)), ("google", (59.4, 12.5, 12.5))])
def test_the_german_rules_give_the_published_accuracy_and_gaps(shared_data, system, figures):
    lines = predictions(shared_data / "winomt", system)
    found = {(line.sentence, line.occupation): line.predicted for line in lines}
    halves = []
    for half in ("pro", "anti"):
        rows = [row.split("\t") for row in read_lines(shared_data / "winomt" / f"en_{half}.txt.gz")]
        halves.append(accuracy([row[0] for row in rows], [found[row[2], row[3]] for row in rows]))
    assert figures == (
        accuracy([line.gold for line in lines], [line.predicted for line in lines]),
        pytest.approx(f1(lines, "male") - f1(lines, "female")),
        pytest.approx(halves[0] - halves[1]),
    )


def test_lemma_matching_on_mucow_gives_the_published_coverage_and_precision(shared_data):
    folder = shared_data / "mucow"
    categories = json.loads((folder / "frequency_categories.json").read_text(encoding="utf-8"))
    frequent, rare = (
        {(word, lemma) for word, lemma in categories[f"{kind}_word_senses"]["de"]}
        for kind in ("frequent", "infrequent")
    )
    results = []
    log = gzip.decompress((folder / "pattern_matching.en-de.jsonl.gz").read_bytes()).decode()
    for number, item in enumerate(map(json.loads, log.splitlines())):
        senses = {(item["src_word"], lemma) for lemma in item["correct_senses"]}
        assert senses <= frequent or senses <= rare
        outcome = {True: "correct", False: "incorrect", None: "undecided"}[item["is_correct"]]
        results.append(
            result(
                number,
                outcome,
                category="frequent" if senses <= frequent else "rare",
                cluster=item["src_word"],
            )
        )
    counted = tally(results)

    def value(metric, category=None):
        return round(measure(metric, counted, Selector(category), ("frequent", "rare")).value, 4)

    assert len(results) == 3337
    assert (value("coverage"), value("accuracy")) == (0.7405, 0.7519)
    assert (value("accuracy", "frequent"), value("accuracy", "rare")) == (0.9592, 0.5031)
    assert value("minimum_accuracy") == 0.5031
