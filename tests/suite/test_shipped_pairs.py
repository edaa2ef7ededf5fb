"""The shipped suites of minimal pairs, controls and Winograd schemas keep what they promise."""

from __future__ import annotations

import difflib
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest

import mtprobe
from mtprobe.gates import gates_for
from mtprobe.suites import load_suite

SUITES = Path(mtprobe.__file__).parent.parent / "suites"
PAIRS = {
    "pt": ("minimal_pairs/en-pt/errors", "controls/en-pt/implausible"),
    "de": ("minimal_pairs/en-de/errors", "controls/en-de/implausible"),
    "fr": ("minimal_pairs/en-fr/errors", "controls/en-fr/implausible"),
}
EVERY = [(language, name) for language, names in PAIRS.items() for name in names]
LANGUAGES = ("de", "fr", "pt", "ru")
MACHINE_LEAST = 25


def shipped(name):
    path = SUITES / f"{name}.mt.yaml"
    if not path.exists():
        pytest.skip("installed without its suites")
    return load_suite(path)


def words(text):
    return re.findall(r"\w+", text)


def changed(one, other):
    """The words that only one of the texts has, and how many stretches they stand in."""
    matcher = difflib.SequenceMatcher(None, words(one), words(other), autojunk=False)
    parts = [part for part in matcher.get_opcodes() if part[0] != "equal"]
    return max(sum(b - a for _, a, b, _, _ in parts), sum(d - c for *_, c, d in parts)), len(parts)


def sides(sample, language):
    (correct,), (incorrect,) = sample.targets[language].sides.values()
    return correct, incorrect


@pytest.fixture(scope="module")
def schemas():
    return shipped("winograd/schemas")


@pytest.mark.parametrize(("language", "phenomena"), [("pt", 7), ("de", 7), ("fr", 7)])
def test_every_phenomenon_has_forty_human_pairs(language, phenomena):
    counted = Counter(
        sample.attributes["phenomenon"]
        for sample in shipped(PAIRS[language][0]).samples
        if sample.category == "human"
    )
    assert len(counted) >= phenomena
    assert min(counted.values()) >= 40, counted


@pytest.mark.parametrize("language", ["pt", "de", "fr"])
def test_there_are_two_implausible_hypotheses_with_forty_human_pairs(language):
    counted = Counter(
        sample.attributes["hypothesis"]
        for sample in shipped(PAIRS[language][1]).samples
        if sample.category == "human"
    )
    assert len(counted) == 2
    assert min(counted.values()) >= 40, counted


@pytest.mark.parametrize("language", ["pt", "fr"])
@pytest.mark.parametrize(("suite", "attribute"), [(0, "phenomenon"), (1, "hypothesis")])
def test_portuguese_and_french_have_machine_references_everywhere(language, suite, attribute):
    samples = shipped(PAIRS[language][suite]).samples
    counted = Counter(sample.attributes[attribute] for sample in samples if sample.category == "machine")
    assert {*counted} == {sample.attributes[attribute] for sample in samples}
    assert min(counted.values()) >= MACHINE_LEAST, counted


@pytest.mark.parametrize(("language", "name"), EVERY)
def test_a_pair_differs_in_a_word_or_in_a_short_phrase(language, name):
    for sample in shipped(name).samples:
        correct, incorrect = sides(sample, language)
        assert correct != incorrect, sample.id
        if sample.attributes.get("phenomenon") == "clause-omission":
            assert len(words(incorrect)) <= len(words(correct)) - 2, sample.id
            assert {word.lower() for word in words(incorrect)} < {word.lower() for word in words(correct)}
        else:
            count, stretches = changed(correct, incorrect)
            assert count <= 3, sample.id  # with an article and a possessive that agree
            assert stretches <= 2, sample.id


@pytest.mark.parametrize(("language", "name"), EVERY)
def test_sentences_are_whole_and_stand_once(language, name):
    suite = shipped(name)
    rights = defaultdict(list)
    for sample in suite.samples:
        for text in (sample.source, *sides(sample, language)):
            assert text[0].isupper(), sample.id
            assert text.endswith((".", "?")), sample.id
            assert not re.search(r"[\[\]{}|]|  | [.,?]", text), sample.id
        rights[sample.attributes.get("phenomenon"), sample.category].append(sample.source)
    for sources in rights.values():
        if suite.name.startswith("translation"):
            assert len(sources) == len({*sources})


