"""Mutators: what becomes of a translation."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.authoring.power.mutators import MUTATORS, Material, TextMutator
from mtprobe.backends.protocols import LanguagePair
from mtprobe.errors import Place
from mtprobe.methods.checks.preserve import Preserve
from mtprobe.methods.method import Ask, Translated
from mtprobe.suite.sample import Sample
from mtprobe.suites import load_suite
from tests.conftest import ROOT

PRESERVE = load_suite(ROOT / "suites/robustness/preserve.mt.yaml")
TEXT_MUTATORS = [mutator for mutator in MUTATORS.values() if isinstance(mutator, TextMutator)]
NULLS = [mutator for mutator in MUTATORS.values() if mutator.null]


def a_sample(source: str = "Anna Berg paid 25 euros.", **changes) -> Sample:
    return Sample("one", source, None, None, {}, "one", Place(Path("x.mt.yaml"), 1), **changes)


def material(*texts: tuple[Sample, str], target: str = "pt", seed: int = 0) -> Material:
    """For mutators that look at nothing but texts."""
    preparation = SimpleNamespace(languages=LanguagePair("en", target), suite=PRESERVE)
    return Material([Translated(*text) for text in texts], preparation, seed)


def mutated(name: str, text: str, target: str = "pt", source: str = "", **sample) -> str | None:
    subject = a_sample(source or text, **sample)
    return next(
        (one.text for one in MUTATORS[name].mutate_all(material((subject, text), target=target))), None
    )


def test_a_digit_is_another_and_those_of_placeholders_stay():
    changed = mutated("digits", "Ela tem 25 mensagens em {0} e https://x.test/3.")
    assert re.fullmatch(r"Ela tem \d\d mensagens em \{0\} e https://x.test/3.", changed)
    assert "25" not in changed
    assert mutated("digits", "Ela tem {0} mensagens.") is None


def test_a_name_is_misspelled_where_source_and_translation_share_it():
    changed = mutated("names", "Ontem a Anna pagou.", source="Yesterday Anna paid.")
    assert changed != "Ontem a Anna pagou."
    assert changed.startswith("Ontem a A")
    assert mutated("names", "Ontem ela pagou.", source="Yesterday Anna paid.") is None


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("placeholders", "Olá {name}, bom dia.", "Olá , bom dia."),
        ("urls", "Abra https://x.test agora.", "Abra agora."),
        ("emails", "Escreva para a@b.test agora.", "Escreva para agora."),
        ("emoji", "Ganhamos 🎉 hoje", "Ganhamos hoje"),
        ("casing", "NÃO TOQUE NO VIDRO.", "Não toque no vidro."),
        ("quotes", "Ela lê “A Porta” agora.", "Ela lê A Porta agora."),
        ("punctuation", "Você vem?", "Você vem."),
        ("truncation", "Ela comprou um livro novo.", "Ela comprou um."),
        ("negation", "Ela não comprou o livro.", "Ela comprou o livro."),
        ("agreement", "Ela comprou o livro.", "Ela compraram o livro."),
    ],
)
def test_what_becomes_of_a_translation(name, text, expected):
    assert mutated(name, text, source="She did not buy the book.") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He said that she saw him.", "She said that he saw her."),
        ("She lost her keys.", "He lost his keys."),
        ("They saw her in the garden.", "They saw him in the garden."),
        ("The keys are his.", "The keys are hers."),
    ],
)
def test_pronouns_of_english_change_their_gender(text, expected):
    assert mutated("pronoun", text, "en") == expected
    assert mutated("pronoun", text, "pt") is None


def test_pronouns_of_english_lose_their_gender():
    text = "She said that his keys are hers, and he saw her in the mirror himself."
    neutral = "They said that their keys are theirs, and they saw them in the mirror themself."
    assert mutated("neutral-pronoun", text, "en") == neutral


def test_a_copied_source_is_the_translation():
    assert mutated("copying", "Ela pagou.", source="She paid.") == "She paid."


def test_a_synonym_is_not_taken_from_the_word_that_the_sample_is_about():
    assert mutated("synonym", "Ela quer comprar pão.") == "Ela quer adquirir pão."
    from mtprobe.suite.sample import SenseLemmas

    lemmas = {"pt": SenseLemmas(("comprar",), ("vender",))}
    assert mutated("synonym", "Ela quer comprar pão.", lemmas=lemmas) is None


sources = st.sampled_from([sample.source for sample in PRESERVE.samples])


@given(sources, st.integers(0, 3), st.sampled_from(["pt", "en", "fr"]))
def test_mutants_differ_from_the_translation_and_depend_on_seed_and_sample_alone(text, seed, target):
    subject, other = a_sample(text), a_sample("Another sentence with 12 words.")
    for mutator in TEXT_MUTATORS:
        alone = list(mutator.mutate_all(material((subject, text), target=target, seed=seed)))
        assert all(mutant.text != text for mutant in alone)
        together = mutator.mutate_all(
            material((other, "7 words."), (subject, text), target=target, seed=seed)
        )
        assert [mutant.text for mutant in together if mutant.sample is subject] == [one.text for one in alone]


def test_null_mutants_never_change_what_preserve_says():
    languages = LanguagePair("en", "en")
    ask = Ask(PRESERVE, languages, lambda _: {})
    subjects = [Translated(sample, sample.source) for sample in PRESERVE.samples]
    before = {
        item.sample.id: verdict.outcome
        for item, verdict in zip(subjects, Preserve().judge(subjects, ask), strict=True)
    }
    made = Material(subjects, SimpleNamespace(languages=languages, suite=PRESERVE))
    for mutator in NULLS:
        mutants = [Translated(one.sample, one.text) for one in mutator.mutate_all(made)]
        assert mutants or mutator.name == "synonym"  # its words are not in these sentences
        for item, verdict in zip(mutants, Preserve().judge(mutants, ask), strict=True):
            assert verdict.outcome == before[item.sample.id], item.text


def test_a_synonym_keeps_numbers_and_names():
    subject = a_sample("Anna Berg bought 25 cars again.", preserve=("numbers", "names"), names=("Anna Berg",))
    changed = Translated(subject, mutated("synonym", "Anna Berg vendeu 25 carros novamente."))
    ask = Ask(PRESERVE, LanguagePair("en", "pt"), lambda _: {})
    assert changed.text in (
        "Anna Berg comercializou 25 carros novamente.",
        "Anna Berg vendeu 25 carros de novo.",
    )
    assert Preserve().judge([changed], ask)[0].outcome == "correct"


def test_every_mutator_says_what_it_does():
    assert all(mutator.about and mutator.name == name for name, mutator in MUTATORS.items())
    assert [mutator.null for mutator in MUTATORS.values()] == sorted(
        mutator.null for mutator in MUTATORS.values()
    )


def test_the_page_about_power_explains_every_mutator():
    page = (ROOT / "docs/explanation/power.md").read_text("utf-8")
    assert [name for name in MUTATORS if f"`{name}`" not in page] == []
