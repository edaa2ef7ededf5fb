"""What lint warns of in cues, sources, targets and lemmas, and what it leaves alone."""

from __future__ import annotations

import pytest

from mtprobe.suite.lint import warnings

HEAD = """\
mtprobe: 1
name: test
about: A question
languages: {source: en, targets: any}
method: %s
gates: {accuracy: ">= 0.60"}
"""
WORDS = HEAD % "contrastive-conditioning" + "data: {file: words.yaml, format: senses}\n"
PAIRS = HEAD % "minimal-pairs" + "ties: incorrect\nsamples:\n"
LEMMAS = HEAD % "lexicon" + "samples:\n"
BANK = """\
words:
  bank:
    money:
      cues: [savings, commercial]
      contexts:
        loan: The <bank> gave her a loan.
        branch: Two <banks> have closed.
    river:
      cues: [muddy, grassy]
      contexts:
        fish: He sat on the <bank> and fished.
        ducks: Ducks were sleeping on both <banks>.
"""


@pytest.fixture
def warned(load):
    def warned(text: str, files: dict[str, str] | None = None) -> list[str]:
        return [f"{problem.place.line}: {problem.message}" for problem in warnings(load(text, files))]

    return warned


@pytest.fixture
def warned_of_words(warned):
    """The warnings for a file of senses in which one thing is changed."""

    def warned_of_words(*change: str) -> list[str]:
        assert not change or change[0] in BANK
        return warned(WORDS, {"words.yaml": BANK.replace(*change) if change else BANK})

    return warned_of_words


def test_good_evidence_gets_no_warning(warned_of_words):
    assert warned_of_words() == []


def test_a_cue_under_two_senses(warned_of_words):
    found = warned_of_words("[muddy, grassy]", "[muddy, Savings]")
    assert found[0] == '6: cues: "savings" is both correct and incorrect'
    assert len(found) == 4


def test_a_cue_that_is_listed_twice(warned_of_words):
    assert warned_of_words("[muddy, grassy]", "[muddy, muddy]") == [
        '6: cues: "muddy" is listed 2 times under incorrect',
        '7: cues: "muddy" is listed 2 times under incorrect',
        '11: cues: "muddy" is listed 2 times under correct',
        '12: cues: "muddy" is listed 2 times under correct',
    ]


def test_two_cues_of_the_suite_that_are_the_same(warned, head):
    samples = "samples:\n  - {source: The <nurse> slept., category: male}\n"
    text = head.replace("male: {correct: man,", "male: {correct: [man, Man],", 1)
    assert '8: cues: "man" is listed 2 times under correct' in warned(text + samples)


def test_different_cues_that_make_the_same_sentence(warned_of_words):
    found = warned_of_words("[muddy, grassy]", "[muddy, <savings bank>]")
    assert found[0] == (
        '6: cues: "savings" (correct) and "<savings bank>" (incorrect) make the same sentence,'
        ' "The savings bank gave her a loan."'
    )


def test_a_cue_that_doubles_the_word_before_the_focus(warned_of_words):
    found = warned_of_words("He sat on the <bank>", "He sat on the muddy <bank>")
    assert found == ['11: a cue doubles the word "muddy" in "He sat on the muddy muddy bank and fished."']


def test_a_word_that_is_double_in_the_source_itself(warned_of_words):
    assert warned_of_words("gave her a loan", "had had enough") == []


@pytest.mark.parametrize("cue", ["banking", "bank's"])
def test_a_cue_that_repeats_the_focus(warned_of_words, cue):
    found = warned_of_words("[savings, commercial]", f'[savings, "{cue}"]')
    assert f'6: the cue "{cue}" repeats the focus "bank"; choose another word' in found


def test_a_cue_in_place_of_the_focus_may_hold_it(warned_of_words):
    found = warned_of_words("[savings, commercial]", "[<savings bank>, <bank for loans>]")
    assert not any("repeats" in line for line in found)


