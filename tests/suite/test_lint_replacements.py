"""What lint warns of in cues that take the place of a word, and in cues for two senses."""

from __future__ import annotations

import pytest

from mtprobe.cli import main
from mtprobe.language.wordnet import WordNet
from mtprobe.suite.lint import warnings
from tests.language.wordnet_files import write_wordnet

WORDS = """\
mtprobe: 1
name: test
about: A question
languages: {source: en, targets: any}
method: contrastive-conditioning
gates: {accuracy: ">= 0.60"}
data: {file: words.yaml, format: senses}
"""
SUIT = """\
attributes: {pos: noun}
words:
  suit:
    clothes:
      cues: [<outfit>, <tuxedo>]
      contexts:
        wedding: He wore a dark <suit> to the wedding.
        tailor: The tailor made a new <suit> for him.
    law:
      cues: [<lawsuit>, <complaint>]
      contexts:
        court: The court dismissed the <suit> last week.
        filed: She filed a <suit> against the company.
"""
STRIKE = """\
attributes: {pos: verb}
words:
  strike:
    hit:
      cues: [<hit>, <attacked>]
      contexts:
        head: The ball <struck> his head.
    work:
      cues: [<walked out>, <protested>]
      contexts:
        miners: The miners have never <struck> before.
"""


@pytest.fixture
def warned(load):
    def warned(words: str, *change: str, wordnet: WordNet | None = None) -> list[str]:
        assert not change or change[0] in words
        suite = load(WORDS, {"words.yaml": words.replace(*change) if change else words})
        return [f"{problem.place.line}: {problem.message}" for problem in warnings(suite, wordnet)]

    return warned


def test_good_replacements_get_no_warning(warned):
    assert warned(SUIT) == []
    assert warned(STRIKE) == []


def test_a_cue_that_leaves_the_sentence_as_it_is(warned):
    found = warned(SUIT, "<outfit>", "<suit>")
    assert "7: a contrastive source (correct) is the source itself" in found
    assert "12: a contrastive source (incorrect) is the source itself" in found


def test_a_plural_in_place_of_a_singular_that_the_sentence_shows(warned):
    found = warned(SUIT, "<outfit>", "<clothes>")
    assert '7: the cue "<clothes>" is plural, and replaces the singular "suit"' in found
    # "dismissed the clothes" is grammatical, and mass nouns may need it: *change*, *coins*
    assert not any(line.startswith("12:") for line in found)


def test_a_singular_in_place_of_a_plural(warned):
    plural = SUIT.replace("a dark <suit>", "dark <suits>").replace("a new <suit>", "two <suits>")
    plural = plural.replace("the <suit>", "the <suits>").replace("a <suit>", "two <suits>")
    found = warned(plural)
    assert '7: the cue "<outfit>" is singular, and replaces the plural "suits"' in found
    for cue in ("outfit", "tuxedo", "lawsuit", "complaint"):
        plural = plural.replace(f"<{cue}>", f"<{cue}s>")
    assert warned(plural) == []


@pytest.mark.parametrize("cue", ["<attack>", "<attacking>", "<attacks>"])
def test_a_verb_in_another_form(warned, cue):
    found = warned(STRIKE, "<attacked>", cue)
    assert f'7: the cue "{cue}" is not a past tense, and replaces the past tense "struck"' in found
    assert f'11: the cue "{cue}" is not a participle, and replaces the participle "struck"' in found


def test_a_past_tense_in_place_of_a_participle(warned):
    assert warned(STRIKE, "<protested>", "<gave up>") == [
        '11: the cue "<gave up>" is not a participle, and replaces the participle "struck"'
    ]


def test_a_base_form(warned):
    base = STRIKE.replace("The ball <struck>", "The ball will <strike>").replace(
        "never <struck>", "to <strike>"
    )
    base = base.replace("<attacked>", "<need>").replace("<walked out>", "<bring in>")
    assert warned(base.replace("<protested>", "<protest>")) == []
    assert '7: the cue "<protested>" is not a base form, and replaces the base form "strike"' in warned(base)


def test_a_cue_for_two_senses_in_two_ways(warned):
    assert warned(SUIT, "<complaint>", "tuxedo") == [
        '12: the cue "tuxedo" for "law" is also listed for "clothes" (there as "<tuxedo>")'
    ]


def test_two_cues_that_wordnet_lists_for_one_sense(warned, tmp_path):
    wordnet = WordNet(write_wordnet(tmp_path / "wordnet"))
    assert warned(SUIT, wordnet=wordnet) == []
    (found,) = warned(SUIT, "<tuxedo>", "<case>", wordnet=wordnet)
    assert found == (
        '12: the cues "<case>" (clothes) and "<lawsuit>" (law) fit one sense of "suit" in WordNet:'
        " a proceeding in a court of law"
    )
    assert warned(SUIT, "<tuxedo>", "<case>") == []  # nothing else can know


def test_other_languages_are_not_inflected(load):
    german = SUIT.replace("suit", "Anzug").replace("<outfit>", "<Kleider>")
    suite = load(WORDS.replace("source: en", "source: de"), {"words.yaml": german})
    assert list(warnings(suite)) == []


def test_the_command_line_looks_cues_up_in_wordnet(load, tmp_path, capsys):
    suite = load(WORDS, {"words.yaml": SUIT.replace("<tuxedo>", "<case>")})
    folder = write_wordnet(tmp_path / "wordnet")
    assert main(["lint", str(suite.path), "--wordnet", str(folder)]) == 0
    assert 'fit one sense of "suit" in WordNet' in capsys.readouterr().out
    assert main(["lint", str(suite.path), "--wordnet", str(tmp_path)]) == 2
    assert "not a WordNet database" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("right", "wrong", "focus"),
    [
        ("a dark <suit>", "a dark <coat>", "coat"),
        ("The court dismissed the <suit>", "The <court> dismissed the suit", "court"),
    ],
)
def test_a_focus_on_another_word(load, right, wrong, focus):
    assert right in SUIT
    found = [problem.message for problem in warnings(load(WORDS, {"words.yaml": SUIT.replace(right, wrong)}))]
    assert f'the focus "{focus}" is not a form of the word "suit"' in found


def test_an_irregular_form_and_a_compound_are_forms_of_the_word(load):
    compound = SUIT.replace("a dark <suit>", "a dark <tracksuit>")
    for words in (SUIT, STRIKE, compound):
        assert "is not a form of the word" not in str([*warnings(load(WORDS, {"words.yaml": words}))])
