"""Dates and times are compared by the day and minute that they mean."""

import datetime

import pytest
from babel.dates import format_date
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.language.invariants import KINDS, Text

LANGUAGES = ["de", "es", "fr", "it", "nl", "pl", "pt", "ru", "sv"]
DAYS = st.dates(datetime.date(1950, 1, 1), datetime.date(2049, 12, 31))


def changes(source, target, language="pt"):
    return [str(change) for change in KINDS["dates"].changes(Text(source, "en"), Text(target, language))]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("length", ["long", "medium", "full"])
@given(day=DAYS)
def test_a_day_is_itself_in_every_locale(language, length, day):
    source = format_date(day, length, locale="en")
    target = format_date(day, length, locale=language)
    assert changes(f"It was on {source} there.", f"X {target} y.", language) == []


@pytest.mark.parametrize("language", LANGUAGES)
@given(day=DAYS, other=DAYS)
def test_another_day_is_a_change(language, day, other):
    source, target = format_date(day, "long", locale="en"), format_date(other, "long", locale=language)
    assert (changes(f"It was on {source} there.", f"X {target} y.", language) == []) == (day == other)


@pytest.mark.parametrize(
    ("source", "target", "language"),
    [
        ("at 3:30 pm", "às 15h30", "pt"),
        ("at 3:30 pm", "às 3:30 da tarde", "pt"),
        ("at 9 a.m.", "à 9 h", "fr"),
        ("at 7 am", "às 7 da manhã", "pt"),
        ("at 7 pm", "à sept heures du soir", "fr"),
        ("at 9:05 am", "um 9.05 Uhr", "de"),
        ("at 8 pm", "um 20 Uhr", "de"),
        ("at 12 am", "à 0h", "fr"),
        ("on 2024-03-05", "em 05/03/2024", "pt"),
        ("on 03/05/2024", "am 05.03.2024", "de"),
        ("on March 1st, 2020", "le 1er mars 2020", "fr"),
        ("on the 5th of March", "no dia 5 de março", "pt"),
        ("in March 2020", "em março de 2020", "pt"),
        ("on Monday", "na segunda-feira", "pt"),
        ("on Mondays and Fridays", "às segundas e sextas", "pt"),
        ("for the second time", "pela segunda vez", "pt"),
        ("on Sunday morning", "am Sonntagmorgen", "de"),
        ("on Saturday", "am Sonnabend", "de"),
        ("on Saturday", "в субботу", "ru"),
        ("by 2:30", "bis halb drei", "de"),
        ("at 2:30", "um zwei Uhr dreißig", "de"),
        ("until 2:30", "até as duas e meia", "pt"),
        ("at 6:30", "às 6 e meia", "pt"),
        ("at 6:15", "à six heures et quart", "fr"),
        ("at 5:45", "à six heures moins le quart", "fr"),
        ("from 9:30 a.m.", "das 9h30min", "pt"),
        ("on October 20th", "no dia vinte de outubro", "pt"),
        ("since 1 May 2004", "seit dem ersten Mai 2004", "de"),
        ("on April 1st", "em 1o de abril", "pt"),
        ("It may rain in march formation.", "Pode chover.", "pt"),
        ("at half past two in the afternoon", "à quatorze heures trente", "fr"),
        ("at half past five", "à cinq heures et demie", "fr"),
        ("at half past three", "om half vier", "nl"),
        ("at a quarter past six in the morning", "às seis e quinze da manhã", "pt"),
        ("at eleven o'clock", "às 23h", "pt"),
        ("at 9:45 p.m.", "a las 9:45 de la noche", "es"),
        ("at 3:30 pm", "esta tarde, a las 3:30", "es"),
        ("at 11 pm", "às onze da noite", "pt"),
        ("at 3:30 pm", "下午3:30", "zh"),
        ("at noon", "à midi", "fr"),
        ("at noon", "um 12 Uhr", "de"),
        ("at noon", "w południe", "pl"),  # no list of its words: not judged
        ("until midnight", "até a meia-noite", "pt"),
        ("a midnight snack", "um lanche noturno", "pt"),
        ("at 12:30 pm", "ao meio-dia e meia", "pt"),
        ("on Wednesday", "水曜日に", "ja"),
        ("on Monday", "周一", "zh"),
        ("in January 2023", "im Jänner 2023", "de"),
        ("in early February", "no início de fevereiro", "pt"),
        ("in July", "7月に", "ja"),
    ],
)
def test_each_language_writes_them_its_own_way(source, target, language):
    assert changes(source, target, language) == []


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("at 3:30 pm", "às 3h45"),
        ("at 9 am", "às 21h"),
        ("at 9 am", "às 8 da manhã"),
        ("on March 5, 2024", "em 5 de maio de 2024"),
        ("on March 5, 2024", "em 5 de março de 2014"),
        ("on Monday", "na terça-feira"),
        ("on Monday", "amanhã"),
        ("on Monday", "na terça"),
        ("at 2:30", "às três e meia"),
        ("on October 20th", "no dia vinte de novembro"),
        ("at 3:30 pm", "às 3h30"),
        ("at 3:30 pm", "às 3h30 da manhã"),
        ("at 6 pm", "às 6 da manhã"),
        ("at half past two", "às três e meia"),
        ("at noon", "à meia-noite"),
        ("at 12:15 am", "às 12h15"),
        ("in early February", "no início de março"),
    ],
)
def test_another_moment_is_a_change(source, target):
    assert len(changes(source, target)) == 1