def test_a_short_cue_with_which_the_focus_begins_by_chance(warned, head):
    found = warned(head + "samples:\n  - {source: The <manager> slept., category: male}\n")
    assert not any("repeats" in line for line in found)


def test_number_that_gives_the_sense_away(load, warned_of_words):
    assert warned_of_words("Two <banks> have", "The <bank> has") == []  # the river has both
    only_singular = BANK.replace("Two <banks> have", "The <bank> has")
    only_plural = only_singular.replace("the <bank> and fished", "both <banks> and fished")
    suite = load(WORDS, {"words.yaml": only_plural})
    assert [problem.message for problem in warnings(suite)] == [
        'every sentence of the sense "river" has "banks", every one of "money" has "bank":'
        " the number reveals the sense"
    ]
    one_sentence = only_plural.replace("        ducks: Ducks were sleeping on both <banks>.\n", "")
    assert list(warnings(load(WORDS, {"words.yaml": one_sentence}))) == []
    verb = only_plural.replace("words:", "attributes: {pos: verb}\nwords:", 1)
    assert list(warnings(load(WORDS, {"words.yaml": verb}))) == []


@pytest.mark.parametrize(
    ("singular", "plural"), [("calf", "calves"), ("knife", "knives"), ("fly", "flies"), ("watch", "watches")]
)
def test_plurals_of_other_kinds(load, singular, plural):
    contexts = "".join(
        f"    {sense}:\n      cues: [{sense}]\n      contexts:\n"
        f"        a: There is the <{form}>.\n        b: Look at the <{form}>.\n"
        for sense, form in (("one", singular), ("many", plural))
    )
    suite = load(WORDS, {"words.yaml": f"words:\n  {singular}:\n{contexts}"})
    (found,) = warnings(suite)
    assert f'"{plural}", every one of "one" has "{singular}"' in found.message


def pair(correct: str, incorrect: str) -> str:
    return PAIRS + (
        f'  - source: She opened the door.\n    targets: {{de: {{correct: "{correct}", incorrect: "{incorrect}"}}}}\n'
    )


def test_sides_of_a_pair_that_have_little_in_common(warned):
    far = pair("Sie hat die Tür aufgemacht.", "Gestern wurde von ihr das Fenster geöffnet.")
    assert warned(far) == [
        '9: targets.de: "Sie hat die Tür aufgemacht." and "Gestern wurde von ihr das Fenster geöffnet." share less'
        " than half of their words; a pair should differ in one thing"
    ]


@pytest.mark.parametrize(
    "incorrect",
    ["Sie hat die Tür zugemacht.", "Sie hat die Tür.", "Er schlief.", "Sie haben die Türen nicht aufgemacht, weil es regnete."],
)  # fmt: skip
def test_a_pair_may_differ_in_a_word_a_clause_or_everything_if_it_is_short(warned, incorrect):
    assert warned(pair("Sie haben die Tür aufgemacht.", incorrect)) == []


def test_sides_of_a_pair_that_differ_in_capitals_only(warned):
    text = "Sie hat die Tür aufgemacht."
    assert warned(pair(text, text.lower())) == [f'9: targets.de: "{text}" is both correct and incorrect']


SENTENCE = (
    HEAD % "contrastive-conditioning"
    + """\
samples:
  - source: We had to <put off> the meeting until Monday.
    cues: {correct: %s, incorrect: <extinguish>}
"""
)


@pytest.mark.parametrize(
    "cue", ["We had to postpone the meeting", "<put it off until Monday, the meeting until>"]
)
def test_a_sentence_among_the_cues(warned, cue):
    (found,) = [text for text in warned(SENTENCE % f"'{cue}'") if "repeats words of its sentence" in text]
    assert f'the cue "{cue}"' in found
    assert "`sources`" in found


def test_a_cue_may_share_two_words_with_its_sentence(warned):
    assert not [text for text in warned(SENTENCE % "<delay the meeting>") if "repeats words of" in text]
