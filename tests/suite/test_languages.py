"""Which model may be asked a suite's question: language tags that fit each other."""

from __future__ import annotations

import pytest


@pytest.fixture
def suite(good, load):
    def suite(source: str = "en", targets: str = "any"):
        return load(good.replace("{source: en, targets: any}", f"{{source: {source}, targets: {targets}}}"))

    return suite


@pytest.mark.parametrize(
    ("written", "model"),
    [
        ("pt", "pt-BR"),
        ("pt", "por_Latn"),
        ("pt", "por"),
        ("pt-BR", "pt"),
        ("pt_br", "pt-BR"),
        ("zh", "zh-Hans"),
        ("zh-Hans", "zho_Hans"),
        ("no", "nb"),
        ("nb", "no"),
        ("nn", "no"),
        ("sr-Latn", "sr"),
        ("de", "deu_Latn"),
        ("any", "de"),
        ("[any]", "de"),
        ("[de, pt]", "pt"),
    ],
)
def test_a_target_fits(suite, written, model):
    assert suite(targets=written).fits("en", model)


@pytest.mark.parametrize(
    ("written", "model"),
    [
        ("pt-PT", "pt-BR"),
        ("zh-Hans", "zh-Hant"),
        ("zh-Hans", "zho_Hant"),
        ("nb", "nn"),
        ("sr-Latn", "sr-Cyrl"),
        ("de", "nl"),
        ("[de, pt]", "fr"),
    ],
)
def test_a_target_does_not_fit(suite, written, model):
    assert not suite(targets=written).fits("en", model)


def test_the_source_fits_by_the_same_rules(suite):
    assert suite(source="en").fits("en-GB", "de")
    assert suite(source="eng_Latn").fits("en", "de")
    assert not suite(source="en").fits("de", "en")


def test_targets_may_be_left_out(good, load):
    assert load(good.replace(", targets: any", "")).targets is None


def test_an_empty_list_of_targets_is_an_error(good, problem):
    found = problem(good.replace("targets: any", "targets: []"))
    assert (found.place.line, found.message) == (4, "languages.targets: must have at least one entry")


def test_the_languages_of_evidence_are_written_in_one_way(good, load):
    text = good + "    lemmas:\n      por_Latn: {good: médica, bad: médico}\n"
    assert load(text).samples[0].lemmas["pt"].correct == ("médica",)
