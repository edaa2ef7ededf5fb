"""a or an: by sound, not by letter."""

from __future__ import annotations

import pytest

from mtprobe.suite.samples.english import starts_sentence, takes_an

AN = [
    "accountant",
    "engineer",
    "old",
    "hour",
    "honest",
    "heir",
    "honourable",
    "honorary",
    "MP",
    "SUV",
    "FBI",
    "NBA",
    "MRI",
    "HIV",
    "X-ray",
    "F-16",
    "L-shaped",
    "EU",
    "AI",
    "apple",
    "e-mail",
    "umbrella",
    "uncle",
    "urgent",
    "urban",
    "unidentified",
    "unimportant",
    "uninteresting",
    "usher",
    "utter",
    "umpire",
    "8",
    "80",
    "85",
    "11",
    "18",
    "8-year-old",
    "11-year-old",
    "18-year-old",
    "18th-century",
    "1850",
    "800",
    "[old]",
    "(angry)",
    "“elegant”",
    "élite",
    "Englishman",
    "Irish",
    "owl",
    "onerous",
    "HTML",
    "NGO",
    "LED",
    "RNA",
    "XML",
    "ATM",
    "IT",
    "IOC",
    "oil",
    "ounce",
    "electrician",
    "architect",
]

A = [
    "woman",
    "man",
    "doctor",
    "university",
    "unit",
    "union",
    "unique",
    "uniform",
    "European",
    "eulogy",
    "one",
    "one-off",
    "once-famous",
    "user",
    "used",
    "useful",
    "utensil",
    "utility",
    "Ukrainian",
    "Ugandan",
    "urologist",
    "Uruguayan",
    "uranium",
    "urinal",
    "ubiquitous",
    "UFO",
    "UN",
    "US",
    "UK",
    "UEFA",
    "UNESCO",
    "U-turn",
    "NASA",
    "NATO",
    "FIFA",
    "SWAT",
    "SIM",
    "RAM",
    "T-shirt",
    "B-side",
    "house",
    "hotel",
    "history",
    "herb",
    "1",
    "7",
    "10",
    "12",
    "100",
    "118",
    "1900",
    "9-year-old",
    "[female]",
    "(woman)",
    "“tall”",
    "ewe",
    "unicycle",
    "BBC",
    "CEO",
    "DVD",
    "USB",
    "URL",
    "year",
    "young",
    "YMCA",
    "Wi-Fi",
]


@pytest.mark.parametrize("word", AN)
def test_an(word):
    assert takes_an(word)


@pytest.mark.parametrize("word", A)
def test_a(word):
    assert not takes_an(word)


@pytest.mark.parametrize("nothing", ["", " ", "…", "()"])
def test_no_word_takes_a(nothing):
    assert not takes_an(nothing)


@pytest.mark.parametrize("before", ["", "“", "  ", "(", "He left. ", 'He left." ', "Why? ", "Wait… ("])
def test_a_sentence_starts_here(before):
    assert starts_sentence(before)


@pytest.mark.parametrize(
    "before", ["The ", "He left, ", "Dr. ", "I saw Mrs. ", "(Prof. ", "cats vs. ", "e.g. ", "3.5"]
)
def test_no_sentence_starts_here(before):
    assert not starts_sentence(before)
