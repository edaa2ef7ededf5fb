"""Two translations with their fillers become two with pronouns, or it is said why not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.authoring.winograd import contrast as filters
from mtprobe.authoring.winograd.contrast import contrast

PAIRS = [
    (
        "de",
        "Ich staubte die Kommode mit dem Lappen ab, bis die Kommode staubfrei war.",
        "Ich staubte die Kommode mit dem Lappen ab, bis der Lappen staubfrei war.",
        ("Ich staubte die Kommode mit dem Lappen ab, bis sie staubfrei war.", "feminine"),
        ("Ich staubte die Kommode mit dem Lappen ab, bis er staubfrei war.", "masculine"),
    ),
    (
        "de",
        "Das Buch passt nicht in den Koffer, weil das Buch zu groß ist.",
        "Das Buch passt nicht in den Koffer, weil der Koffer zu groß ist.",
        ("Das Buch passt nicht in den Koffer, weil es zu groß ist.", "neuter"),
        ("Das Buch passt nicht in den Koffer, weil er zu groß ist.", "masculine"),
    ),
    (
        "fr",
        "Il a utilisé la carte pour acheter un billet, mais la carte a été refusée.",
        "Il a utilisé la carte pour acheter un billet, mais le billet a été refusé.",
        ("Il a utilisé la carte pour acheter un billet, mais elle a été refusée.", "feminine"),
        ("Il a utilisé la carte pour acheter un billet, mais il a été refusé.", "masculine"),
    ),
    (
        "fr",
        "Le livre n'entre pas dans une armoire parce que le livre est trop grand.",
        "Le livre n'entre pas dans une armoire parce que l'armoire est trop grande.",
        ("Le livre n'entre pas dans une armoire parce qu'il est trop grand.", "masculine"),
        ("Le livre n'entre pas dans une armoire parce qu'elle est trop grande.", "feminine"),
    ),
    (
        "pt",
        "O livro não cabe na mala porque o livro é muito pequeno.",
        "O livro não cabe na mala porque a mala é muito pequena.",
        ("O livro não cabe na mala porque ele é muito pequeno.", "masculine"),
        ("O livro não cabe na mala porque ela é muito pequena.", "feminine"),
    ),
    (
        "ru",
        "Книга не помещается в чемодан, потому что книга была большая.",
        "Книга не помещается в чемодан, потому что чемодан был большой.",
        ("Книга не помещается в чемодан, потому что она была большая.", "feminine"),
        ("Книга не помещается в чемодан, потому что он был большой.", "masculine"),
    ),
]


@pytest.mark.parametrize(("language", "one", "other", "first", "second"), PAIRS)
def test_the_pronoun_has_the_fillers_gender(language, one, other, first, second):
    found = contrast(language, one, other)
    assert not isinstance(found, str), found
    assert [(variant.text, variant.gender) for variant in found] == [first, second]


@pytest.mark.parametrize(
    ("language", "one", "other", "reason"),
    [
        ("de", "Die Tasse fiel auf die Uhr, weil die Tasse alt war.", "Die Tasse fiel auf die Uhr, weil die Uhr alt war.", filters.SAME_GENDER),
        ("de", "Das Buch lag im Koffer, weil dem Buch das gefiel.", "Das Buch lag im Koffer, weil der Koffer ihm gefiel.", filters.MORE_DIFFERS),
        ("de", "Er gab das Buch der Frau mit dem Hut, weil es alt war.", "Er gab das Buch der Frau mit dem Hut, weil es alt war.", filters.NO_FILLER),
        ("de", "Das Glas und die Tasse: Man half der Tasse.", "Das Glas und die Tasse: Man half dem Glas.", filters.NO_GENDER),
        ("de", "Das Glas und der Krug fielen, weil man dem Glas half.", "Das Glas und der Krug fielen, weil man dem Krug half.", filters.NOT_NOMINATIVE),
        ("pt", "O pão e a sopa: comi porque o pão era bom.", "O pão e a sopa: comi porque a sopa estava fria ontem.", filters.MORE_DIFFERS),
        ("pt", "A casa e o jardim: vendi porque a casa era feio.", "A casa e o jardim: vendi porque o jardim era feio.", filters.DISAGREES),
        ("fr", "L'arbre cache le mur car l'arbre est haut.", "L'arbre cache le mur car le mur est haut.", filters.NO_GENDER),
        ("ru", "Книга и чемодан: потому что книга был большой.", "Книга и чемодан: потому что чемодан был большой.", filters.DISAGREES),
    ],
)  # fmt: skip
def test_what_goes_wrong_has_a_name(language, one, other, reason):
    assert contrast(language, one, other) == reason


@given(st.sampled_from(PAIRS), st.data())
def test_the_order_of_the_translations_makes_no_difference(pair, data):
    language, one, other, *_ = pair
    words = one.split()
    cut = data.draw(st.integers(1, len(words)))
    one = " ".join(words[:cut])
    forth, back = contrast(language, one, other), contrast(language, other, one)
    if isinstance(forth, str):
        assert isinstance(back, str)
    else:
        assert back == (forth[1], forth[0])
        assert forth[0].text != forth[1].text
