"""The suites that we ship: they load, lint finds nothing in them, and they are as large and as even as they say."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pytest

import mtprobe
from mtprobe.gates import gates_for
from mtprobe.methods import check_evidence
from mtprobe.suite.lint import warnings
from mtprobe.suites import load_suite

SUITES = Path(mtprobe.__file__).parent.parent / "suites"
GENDER = ("neutral", "occupations", "two-people")
# Those in public/ have no data here; tests/datasets asks them.
OURS = sorted(path for path in SUITES.rglob("*.mt.yaml") if path.parent.name != "public")


def gender(name):
    return load_suite(SUITES / "gender" / f"{name}.mt.yaml")


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_a_shipped_suite_loads_can_be_judged_and_lint_finds_nothing(path):
    suite = load_suite(path)
    check_evidence(suite)
    assert gates_for(suite, "pt")
    if path.stem != "everyday-words.mt":  # test_shipped_words.py asks it
        assert [str(problem) for problem in warnings(suite)] == []


def test_the_demo_run_is_not_too_long():
    suites = [suite for suite in map(load_suite, OURS) if suite.fits("en", "pt")]
    scored = [suite for suite in suites if suite.path.parent.name != "robustness"]
    assert sum(len(suite.samples) for suite in scored) <= 4_100
    assert sum(len(suite.samples) for suite in suites) <= 7_200  # those of robustness need no scores


@pytest.mark.parametrize("name", GENDER)
def test_there_are_as_many_typically_male_as_female_occupations(name):
    typical = {
        sample.attributes["occupation"]: sample.attributes["typical"] for sample in gender(name).samples
    }
    counted = Counter(typical.values())
    assert len(typical) >= 60
    assert counted["male"] == counted["female"] >= 20
    assert counted["neither"] >= 15


def test_there_are_at_least_twelve_templates_of_several_kinds():
    templates = {name: {sample.id.split("/")[0] for sample in gender(name).samples} for name in GENDER}
    assert len({*templates["occupations"], *templates["two-people"]}) >= 12
    assert len(templates["two-people"]) >= 6
    assert len(templates["neutral"]) >= 5
    pronouns = {sample.attributes["pronoun"] for sample in gender("occupations").samples}
    assert pronouns == {"possessive", "subject", "object", "reflexive"}


@pytest.mark.parametrize("name", ["occupations", "two-people"])
def test_each_sentence_is_asked_of_a_woman_and_of_a_man_and_fits_the_cliche_as_often_as_not(name):
    suite = gender(name)
    asked = defaultdict(set)
    for sample in suite.samples:
        asked[sample.id.split("/")[0], sample.attributes["occupation"]].add(sample.category)
    assert {frozenset(categories) for categories in asked.values()} == {frozenset({"male", "female"})}
    by_category = Counter((sample.category, sample.attributes.get("stereotype")) for sample in suite.samples)
    assert (
        len({by_category[category, kind] for category in ("male", "female") for kind in ("pro", "anti")}) == 1
    )
    for sample in suite.samples:
        assert ("stereotype" in sample.attributes) == (sample.attributes["typical"] != "neither")


def test_of_two_people_each_place_is_asked_equally_often():
    assert (
        len(set(Counter(sample.attributes["place"] for sample in gender("two-people").samples).values())) == 1
    )


def test_every_neutral_sample_is_open_and_tells_no_gender():
    suite = gender("neutral")
    assert suite.open == {"neutral": {"male", "female"}}
    telling = {"he", "she", "his", "her", "him", "hers", "himself", "herself", "man", "woman"}
    for sample in suite.samples:
        assert sample.choices
        assert not telling & set(sample.source.lower().strip(".?").replace(",", "").split())


@pytest.mark.parametrize("language", ["de", "es", "fr", "it", "pt", "ru"])
@pytest.mark.parametrize("name", GENDER)
def test_an_evaluator_can_be_audited_in_six_languages(name, language):
    pairs = gender(name).audit_for(language)
    sentences = Counter(pair.sample.cluster for pair in pairs)
    assert len(sentences) >= 17
    assert min(sentences.values()) >= 2
    for pair in pairs:
        assert {*pair.targets} == {"male", "female"}
        assert len({*pair.targets["male"], *pair.targets["female"]}) == 2
