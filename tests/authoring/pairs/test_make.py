"""Pairs from corpora and from models: validated, counted, and never twice."""

from __future__ import annotations

import pytest

from mtprobe.authoring.corpus.parallel import Corpus
from mtprobe.authoring.pairs import open_kind
from mtprobe.authoring.pairs.change import Change
from mtprobe.authoring.pairs.make import Making, PairCounts, make_pairs
from mtprobe.authoring.pairs.validate import validated
from mtprobe.backends.protocols import LanguagePair
from mtprobe.errors import Failure
from mtprobe.language.tagging import open_tagger
from mtprobe.progress import Silent
from tests.authoring.pairs.conftest import line


def pairs_of(folder, rows, kind, language="de", translations=None, origins=("human",)):
    table = folder / "corpus.tsv"
    table.write_text("".join(f"{source}\t{target}\n" for source, target in rows), encoding="utf-8")
    asked: list[str] = []

    def translate(sources):
        asked.extend(sources)
        return {source: translations[source] for source in sources}

    making = Making(
        (open_kind(kind, language),),
        open_tagger("rules", language),
        LanguagePair("en", language),
        origins,
        translate if translations is not None else None,
    )
    counts = PairCounts()
    return list(make_pairs(Corpus((table,), ("target",)), making, counts, Silent())), counts, asked


def test_every_line_is_a_pair_or_is_counted_with_its_reason(tmp_path):
    rows = [
        ("That is impossible.", "Das ist unmöglich."),
        ("That is impossible.", "Das ist unmöglich."),
        ("It takes about an hour.", "Es dauert ungefähr eine Stunde."),
        ("You must come.", "Du musst unbedingt kommen."),
        ("", "Unmöglich!"),
        ("Unmöglich", "Unmöglich"),
        ("That is impossible.", "Das ist unmÃ¶glich."),
    ]
    pairs, counts, _ = pairs_of(tmp_path, rows, "polarity-affix")
    assert [(pair.correct, pair.incorrect, pair.line) for pair in pairs] == [
        ("Das ist unmöglich.", "Das ist möglich.", 1)
    ]
    assert counts.skipped["polarity-affix", "human"] == {
        "duplicate pair": 1,
        "the word without its prefix does not mean the opposite": 1,
        "the phenomenon is not in it": 1,
        "a side is empty": 1,
        "source and target are the same": 1,
        "its encoding is damaged": 1,
    }
    assert counts.lines == len(rows) == len(pairs) + sum(counts.skipped["polarity-affix", "human"].values())


def test_machine_translations_are_kept_swapped_or_dropped(tmp_path):
    translations = {
        "It is impossible now.": "Es ist jetzt unmöglich.",
        "This was impossible.": "Dies war möglich.",
        "He is unhappy.": "Er ist traurig.",
        "She seems unhappy.": "Sie wirkt unzufrieden.",
        "It's impossible to know.": "Es ist nicht möglich, das zu wissen.",
        "The plan is impossible.": "",
        "An impossible idea.": Failure("the service did not answer"),
    }
    rows = [
        ("It is impossible now.", "Das ist nun unmöglich."),
        ("This was impossible.", "Das war unmöglich."),
        ("He is unhappy.", "Er ist unglücklich."),
        ("She seems unhappy.", "Sie scheint unglücklich zu sein."),
        ("It's impossible to know.", "Es ist unmöglich, das zu wissen."),
        ("The plan is impossible.", "Der Plan ist unmöglich."),
        ("An impossible idea.", "Eine unmögliche Idee."),
        ("Good morning.", "Guten Morgen."),
    ]
    pairs, counts, asked = pairs_of(tmp_path, rows, "polarity-affix", "de", translations, ("machine",))
    assert [(pair.correct, pair.incorrect, pair.how) for pair in pairs] == [
        ("Es ist jetzt unmöglich.", "Es ist jetzt möglich.", "kept"),
        ("Dies war unmöglich.", "Dies war möglich.", "swapped"),
    ]
    assert "Good morning." not in asked  # what cannot be validated is not translated
    assert counts.swapped == {"polarity-affix": 1}
    assert counts.skipped["polarity-affix", "machine"] == {
        "the translation does not show the phenomenon": 2,  # *traurig*; *nicht möglich* is right as it is
        "the translation shows the phenomenon in other words than the reference": 1,
        "the translation is degenerate": 1,
        "the model gave no translation": 1,
        "in the reference: the phenomenon is not in it": 1,
    }


def test_human_and_machine_pairs_are_in_one_suite(tmp_path):
    rows = [("I don't sing.", "Eu não canto bem."), ("I don't swim.", "Eu não nado.")]
    translations = {"I don't sing.": "Não canto nada.", "I don't swim.": "Não nado hoje."}
    pairs, _, _ = pairs_of(tmp_path, rows, "negation-particle", "pt", translations, ("human", "machine"))
    assert [(pair.origin, pair.line, pair.incorrect) for pair in pairs] == [
        ("human", 1, "Eu canto bem."),
        ("human", 2, "Eu nado."),
        ("machine", 2, "Nado hoje."),
    ]


@pytest.mark.parametrize(
    ("kind", "language", "source", "reference", "translation", "expected"),
    [
        (
            "np-agreement", "de", "I'm reading a book.", "Ich lese ein Buch.", "Ich lese heute eine Buch.",
            ("Ich lese heute ein Buch.", "Ich lese heute eine Buch.", "swapped"),
        ),
        (
            "np-agreement", "pt", "It's in my room.", "Está no meu quarto.", "Fica na minha quarto.", None,
        ),
        (
            "subject-verb-agreement", "pt", "They bought a car.", "Eles compraram um carro.", "Eles comprou carro.",
            ("Eles compraram carro.", "Eles comprou carro.", "swapped"),
        ),
        (
            "gendered-pronoun", "pt", "He forgot us.", "Ele nos esqueceu.", "Ela esqueceu da gente.", None,
        ),
        (
            "clause-omission", "de", "The car is broken. We must go to the garage.",
            "Das Auto ist kaputt. Wir müssen zur Werkstatt.",
            "Der Wagen ist kaputt. Wir müssen in die Werkstatt gehen.",
            ("Der Wagen ist kaputt. Wir müssen in die Werkstatt gehen.", "Der Wagen ist kaputt.", "kept"),
        ),
    ],
)  # fmt: skip
def test_a_reference_vouches_for_what_it_shows_itself(
    kind, language, source, reference, translation, expected
):
    opened = open_kind(kind, language)
    theirs = [one for one in opened.changes(line(language, source, reference)) if isinstance(one, Change)]
    assert theirs
    found = validated(opened, theirs, line(language, source, translation))
    if expected is None:
        assert not isinstance(found, list)
    else:
        assert isinstance(found, list)
        assert expected in [(one.correct, one.incorrect, one.how) for one in found]
