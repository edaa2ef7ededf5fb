"""MuCoW's translation suite: parallel files, a word that must be found, categories from a list of senses."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from mtprobe.datasets.mucow import MuCoW, read
from mtprobe.datasets.reading import find_word
from mtprobe.errors import SuiteError
from mtprobe.suite.data import Reading, Skipped
from mtprobe.suite.parsing.files import SuiteFiles

CUES = {"cluster_id": 1, "correct_insertions": ["gear", "foot"], "incorrect_insertions": ["particle", "beam"]}
FILES = {
    "text.txt": "He hit the accelerator.\nAn accelerator was built.\n",
    "key.txt": "11\tted\taccelerator\tgaspedal\tbeschleuniger teilchenbeschleuniger\n"
    "12\tbooks\taccelerator\tbeschleuniger teilchenbeschleuniger\tgaspedal\n",
    "ref.txt": "Er trat aufs Gaspedal.\nEin Beschleuniger wurde gebaut.\n",
    "cues.jsonl": (json.dumps({"src_word": "accelerator", **CUES}) + "\n") * 2,
    "frequencies.json": json.dumps(
        {
            "frequent_word_senses": {"de": [["accelerator", "beschleuniger"]]},
            "infrequent_word_senses": {"de": [["accelerator", "gaspedal"]]},
        }
    ),
}
NAMES = {"references": "ref.txt", "cues": "cues.jsonl", "frequencies": "frequencies.json", "target": "de"}


@pytest.fixture
def items(files, reading):
    def items(changed=None, **keys):
        files(FILES | (changed or {}))
        entry = MuCoW(format="mucow", text="text.txt", key="key.txt", **(NAMES | keys))
        return [item for _, item in read(entry, reading)]

    return items


def test_an_item_has_its_word_lemmas_cues_reference_and_category(items):
    rare, frequent = items()
    assert (rare.id, rare.source, rare.category) == ("accelerator/11", "He hit the <accelerator>.", "rare")
    assert rare.attributes == {"word": "accelerator", "sense": "gaspedal", "corpus": "ted"}
    assert rare.lemmas["de"].good == ["gaspedal"]
    assert rare.lemmas["de"].bad == ["beschleuniger", "teilchenbeschleuniger"]
    assert (rare.cues.correct, rare.cues.incorrect) == (["gear", "foot"], ["particle", "beam"])
    assert rare.references == {"de": ["Er trat aufs Gaspedal."]}
    assert frequent.category == "frequent"


def test_references_cues_and_frequencies_may_be_left_out(items):
    first, _ = items(references=None, cues=None, frequencies=None)
    assert (first.cues, first.category, first.references) == (None, None, None)
    assert first.source == "He hit the <accelerator>."


@pytest.mark.parametrize(
    ("word", "text", "found"),
    [
        ("cock", 'The cock crows "cock-a-doodle-doo".', "cock"),
        ("digit", "A four-digit number whose first digit is a two.", "digit is"),
        ("starter", "Starter motors and starter-generators", "Starter"),
        ("ball", "football and balls", "balls"),
        ("arm", "the harm of her arm", "arm"),
        ("key", "a low-key song", "key"),
        ("C", "He wrote it in C.", "C."),
    ],
)
def test_the_word_is_found_by_itself_before_compounds_and_endings(word, text, found):
    start, end = find_word(word, text)
    assert text[start:].startswith(found)
    assert text[start:end].casefold().startswith(word.casefold())


def test_a_word_inside_of_another_is_not_found():
    assert find_word("arm", "harmless and farms") is None


def test_items_without_a_category_or_without_cues_are_left_out(items):
    neither = json.dumps(
        {
            "frequent_word_senses": {"de": [["accelerator", "beschleuniger"]]},
            "infrequent_word_senses": {"de": [["accelerator", "teilchenbeschleuniger"]]},
        }
    )
    unknown, both = items({"frequencies.json": neither})
    assert "neither frequent nor rare" in unknown.reason
    assert "both frequent and rare" in both.reason
    bare = FILES["cues.jsonl"].replace('["gear", "foot"]', "[]", 1)
    assert isinstance(items({"cues.jsonl": bare})[0], Skipped)


def test_files_of_different_lengths_are_an_error_that_names_both(items):
    with pytest.raises(SuiteError) as raised:
        items({"ref.txt": "Er trat aufs Gaspedal.\n"})
    assert "ref.txt:2: ref.txt has 1 lines, " in str(raised.value)
    assert "text.txt has 2; they must match" in str(raised.value)


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("key.txt", "12\tbooks\t", "12\t", "key.txt:2: a line has an id, a corpus, a word"),
        ("cues.jsonl", '"src_word": "accelerator"', '"src_word": "brake"', 'cues.jsonl:1: cues for "brake"'),
        ("cues.jsonl", "{", "", "cues.jsonl:1:11: not valid JSON: "),
        ("cues.jsonl", '["gear", "foot"]', '"gear"', "cues.jsonl:1: correct_insertions: must be a list"),
        ("text.txt", "the accelerator", "the brake", 'text.txt:1: the word "accelerator" of '),
    ],
)
def test_a_malformed_line_is_named_and_the_others_are_read(items, name, old, new, message):
    found = items({name: FILES[name].replace(old, new, 1)})
    assert sum(isinstance(item, SuiteError) for item in found) == 1
    assert message in str(next(item for item in found if isinstance(item, SuiteError)))


@pytest.mark.parametrize(
    ("content", "message"),
    [("{", "frequencies.json:1:2: not valid JSON"), ("{}", "frequent_word_senses: is missing"),
     ('{"frequent_word_senses": {"ru": []}, "infrequent_word_senses": {"ru": []}}', 'nothing for the language "de"'),
     ('{"frequent_word_senses": {"de": [["a"]]}, "infrequent_word_senses": {"de": []}}', "frequent_word_senses.de[0]: ")],
)  # fmt: skip
def test_a_malformed_list_of_frequencies_is_an_error(items, content, message):
    with pytest.raises(SuiteError) as raised:
        items({"frequencies.json": content})
    assert message in str(raised.value)


def test_the_target_language_is_needed(items):
    with pytest.raises(SuiteError, match="say which language the translations are in"):
        items(target=None)


def test_the_published_set(published, reading):
    entry = MuCoW(
        format="mucow",
        text="mucow/en-de.text.txt",
        key="mucow/en-de.key.tsv",
        references="mucow/en-de.ref.txt",
        cues="mucow/en-de.insertions.roberta-large.jsonl",
        frequencies="mucow/frequency_categories.json",
    )
    items = [
        item for _, item in read(entry, Reading(SuiteFiles(published / "x"), reading.place, "en", ("de",)))
    ]
    assert Counter(item.category for item in items) == {"frequent": 1713, "rare": 1624}
    assert len({item.id for item in items}) == 3337
    assert {(len(item.cues.correct), len(item.cues.incorrect)) for item in items} == {(3, 3)}
    for item in items:
        start, end = item.source.index("<"), item.source.index(">")
        assert item.source[start + 1 : end].casefold() == item.attributes["word"].casefold()
