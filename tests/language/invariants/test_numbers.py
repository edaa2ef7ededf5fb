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
    assert change.endswith("“1,234” stayed as it is, which readers of the translation take for 1.234")


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
        ("She was there at 6.", "Sie war um 6 Uhr da.", "de"),
        ("It was about 11 o'clock.", "Es war gegen 11 Uhr.", "de"),
        ("He owes 15 billion euros.", "Er schuldet fünfzehn Milliarden Euro.", "de"),
        ("It costs 1 million.", "Es kostet eine Million.", "de"),
        ("She lent me 30 pesos.", "Sie lieh mir dreißig Pesos.", "de"),
        ("It is her 88th birthday.", "Es ist ihr achtundachtzigster Geburtstag.", "de"),
        ("It was built in the 19th century.", "Foi construído no século XIX.", "pt"),
        ("The ring is 280,000 km wide.", "Der Ring ist 280 000 km breit.", "de"),
        ("A man in his 30s.", "Un homme dans la trentaine.", "fr"),
        ("A car of the 1950s.", "Une voiture des années 50.", "fr"),
        ("She had COVID-19.", "Sie hatte das Coronavirus.", "de"),
        ("A 3-hour call.", "Ein dreistündiges Gespräch.", "de"),
        ("Written on 2010-11-03.", "Geschrieben am 03.11.2010.", "de"),
        ("Today is May 24th.", "Heute ist der vierundzwanzigste Mai.", "de"),
    ],
)
def test_number_words_signs_and_times_are_no_loss(source, target, language):
    assert changes("numbers", source, target, language) == []