@pytest.mark.parametrize("category", ["human", "machine"])
def test_a_placeholder_is_the_word_for_thing(category):
    for language, thing in (("pt", "coisa"), ("de", "Ding"), ("fr", "truc")):
        for sample in shipped(PAIRS[language][1]).samples:
            if sample.attributes["hypothesis"] == "placeholder" and sample.category == category:
                correct, incorrect = (Counter(words(text)) for text in sides(sample, language))
                assert [*(incorrect - correct).elements()] == [thing], sample.id


def test_controls_are_gated_by_their_false_positives():
    for language, (_, name) in PAIRS.items():
        metrics = {gate.metric.name for gate in gates_for(shipped(name), language)}
        assert "false_positives" in metrics


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_forty_schemas_with_both_instances(schemas, language):
    by_schema = defaultdict(list)
    for sample in schemas.samples:
        if language in sample.targets:
            by_schema[sample.cluster].append(sample)
    assert len(by_schema) >= 40
    for name, instances in by_schema.items():
        assert [sample.attributes["antecedent"] for sample in instances] == [1, 2], name
        first, second = (sample.targets[language].variants for sample in instances)
        for attribute in ("gender", "position"):
            assert first[attribute].correct == second[attribute].incorrect != first[attribute].incorrect
            assert second[attribute].correct == first[attribute].incorrect


def test_the_sources_of_a_schema_differ_in_the_trigger_alone(schemas):
    by_schema = defaultdict(list)
    for sample in schemas.samples:
        by_schema[sample.cluster].append(sample)
    for name, (first, second) in by_schema.items():
        assert changed(first.source, second.source) == (1, 1), name
        for sample in (first, second):
            assert words(sample.source).count(sample.attributes["trigger"]) == 1, sample.id
            assert words(sample.source).count("it") == 1, sample.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_targets_of_a_schema_differ_in_what_agrees_with_the_pronoun(schemas, language):
    most = {"de": 1, "fr": 2, "pt": 2, "ru": 4}[language]  # pronoun, participle, past tense, adjective
    for sample in schemas.samples:
        if language in sample.targets:
            count, _ = changed(*sides(sample, language))
            assert 1 <= count <= most, sample.id


def test_german_pronouns_have_the_gender_that_is_said_of_them(schemas):
    genders = {"er": "masculine", "sie": "feminine", "es": "neuter"}
    _told(schemas, "de", genders)


def test_french_pronouns_have_the_gender_that_is_said_of_them(schemas):
    _told(schemas, "fr", {"il": "masculine", "elle": "feminine"})


def test_portuguese_pronouns_and_adjectives_have_the_gender_that_is_said_of_them(schemas):
    """Portuguese drops the pronoun where adjectives show the gender; both sentences of a schema do the same."""
    endings = {"o": "masculine", "a": "feminine", "ele": "masculine", "ela": "feminine"}
    dropped = defaultdict(set)
    for sample in schemas.samples:
        if "pt" not in sample.targets:
            continue
        held = sample.targets["pt"].variants["gender"]
        texts = [words(text) for text in sides(sample, "pt")]
        differ = [(right, wrong) for right, wrong in zip(*texts, strict=True) if right != wrong]
        for right, wrong in differ:
            genders = [endings.get(word, endings.get(word[-1])) for word in (right, wrong)]
            assert genders == [*held.correct, *held.incorrect], sample.id
        dropped[sample.cluster].add(not {"ele", "ela"} & {*texts[0]})
    assert {len(both) for both in dropped.values()} == {1}


def test_russian_pronouns_have_the_gender_that_is_said_of_them(schemas):
    _told(schemas, "ru", {"он": "masculine", "она": "feminine", "оно": "neuter"})


def _told(schemas, language, genders):
    for sample in schemas.samples:
        if language not in sample.targets:
            continue
        held = sample.targets[language]
        for side in ("correct", "incorrect"):
            (text,), (gender,) = getattr(held, side), getattr(held.variants["gender"], side)
            assert [genders[word] for word in words(text) if word in genders] == [gender], sample.id


def test_both_genders_come_first_about_equally_often(schemas):
    """Otherwise a preference for a gender and one for a position could not be told apart."""
    for language in LANGUAGES:
        first = Counter(
            sample.targets[language].variants["gender"].correct
            for sample in schemas.samples
            if language in sample.targets and sample.attributes["antecedent"] == 1
        )
        assert max(first.values()) <= 0.65 * sum(first.values()), (language, first)
