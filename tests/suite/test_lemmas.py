"""Lemmas by sense, senses by frequency: what the method `lexicon` is given."""

from __future__ import annotations

import pytest

from mtprobe.language.lexeme import LexemeError, Part, read_lexeme

SUITE = """\
mtprobe: 1
name: shots
about: Are words understood?
languages: {source: en, targets: any}
method: lexicon
cluster: word
gates: {accuracy: ">= 0.5"}
samples:
  - id: whiskey
    source: He poured himself a <shot> of whiskey.
    attributes: {word: shot, pos: noun, sense: drink}
    senses: [gunshot, photograph, injection, drink]
    lemmas:
      de:
        good: [Schluck, einen * heben]
        bad:
          gunshot: Schuss
          photograph: [Aufnahme, Schuss]
"""

FILE_SUITE = SUITE.partition("samples:")[0] + "data: {file: nouns.yaml, format: senses}\n"

NOUNS = """\
attributes: {pos: noun}
polysemy: {shot: 17}
words:
  shot:
    gunshot:
      rank: 1
      lemmas: {de: Schuss, es: [disparo, tiro]}
    drink:
      rank: 9
      lemmas: {de: [Schluck, Kurzer], es: [trago, chupito], it: bicchierino}
      contexts:
        whiskey: He poured himself a <shot> of whiskey.
        bar:
          source: She drank three <shots> at the bar.
          good: {de: [Schnaps, schuss]}
          bad: {es: {drink: chupito}}
"""


def test_bad_lemmas_know_the_senses_they_belong_to(load):
    (sample,) = load(SUITE).samples
    lemmas = sample.lemmas["de"]
    assert lemmas.correct == ("Schluck", "einen * heben")
    assert lemmas.incorrect == ("Schuss", "Aufnahme")
    assert lemmas.senses == {"Schuss": ("gunshot", "photograph"), "Aufnahme": ("photograph",)}


def test_a_good_lemma_may_have_other_senses_too(load):
    (sample,) = load(SUITE + "        also: {injection: Schluck}\n").samples
    assert sample.lemmas["de"].senses["Schluck"] == ("injection",)
    nouns = NOUNS.replace("de: Schuss,", "de: [Schuss, kurzer],")
    whiskey, _ = load(FILE_SUITE, {"nouns.yaml": nouns}).samples
    assert whiskey.lemmas["de"].correct == ("Schluck", "Kurzer")
    assert whiskey.lemmas["de"].senses == {"Schuss": ("gunshot",), "Kurzer": ("gunshot",)}


@pytest.mark.parametrize(
    ("also", "message"),
    [
        ("{injektion: Schluck}", 'lemmas.de.also: "injektion" is not among the `senses`; did you mean "injection"?'),
        ("{injection: Schlug}", 'lemmas.de.also: "Schlug" is not a good lemma; did you mean "Schluck"?'),
    ],
)  # fmt: skip
def test_a_mistake_in_other_senses_is_named(problem, also, message):
    assert message in problem(SUITE + f"        also: {also}\n").message


def test_rank_and_polysemy_are_told_from_the_list_of_senses(load):
    (sample,) = load(SUITE).samples
    assert sample.senses == {"gunshot": 1, "photograph": 2, "injection": 3, "drink": 4}
    assert (sample.attributes["sense_rank"], sample.attributes["polysemy"]) == (4, 4)


def test_senses_with_ranks_of_their_own(load):
    text = SUITE.replace("[gunshot, photograph, injection, drink]", "{gunshot: 1, photograph: 4, drink: 9}")
    (sample,) = load(text).samples
    assert (sample.attributes["sense_rank"], sample.attributes["polysemy"]) == (9, 9)
    (sample,) = load(text.replace("sense: drink", "sense: drink, polysemy: 17")).samples
    assert sample.attributes["polysemy"] == 17


def test_a_list_of_bad_lemmas_says_nothing_of_senses(load):
    (sample,) = load(SUITE.partition("        bad:")[0] + "        bad: [Schuss, Foto]\n").samples
    assert sample.lemmas["de"].incorrect == ("Schuss", "Foto")
    assert sample.lemmas["de"].senses == {}


