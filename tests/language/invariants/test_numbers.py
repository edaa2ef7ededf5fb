"""Numbers, money and units are compared by value, as CLDR writes them in each language."""

from decimal import Decimal

import pytest
from babel.numbers import format_compact_decimal, format_currency, format_decimal
from babel.units import format_unit
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.language.invariants import KINDS, Text

LANGUAGES = ["de", "es", "fr", "it", "nl", "pl", "pt", "pt-PT", "ru", "sv", "de-CH", "en-IN", "ja", "zh"]


def changes(kind, source, target, language="pt"):
    return [str(change) for change in KINDS[kind].changes(Text(source, "en"), Text(target, language))]


@pytest.mark.parametrize("language", LANGUAGES)
@given(number=st.integers(0, 10**9) | st.decimals(0, 10**6, places=2))
def test_a_number_is_itself_in_every_locale(language, number):
    locale = language.replace("-", "_")
    written = format_decimal(number, locale="en"), format_decimal(number, locale=locale)
    assert changes("numbers", f"It was {written[0]} then.", f"X {written[1]} y.", language) == []


@pytest.mark.parametrize("language", LANGUAGES)
@given(number=st.integers(1000, 10**9), other=st.integers(1000, 10**9))
def test_another_number_is_a_change(language, number, other):
    locale = language.replace("-", "_")
    source, target = f"It was {number:,} then.", f"X {format_decimal(other, locale=locale)} y."
    assert (changes("numbers", source, target, language) == []) == (number == other)


@pytest.mark.parametrize("language", ["de", "es", "fr", "it", "pt", "ru"])
@given(amount=st.integers(1, 10**6), code=st.sampled_from(["EUR", "USD", "GBP", "JPY"]))
def test_an_amount_is_itself_in_every_locale(language, amount, code):
    written = (format_currency(amount, code, locale=locale) for locale in ("en", language))
    source, target = next(written), next(written)
    assert changes("currency", f"It costs {source} now.", f"X {target} y.", language) == []


@pytest.mark.parametrize("language", ["de", "es", "fr", "it", "pt", "ru"])
@pytest.mark.parametrize("length", ["long", "short"])
@given(
    count=st.integers(2, 900),
    unit=st.sampled_from(["length-kilometer", "mass-kilogram", "volume-liter", "length-mile"]),
)
def test_a_measurement_is_itself_in_every_locale(language, length, count, unit):
    source = format_unit(count, unit, length="long", locale="en")
    target = format_unit(count, unit, length=length, locale=language)
    assert changes("units", f"It has {source} in all.", f"X {target} y.", language) == []


@pytest.mark.parametrize("language", ["de", "es", "fr", "it", "pt", "ru"])
@given(millions=st.integers(2, 900))
def test_millions_may_be_written_as_a_word_or_in_digits(language, millions):
    digits = format_decimal(millions * 10**6, locale=language)
    words = format_compact_decimal(millions * 10**6, format_type="long", locale=language)
    for target in (digits, words):
        assert changes("numbers", f"Some {millions} million people.", f"X {target} y.", language) == []


@pytest.mark.parametrize(
    "target", ["Vendeu 2.200.112 carros.", "Vendeu 2 200 112 carros.", "Vendeu 2\u202f200\u202f112 carros."]
)
def test_groups_may_be_separated_as_the_language_does(target):
    assert changes("numbers", "It sold 2,200,112 cars.", target) == []


def test_a_comma_that_turned_into_a_decimal_is_a_change():
    assert changes("numbers", "It sold 2,200,112 cars.", "Vendeu 2.200,112 carros.") == [
        "numbers: “2,200,112” became “2.200,112”"
    ]


def test_a_number_that_kept_its_look_but_not_its_worth_says_what_it_is_read_as():
    (change,) = changes("numbers", "It weighs 1,234 tons.", "Pesa 1,234 toneladas.")
    assert change.endswith("became “1,234”, which readers of the translation take for 1.234")


@pytest.mark.parametrize(
    ("source", "target", "language"),
    [
        ("He has 2 dogs.", "Ele tem dois cachorros.", "pt"),
        ("He has 2 cats.", "Ela tem duas gatas.", "pt"),
        ("She came 1st.", "Elle est arrivée première.", "fr"),
        ("All 12 left.", "Todos los doce se fueron.", "es"),
        ("She has two dogs.", "Ela tem 2 cachorros.", "pt"),
        ("She saw twenty-one ships.", "Sie sah 21 Schiffe.", "de"),
        ("It is -5 outside.", "Faz −5 lá fora.", "pt"),
        ("We meet at 3:30 pm.", "A reunião é às 15h30.", "pt"),
    ],
)
def test_number_words_signs_and_times_are_no_loss(source, target, language):
    assert changes("numbers", source, target, language) == []


@pytest.mark.parametrize(
    ("kind", "source", "target"),
    [
        ("numbers", "2.5 million people came.", "Vieram 2,5 mil pessoas."),
        ("numbers", "He has 3 dogs.", "Ele tem dois cachorros."),
        ("numbers", "It is -5 outside.", "Faz 5 graus lá fora."),
        ("numbers", "Nobody came.", "Vieram 7 pessoas."),
        ("currency", "It costs $5.99.", "Custa R$ 5,99."),
        ("currency", "It costs $5.99.", "Custa US$ 599."),
        ("currency", "It costs 20 euros.", "Custa 20 libras."),
        ("units", "It is 5 miles away.", "Fica a 5 quilômetros."),
        ("units", "It is 5 miles away.", "Fica a 8 quilômetros."),
        ("units", "It weighs 3 kg.", "Pesa 3 gramas."),
    ],
)
def test_other_values_currencies_and_units_are_changes(kind, source, target):
    assert len(changes(kind, source, target)) == 1


@given(number=st.decimals(-(10**12), 10**12, places=3))
def test_what_is_read_is_what_was_written(number):
    from mtprobe.language.invariants.numerals import numerals

    (read,) = numerals(f"x {format_decimal(number, format='#,##0.###;-#,##0.###', locale='en')} y", "en")
    assert read.values == {Decimal(number)}
