"""mtprobe pronouns"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import pairwise

import pytest

from mtprobe.authoring.corpus.count import count
from mtprobe.authoring.corpus.parallel import Corpus
from mtprobe.authoring.corpus.pronouns import Key, PronounCounter, PronounSearch, read_pronouns, shipped
from mtprobe.cli import main
from mtprobe.language.tagging import Tagged, tokens_of

SOURCES = ["It is red .", "Is it her car ?", "He saw it .", "It rained and it snowed .", "The car stopped ."]
REFERENCE = [
    "Elle est rouge .",
    "Est-elle à elle ?",
    "Il l'a vu .",
    "Il a plu et il a neigé .",
    "Il s'arrêta .",
]
MODEL = [
    "Il est rouge .",
    "Est-ce la sienne ?",
    "Il l'a vu .",
    "Il a plu et neigé .",
    "La voiture s'arrêta .",
]


@pytest.fixture
def files(folder):
    for name, lines in (("en", SOURCES), ("fr", REFERENCE), ("model.fr", MODEL)):
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def pronouns(capsys, *arguments):
    code = main(["pronouns", *arguments, "--json"])
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return json.loads(out)


@pytest.mark.usefixtures("files")
def test_every_pronoun_is_counted_in_every_version(capsys):
    found = pronouns(capsys, "--pronouns", "fr", "en", "reference=fr", "model=model.fr")
    assert found["pronouns"] == {
        "reference": {"masculine": 4, "feminine": 3},  # *Est-elle* counts, *l'a* does not
        "model": {"masculine": 3, "feminine": 0},
    }


@pytest.mark.usefixtures("files")
def test_without_alignments_only_clear_pairs_count_for_it(capsys):
    """One *it*, no *he* or *she* in the source; one pronoun in the target."""
    found = pronouns(capsys, "--pronouns", "fr", "en", "reference=fr", "model=model.fr")
    assert found["made_from"]["it"] == "clear pairs"
    assert found["it"]["reference"] == {
        "masculine": 0,
        "feminine": 1,
        "other": 1,
    }  # two *elle* in the second pair
    assert found["it"]["model"] == {"masculine": 1, "feminine": 0, "other": 1}


def test_alignments_show_what_it_is_translated_as(files, capsys):
    links = ["0-0 1-1 2-2", "1-0 0-0 2-2 3-2", "0-0 2-1", "0-0 1-2 3-4 4-6", "0-0"]
    (files / "links").write_text("\n".join(links) + "\n", encoding="utf-8")
    found = pronouns(capsys, "--pronouns", "fr", "en", "fr", "--links", "links")
    assert found["made_from"]["it"] == "aligned"
    # *it* of the third pair is aligned with *l'a*; the fourth has two.
    assert found["it"]["fr"] == {"masculine": 2, "feminine": 2, "other": 1}


@pytest.mark.usefixtures("files")
def test_a_table_of_counts_compares_versions_with_the_first(capsys):
    assert main(["pronouns", "--pronouns", "fr", "en", "reference=fr", "model=model.fr"]) == 0
    out = capsys.readouterr().out
    assert "3 (75 %)" in out
    assert "Translations of *it*" in out


GERMAN = [
    "Sie lacht, und sie singt.",
    "Ich danke Ihnen, Sie sind nett.",
    "Er kam. Sie ging.",
    "Es ist rot, sagt er.",
]


def _counted(counter, targets, source="It is red."):
    return counter.count([source, target] for target in targets)


def test_forms_with_several_readings_are_counted_apart():
    counts = _counted(PronounCounter(read_pronouns("de"), 1), GERMAN, "I see.")
    assert counts == {
        Key("pronouns", 0, "unclear"): 3,  # without the polite one
        Key("pronouns", 0, "masculine"): 2,
        Key("pronouns", 0, "neuter"): 1,
    }


def test_as_a_translation_of_it_their_gender_is_known():
    counts = _counted(PronounCounter(read_pronouns("de"), 1), ["Sie ist rot.", "Es ist rot.", "Rot."])
    assert {key.name: number for key, number in counts.items() if key.what == "it"} == {
        "feminine": 1,
        "neuter": 1,
        "other": 1,
    }
    they = _counted(PronounCounter(read_pronouns("de"), 1), ["Sie sahen es."], "They saw it.")
    assert not any(key.what == "it" for key in they)


@dataclass
class _ByVerb:
    """*Sie* is plural before a verb in -en."""

    name: str = "by verb"
    asked: list[str] = field(default_factory=list)

    def tag(self, sentences):
        self.asked += sentences
        return [[*self._tagged(sentence)] for sentence in sentences]

    def _tagged(self, sentence):
        tokens = tokens_of(sentence)
        for (word, start), (following, _) in pairwise(tokens):
            if word.lower() == "sie" and following.endswith("en"):
                yield Tagged(word, start, "PRON", None, "plural")
            elif word.lower() == "sie":
                yield Tagged(word, start, "PRON", "feminine", "singular")


def test_a_tagger_decides_about_forms_with_several_readings():
    tagger = _ByVerb()
    counter = PronounCounter(read_pronouns("de"), 1, tagger=tagger)
    counts = _counted(counter, ["Sie lachen.", "Dann lacht sie laut.", "Er lacht."], "I see.")
    assert counts == {Key("pronouns", 0, "feminine"): 1, Key("pronouns", 0, "masculine"): 1}
    assert tagger.asked == ["Sie lachen.", "Dann lacht sie laut."]


@pytest.mark.slow
def test_the_number_of_jobs_changes_nothing(files):
    for name in ("en", "fr"):
        lines = (files / name).read_text(encoding="utf-8")
        (files / name).write_text(lines * 3000, encoding="utf-8")
    search = PronounSearch(Corpus((files / "en", files / "fr"), ("fr",)), read_pronouns("fr"))
    one, two = count(search, 1), count(search, 2)
    assert one == two
    assert one.patterns[Key("pronouns", 0, "feminine")] == 9000


@pytest.mark.parametrize("language", ["de", "es", "fr", "it", "pt", "ru"])
def test_pronouns_come_with_mtprobe(language):
    assert language in shipped()
    assert {"masculine"} <= {*read_pronouns(language).genders}


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--pronouns", "ffr", "en", "fr"],
            '"ffr" is neither a YAML file nor a language with shipped pronouns',
        ),
        (["--pronouns", "fr", "en", "fr", "--links", "nowhere"], "nowhere: no such file"),
        (["--pronouns", "fr", "en", "a=fr", "b=model.fr", "--links", "en"], "1 files for 2 target files"),
        (["--pronouns", "fr", "en", "--links", "en"], "not a table"),
        (["--pronouns", "fr", "en", "fr", "--links", "fr"], "is not an alignment link"),
        (["--pronouns", "mine.yaml", "en", "fr"], '"il" has two genders; list it under `unclear`'),
        (["--pronouns", "good.yaml", "en", "fr", "--tagger", "rules"], "--target"),
    ],
)
def test_mistakes_are_named(arguments, message, files, capsys):
    (files / "mine.yaml").write_text("source: it\ngenders: {masculine: il, feminine: [elle, il]}\n")
    (files / "good.yaml").write_text("source: it\ngenders: {masculine: il, feminine: elle}\n")
    assert main(["pronouns", *arguments]) == 2
    assert message in capsys.readouterr().err
