from __future__ import annotations

import gzip
import os
import time
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.backends.protocols import LanguagePair
from mtprobe.language.words import letter_runs
from mtprobe.methods.degenerate import _common_subsequence, _copied, constant_outputs, degenerate

PT = LanguagePair("en", "pt")
SOURCE = "The doctor finished her shift early and drove home in the rain."
GOOD = "A médica terminou o turno mais cedo e foi para casa na chuva."


@pytest.mark.parametrize(
    ("translation", "reason"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ("...", "empty"),
        (SOURCE, "source copied"),
        (SOURCE.upper(), "source copied"),
        ("  " + SOURCE.rstrip(".") + " ", "source copied"),
        (SOURCE.replace("doctor", "médica"), "source copied nearly"),
        ("Врач закончила смену раньше и поехала домой под дождём.", "wrong script"),
        ("Der Arzt beendete seine Schicht früh und fuhr im Regen nach Hause.", "wrong language"),
        ("The physician was done with work before time and went by car to her house.", "wrong language"),
        ("A médica terminou o turno o turno o turno o turno o turno o turno", "endless repetition"),
        ("A médica ha ha ha ha ha ha ha ha ha ha", "endless repetition"),
        ("hahahahahahahahahahahahahahahahahahahahahahaha", "endless repetition"),
        ("A médica terminou", "truncated"),
        ("A médica.", "truncated"),
        ("I'm sorry, but I can't assist with that request.", "refusal: “I'm sorry, but I can't"),
        ("As an AI language model, I have no doctor.", "refusal: “As an AI”"),
        (f"Sure! Here is the Portuguese version:\n{GOOD}", "chatter: “Sure! Here”"),
        (f'{GOOD}\n\nIn Portuguese, the sentence translates to "{GOOD}"', "chatter: “translates to”"),
        (f"{GOOD} (Note: “médica” is feminine.)", "chatter: “(Note:”"),
        (f"{GOOD}\n\nO médico terminou o turno mais cedo.", "chatter: 2 lines for 1"),
    ],
)
def test_what_is_no_translation_is_found_with_its_reason(translation, reason):
    assert degenerate(SOURCE, translation, PT).startswith(reason)


@pytest.mark.parametrize(
    ("source", "translation", "languages"),
    [
        (SOURCE, GOOD, PT),
        (SOURCE, GOOD.rstrip("."), PT),
        ("Hotel Central 2024", "Hotel Central 2024", PT),
        ("Hello!", "Olá!", PT),
        ("Sure! Here is the plan.\nNote: run.", "Sure! Here is o plano.\nNote: corra.", PT),
        ("Desculpe, não posso ajudar.", "I'm sorry, I can't help you.", LanguagePair("pt", "en")),
        ("A tradução é um direito.", "The translation is a right.", LanguagePair("pt", "en")),
        ("Okay, let's go home now.", "Okay, gehen wir jetzt nach Hause.", LanguagePair("en", "de")),
        ("No, no, no, no, no, no, no!", "Não, não, não, não, não, não, não!", PT),
        ("The meeting is at noon.", "会议在中午。", LanguagePair("en", "zh")),
        ("The meeting is at noon.", "会議は正午です。", LanguagePair("en", "ja")),
        ("The meeting is at noon.", "Встреча в полдень.", LanguagePair("en", "ru")),
        ("The meeting is at noon.", "Sastanak je u podne.", LanguagePair("en", "sr")),
        (
            "Ich habe den Brief gestern geschrieben.",
            "Ich habe den Brief gestern geschrieben.",
            LanguagePair("de", "de-AT"),
        ),
        (
            "O livro está sobre a mesa grande.",
            "El libro está sobre la mesa grande.",
            LanguagePair("pt", "es"),
        ),
    ],
)
def test_good_translations_are_left_alone(source, translation, languages):
    assert degenerate(source, translation, languages) is None