@pytest.mark.parametrize(
    ("kind", "source", "target", "language"),
    [
        ("units", "They raised £900 in 3 weeks.", "Eles arrecadaram 900 libras em 3 semanas.", "pt"),
        ("units", "It weighs 2.8 tons.", "Pesa 2,8 toneladas.", "pt"),
        ("dates", "From June 10 to June 14.", "De 10 de junho a 14 de junho.", "pt"),
        ("dates", "From May 4 to May 11.", "De 4 a 11 de maio.", "pt"),
        ("currency", "The fine is $20.", "A multa é de US$  20.", "pt"),
        ("units", "It is 40 km away.", "Fica a 40  km.", "pt"),
        ("numbers", "It has 2 million users.", "Tem 2  milhões de usuários.", "pt"),
        ("currency", "I owe Tom $300.", "Devo trezentos dólares ao Tom.", "pt"),
        ("currency", "It costs $1,000.", "Custa mil dólares.", "pt"),
        ("currency", "He gave $1 million.", "Er gab eine Million Dollar.", "de"),
        ("currency", "It was $7.1 million.", "Es waren 7,1 Mio. USD.", "de"),
        ("currency", "A $500 bank transfer.", "Eine 500-Dollar-Überweisung.", "de"),
        ("currency", "There are 14 Brazilian players and 2 Chinese ones.", "Há 14 jogadores.", "pt"),
        ("units", "We ran for 10 kilometers.", "Corremos dez quilômetros.", "pt"),
        ("units", "Fifty-four percent are tired.", "54 % sind müde.", "de"),
        ("units", "After 53 years.", "Nach 53 Jahren.", "de"),
        ("units", "I got up at 5 in the morning.", "Acordei às 5 da manhã.", "pt"),
        ("units", "She is 12 years old.", "Sie ist zwölf.", "de"),
        ("units", "A 30-year-old player.", "Der 30-jährige Spieler.", "de"),
        ("units", "Between 700 and 1,200°C.", "Zwischen 700 °C und 1200 °C.", "de"),
        ("units", "The limit is 55 miles per hour.", "La limite est de 55 miles à l'heure.", "fr"),
        ("units", "It is 25 percent smaller.", "C'est 25 p. 100 de moins.", "fr"),
        ("units", "It moves at 126 kilometers per hour.", "Il roule à 126 kilomètres/heure.", "fr"),
        ("units", "15 km from here.", "В 15 километрах отсюда.", "ru"),
        ("units", "It weighs 10 kg.", "重10公斤。", "zh"),
        ("units", "75 cl of wine.", "75 centilitros de vino.", "es"),
        ("units", "Add 3 tablespoons of sugar.", "Aggiungere 3 cucchiai di zucchero.", "it"),
        ("units", "Sixty miles away.", "A soixante milles d'ici.", "fr"),
        ("currency", "It costs €0.99.", "Es kostet 99 Cent.", "de"),
        ("currency", "It costs $3.50.", "Custa 3 dólares e 50 centavos.", "pt"),
        ("currency", "It costs €12.50.", "Ça coûte 12 € 50.", "fr"),
        ("currency", "£20–£30 per person.", "20 bis 30 Pfund pro Person.", "de"),
        ("currency", "$1 is about 5 reais.", "$1 são cerca de 5 reais.", "pt"),
        ("currency", "It costs 5 reais.", "Ça coûte 5 reais.", "fr"),
        ("currency", "He owes me fifty dollars.", "Ele me deve cinquenta dólares.", "pt"),
        ("currency", "About fifty dollars.", "Une cinquantaine de dollars.", "fr"),
        ("numbers", "About fifty people.", "Une cinquantaine de personnes.", "fr"),
        ("numbers", "Wait thirty minutes.", "Warte eine halbe Stunde!", "de"),
        ("units", "Back in 30 minutes.", "Volto em meia hora.", "pt"),
        ("numbers", "Half an hour later.", "30 Minuten später.", "de"),
        ("numbers", "Thirty times.", "Dreißigmal.", "de"),
        ("dates", "The bells ring at noon.", "Die Glocken läuten zur Mittagszeit.", "de"),
        ("numbers", "Fourteen points.", "Quatorze pontos.", "pt"),
        ("numbers", "Thirty points.", "Dreissig Punkte.", "de-CH"),
        ("numbers", "98 people.", "Nonante-huit personnes.", "fr-CH"),
        ("numbers", "16 years.", "Dezesseis anos.", "pt"),
        ("numbers", "Two hundred and thirty women.", "Duzentas e trinta mulheres.", "pt"),
        ("numbers", "Half a million people.", "500 000 personas.", "es"),
        (
            "numbers",
            "In the nineteenth century, twenty-four seven, nineteen eighty-four.",
            "Foi assim.",
            "pt",
        ),
    ],
)
def test_amounts_and_measurements_may_be_said_in_words(kind, source, target, language):
    assert changes(kind, source, target, language) == []


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
        ("units", "It weighs 3 kg.", "Pesa dois quilos."),
        ("units", "Mix 2 kg and 2 kg.", "Misture 2 kg."),
        ("currency", "I owe Tom $300.", "Devo trezentos euros ao Tom."),
        ("numbers", "It is a 3-hour call.", "É uma chamada longa."),
        ("numbers", "Twenty-three students failed.", "Trinta e dois alunos foram reprovados."),
        ("numbers", "One hundred and twenty people.", "Cento e trinta pessoas."),
        ("currency", "He owes me fifty dollars.", "Ele me deve sessenta dólares."),
        ("currency", "It costs $3.50.", "Custa 3 dólares e 5 centavos."),
        ("currency", "It costs 99 cents.", "Custa 90 centavos."),
        ("currency", "From 60 to 90 euros.", "De 70 a 90 euros."),
        ("currency", "£20–£30 per person.", "20 a 40 libras por pessoa."),
        ("units", "75 cl of wine.", "75 mililitros de vinho."),
        ("units", "Between 2 and 8 degrees.", "Entre 3 e 8 graus."),
    ],
)
def test_other_values_currencies_and_units_are_changes(kind, source, target):
    assert len(changes(kind, source, target)) == 1


@given(number=st.decimals(-(10**12), 10**12, places=3))
def test_what_is_read_is_what_was_written(number):
    from mtprobe.language.invariants.numerals import numerals

    (read,) = numerals(f"x {format_decimal(number, format='#,##0.###;-#,##0.###', locale='en')} y", "en")
    assert read.values == {Decimal(number)}
