"""Schemas for language models: the translation with a gap and both noun phrases."""

from __future__ import annotations

from pathlib import Path

import pytest

from mtprobe.authoring.winograd.contrast import MORE_DIFFERS, NOT_NOMINATIVE
from mtprobe.authoring.winograd.gap import DIFFERENT_GENDER, GAPS, Gapped, with_gap
from mtprobe.authoring.winograd.make import TWIN
from mtprobe.authoring.winograd.schema import Instance
from mtprobe.errors import Place
from tests.authoring.winograd.test_make import TRANSLATIONS, TWINS, made

KEY = "La clé n'ouvrait pas la serrure parce que {} était rouillée."


def test_the_filler_gives_way_to_a_gap():
    found = with_gap("fr", KEY.format("la clé"), KEY.format("la serrure"))
    assert found == Gapped(KEY.format("_"), ("la clé", "la serrure"))


@pytest.mark.parametrize(
    ("language", "first", "second", "reason"),
    [
        (
            "fr",
            "Le livre n'entrait pas dans la valise parce que le livre était trop grand.",
            "Le livre n'entrait pas dans la valise parce que la valise était trop grande.",
            DIFFERENT_GENDER,
        ),
        (
            "fr",
            "La clé n'ouvrait pas la serrure parce que la clé était rouillée.",
            "La clé n'ouvrait pas la serrure, car la serrure était rouillée.",
            MORE_DIFFERS,
        ),
        (
            "de",
            "Ich stellte den Krug neben den Korb, weil er den Krug sah.",
            "Ich stellte den Krug neben den Korb, weil er den Korb sah.",
            NOT_NOMINATIVE,
        ),
    ],
)
def test_what_a_language_model_could_not_be_asked_is_rejected(language, first, second, reason):
    assert with_gap(language, first, second) == reason


def test_german_predicates_show_no_gender_so_fillers_may_differ_in_it():
    samples, counts = made(TWINS, TRANSLATIONS, GAPS)
    first, second = samples
    assert first.source == "The book does not fit into the suitcase because _ is too large."
    assert first.fillers.correct == ["the book"]
    assert first.fillers.incorrect == ["the suitcase"]
    assert first.targets["de"].correct == ["Das Buch passt nicht in den Koffer, weil das Buch zu groß ist."]
    assert first.targets["de"].incorrect == [
        "Das Buch passt nicht in den Koffer, weil der Koffer zu groß ist."
    ]
    assert second.targets["de"].correct == [
        "Das Buch passt nicht in den Koffer, weil der Koffer zu klein ist."
    ]
    assert [sample.category for sample in samples] == ["first", "second"]
    assert counts.schemas == 1


def test_an_instance_goes_with_its_twin():
    broken = {**TRANSLATIONS, TWINS[1].filled(1): "Der Koffer ist klein."}
    samples, counts = made(TWINS, broken, GAPS)
    assert not samples
    assert counts.skipped[TWIN] == 1


@pytest.mark.parametrize(
    ("sentence", "gapped", "fillers"),
    [
        ("The cup fell off the tray because the _ was wet.", "The cup fell off the tray because _ was wet.", ["the cup", "the tray"]),
        ("The cup fell off the tray because _ was wet.", "The cup fell off the tray because _ was wet.", ["cup", "tray"]),
    ],
)  # fmt: skip
def test_the_english_gap_takes_a_noun_phrase(sentence, gapped, fillers):
    instance = Instance("c-1", sentence, ("cup", "tray"), 0, Place(Path("s.jsonl"), 1))
    assert instance.gapped == gapped
    assert [instance.filler(option) for option in (0, 1)] == fillers