def test_a_derived_attribute_may_ask_for_the_rank(load):
    text = SUITE.replace("gates:", "attributes: {rarity: {rare: sense_rank > 2}}\ngates:")
    assert load(text).samples[0].attributes["rarity"] == "rare"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("sense: drink", "sense: drnk", 'the sense "drnk" is not among the `senses`; did you mean "drink"?'),
        (", sense: drink", "", "has `senses`, but no attribute `sense` to show which of them the word has"),
        (
            "sense: drink",
            "sense: drink, sense_rank: 2",
            'sense_rank: 2 is not the rank of "drink" in `senses`, 4',
        ),
        ("sense: drink", "sense: drink, polysemy: 3", "polysemy: 3 is less than the number of `senses`, 4"),
        ("gunshot: Schuss", "gunshut: Schuss", 'lemmas.de.bad: "gunshut" is not among the `senses`'),
        ("injection, drink]", "drink, drink]", 'duplicate "drink"'),
        (
            "[gunshot, photograph, injection, drink]",
            "{gunshot: 1, drink: 1}",
            '"gunshot" and "drink" share a rank',
        ),
        (
            "einen * heben",
            "einen* heben",
            '"einen* heben": a `*` stands for whole words; put spaces around it',
        ),
        ("einen * heben", '"*"', '"*" contains no word'),
        (
            "[Schluck,",
            "[Schluck|nuon,",
            '"Schluck|nuon": "nuon" is not a part of speech; did you mean "noun"?',
        ),
    ],
)
def test_a_mistake_is_named_with_its_place(problem, old, new, message):
    text = SUITE.replace(old, new, 1)
    assert text != SUITE
    found = problem(text)
    assert message in found.message
    assert found.place.line >= 9


def test_one_file_serves_every_language(load):
    whiskey, bar = load(FILE_SUITE, {"nouns.yaml": NOUNS}).samples
    assert whiskey.id == "shot/drink/whiskey"
    assert whiskey.attributes == {
        "pos": "noun",
        "word": "shot",
        "sense": "drink",
        "sense_rank": 9,
        "polysemy": 17,
    }
    assert set(whiskey.lemmas) == {"de", "es"}  # Italian has nothing to be wrong
    assert whiskey.lemmas["es"].correct == ("trago", "chupito")
    assert whiskey.lemmas["es"].incorrect == ("disparo", "tiro")
    assert whiskey.lemmas["es"].senses["tiro"] == ("gunshot",)
    assert bar.source == "She drank three shots at the bar."


def test_words_that_fit_both_senses_are_listed_by_word(load, problem):
    either = "either: {shot: {de: [Gläschen]}}\n"
    whiskey, _ = load(FILE_SUITE, {"nouns.yaml": either + NOUNS}).samples
    assert whiskey.lemmas["de"].either == ("Gläschen",)
    assert whiskey.lemmas["es"].either == ()
    found = problem(FILE_SUITE, {"nouns.yaml": either.replace("shot", "shop") + NOUNS})
    assert 'either: there is no word "shop"; did you mean "shot"?' in found.message


def test_in_a_context_other_lemmas_may_be_right_or_wrong(load):
    _, bar = load(FILE_SUITE, {"nouns.yaml": NOUNS}).samples
    assert "de" not in bar.lemmas  # what is good there is not bad there, so nothing is left
    assert bar.lemmas["es"].correct == ("trago",)
    assert bar.lemmas["es"].senses == {"disparo": ("gunshot",), "tiro": ("gunshot",), "chupito": ("drink",)}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("      rank: 1\n", "", "words.shot: give each sense its own rank, or none of them a rank"),
        (
            "      rank: 1\n",
            "      rank: 9\n",
            "words.shot: give each sense its own rank, or none of them a rank",
        ),
        ("{es: {drink:", "{es: {drank:", 'words.shot: has no sense "drank"; did you mean "drink"?'),
        ("polysemy: {shot", "polysemy: {shut", 'polysemy: there is no word "shut"; did you mean "shot"?'),
        (
            NOUNS[NOUNS.index("      contexts:") :],
            "",
            "words.shot: has no contexts; give one of its senses a sentence",
        ),
    ],
)
def test_a_mistake_in_a_file_of_senses_is_named(problem, old, new, message):
    assert old in NOUNS
    assert message in problem(FILE_SUITE, {"nouns.yaml": NOUNS.replace(old, new, 1)}).message


def test_a_lexeme_is_runs_of_words_with_gaps_between_them():
    assert read_lexeme("Vorspeise") == ((Part("Vorspeise"),),)
    assert read_lexeme("sich eine Auszeit * nehmen|verb") == (
        (Part("sich"), Part("eine"), Part("Auszeit")),
        (Part("nehmen", "verb"),),
    )
    assert read_lexeme("* a * * b *") == ((Part("a"),), (Part("b"),))
    assert read_lexeme("Lehrer*innen") == ((Part("Lehrer*innen"),),)
    with pytest.raises(LexemeError, match="is not a word"):
        read_lexeme("a - b")