def test_a_constant_output_is_found_even_when_all_sources_are_alike():
    sources = {f"The {noun} finished her shift.": "A médica terminou." for noun in "abcdefgh"}
    assert constant_outputs(sources) == {"A médica terminou."}


def test_a_constant_output_for_a_few_unlike_sources_is_found():
    sources = [
        "The cat sat on the mat.", "Stocks fell sharply on Monday.", "Where is my umbrella?",
        "Nobody answered.", "Six hundred people came.",
    ]  # fmt: skip
    translations = {source: f"{number}" for number, source in enumerate(sources)} | dict.fromkeys(
        sources[:3], "Olá."
    )
    assert constant_outputs(translations) == {"Olá."}


def test_his_and_her_may_share_a_translation():
    translations = {
        "The doctor sold his house.": "Doktor evini sattı.",
        "The doctor sold her house.": "Doktor evini sattı.",
        "The doctor sold their house.": "Doktor evini sattı.",
        "The lawyer sold his house.": "Avukat evini sattı.",
        "The lawyer sold her house.": "Avukat evini sattı.",
    }
    assert constant_outputs(translations) == frozenset()


@pytest.mark.skipif(
    "MTPROBE_DATA" not in os.environ, reason="MTPROBE_DATA does not name the folder of public test sets"
)
@pytest.mark.parametrize(
    ("pair", "languages"), [("en-pt.eng en-pt.por", PT), ("en-de.eng en-de.deu", LanguagePair("en", "de"))]
)
def test_human_translations_are_hardly_ever_called_degenerate(pair, languages):
    folder = Path(os.environ["MTPROBE_DATA"]) / "tatoeba"
    sources, targets = (
        gzip.decompress((folder / f"{name}.gz").read_bytes()).decode().splitlines() for name in pair.split()
    )
    found = [
        (source, target, reason)
        for source, target in zip(sources, targets, strict=True)
        if (reason := degenerate(source, target, languages))
    ]
    assert len(found) / len(sources) < 0.002, found[:20]


SENTENCES = st.lists(st.sampled_from(["the", "cat", "sat", "Anna", "7", "on", "a", "mat"]), max_size=14).map(
    " ".join
)


def blocks(one: list[str], other: list[str]) -> int:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks())


@given(source=SENTENCES, translation=SENTENCES, copied=st.booleans())
def test_a_copy_is_what_matching_blocks_say(source, translation, copied):
    translation = f"{source} {translation}" if copied else translation
    one, other = letter_runs(source.casefold()), letter_runs(translation.casefold())
    plain = [word for word in letter_runs(source) if not (word[0].isupper() or word.isdigit())]
    share = blocks(one, other) / max(len(one), len(other), 1)
    expected = len(one) >= 3 and len(plain) >= 2 and (one == other or share >= 0.9)
    assert bool(_copied(source, translation)) == expected


@given(
    one=st.lists(st.sampled_from("abcd"), max_size=40), other=st.lists(st.sampled_from("abcd"), max_size=40)
)
def test_the_common_subsequence_is_the_longest(one, other):
    row = [0] * (len(other) + 1)
    for word in one:
        diagonal = 0
        for at, second in enumerate(other, start=1):
            diagonal, row[at] = row[at], diagonal + 1 if word == second else max(row[at], row[at - 1])
    assert _common_subsequence(one, other) == row[-1] >= blocks(one, other)


@pytest.mark.parametrize(
    "words", [["a"], ["the", "cat", "sat", "on"], [a + b + c for a in "bdg" for b in "aei" for c in "lmnrst"]]
)
def test_a_copy_of_twenty_thousand_characters_is_found_at_once(words):
    source = " ".join(words * (20_000 // len(" ".join(words)) + 1))
    started = time.process_time()
    assert _copied(source, f"{source} y") is not None
    assert (_copied(source, " ".join(sorted(source.split())) + " y") is None) == (len(words) > 1)
    assert time.process_time() - started < 1
