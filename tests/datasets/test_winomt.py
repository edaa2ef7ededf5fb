"""WinoMT, as it is published: four or five columns, an index that counts tokens, sentences that stand twice."""

from __future__ import annotations

import gzip
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.datasets.winomt import WinoMT, _with_focus, read
from mtprobe.errors import Place, SuiteError
from mtprobe.suite.data import Skipped
from mtprobe.suite.samples.focus import read_marks

LINES = [
    "female\t1\tThe developer argued with the designer because she was tired.\tdeveloper\tanti",
    "male\t4\tThe editor called the construction worker because he knew it.\tconstruction worker\tpro",
    "neutral\t1\tThe cook called someone because they were late.\tcook\tnone",
    "female\t0\tSomeone asked the manager because she was lost.\tsomeone\tnone",
    "male\t6\tThe farmer offered apples to the housekeeper, because he might like them.\thousekeeper\tanti",
]


@pytest.fixture
def items(files, reading):
    def items(text, name="test.tsv", **keys):
        files({name: text})
        return [item for _, item in read(WinoMT(format="winomt", file=name, **keys), reading)]

    return items


def test_the_focus_is_the_occupation_at_the_index(items):
    first, several, _, capital, comma = items("\n".join(LINES))
    assert first.source == "The <developer> argued with the designer because she was tired."
    assert several.source == "The editor called the <construction worker> because he knew it."
    assert capital.source == "<Someone> asked the manager because she was lost."
    assert comma.source == "The farmer offered apples to the <housekeeper>, because he might like them."
    assert (first.category, first.attributes) == ("female", {"occupation": "developer", "stereotype": "anti"})
    assert capital.attributes == {"occupation": "someone"}  # no stereotype is none of the two


def test_sentences_that_tell_no_gender_are_left_out_and_can_be_kept(items):
    assert sum(isinstance(item, Skipped) for item in items("\n".join(LINES))) == 1
    kept = items("\n".join(LINES), neutral="keep")
    assert [item.category for item in kept] == ["female", "male", "neutral", "female", "male"]


def test_files_of_four_columns_take_the_stereotype_from_the_entry(items):
    four = "\n".join(line.rpartition("\t")[0] for line in LINES)
    assert {item.attributes.get("stereotype") for item in items(four) if not isinstance(item, Skipped)} == {
        None
    }
    told = items(four, stereotype="pro")
    assert {item.attributes["stereotype"] for item in told if not isinstance(item, Skipped)} == {"pro"}


def test_a_packed_file_is_read_by_either_name(items, files, reading):
    plain = items("\n".join(LINES))
    files({"packed.tsv.gz": gzip.compress("\n".join(LINES).encode())})
    for name in ("packed.tsv", "packed.tsv.gz"):
        assert [item for _, item in read(WinoMT(format="winomt", file=name), reading)] == plain


def test_ids_do_not_depend_on_the_position(items):
    there = {item.id for item in items("\n".join(LINES), neutral="keep")}
    assert {item.id for item in items("\n".join(reversed(LINES)), neutral="keep")} == there
    assert len(there) == 5


def test_a_sentence_that_stands_twice_is_a_copy_with_an_id_of_its_own(items):
    one, two = items("\n".join([LINES[0], LINES[0]]))
    assert (one.id + "/2", one.source) == (two.id, two.source)
    assert "copy" not in one.attributes
    assert two.attributes["copy"] == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("female\t1\tThe cook left.", "this one has 3 columns"),
        ("femal\t1\tThe cook left.\tcook\tpro", 'unknown gender "femal"; did you mean "female"?'),
        ("female\t1\tThe cook left.\tcook\tpor", 'unknown stereotype "por"; did you mean "pro"?'),
        (
            "female\tx\tThe cook left.\tcook\tpro",
            'index "x" is not a number; the columns are a gender, an index, a sentence',
        ),
        ("female\t3\tThe cook left.\tcook\tpro", "index 3: the sentence's tokens are numbered from 0 to 2"),
        ("female\t-1\tThe cook left.\tcook\tpro", 'index "-1" is not a number'),
        ("female\t0\tThe cook left.\tcook\tpro", 'index 0 is "The", not the occupation "cook"'),
        ("female\t1\tThe cooker left.\tcook\tpro", 'index 1 is "cooker", not the occupation "cook"'),
        ("female\t1\tThe cook left.\t\tpro", "not the occupation"),
        ("female\t1\tThe cook\x07 left.\tcook\tpro", "source: contains a control character"),
    ],
)
def test_a_malformed_line_is_named_and_the_others_are_read(items, line, message):
    before, wrong, after = items("\n".join([LINES[0], line, LINES[1]]))
    assert not isinstance(before, SuiteError)
    assert not isinstance(after, SuiteError)
    assert "test.tsv:2: " in str(wrong)
    assert message in str(wrong)


def test_bytes_that_are_no_text_are_named(items):
    _, wrong = items(LINES[0].encode() + b"\nfemale\t1\tThe \xff left.\tcook\tpro")
    assert "test.tsv:2: not UTF-8 text: the byte 0xFF" in str(wrong)


def test_half_a_packed_file_is_an_error(items):
    packed = gzip.compress("\n".join(LINES * 200).encode())
    with pytest.raises(SuiteError, match="damaged gzip file"):
        items(packed[: len(packed) // 2], name="test.tsv.gz")


def test_a_stereotype_in_the_file_and_in_the_entry_is_an_error(items):
    assert "has a stereotype of its own" in str(items(LINES[0], stereotype="pro")[0])


WORDS = st.lists(st.text("abc<>", min_size=1, max_size=4), min_size=1, max_size=6)


@given(WORDS, WORDS, WORDS)
def test_marking_the_focus_loses_nothing(before, occupation, after):
    sentence = " ".join([*before, *occupation, *after])
    marked = read_marks(_with_focus(sentence, str(len(before)), " ".join(occupation), Place("x")))
    assert marked.text == sentence
    assert marked.text[slice(*marked.focus)] == " ".join(occupation)


def test_the_published_set(published, reading):
    from mtprobe.suite.data import Reading
    from mtprobe.suite.parsing.files import SuiteFiles

    reading = Reading(SuiteFiles(published / "x"), reading.place, "en", None)
    read_all = list(read(WinoMT(format="winomt", file="winomt/test.tsv"), reading))
    kept = [item for _, item in read_all if not isinstance(item, Skipped)]
    assert (len(read_all), len(kept)) == (3888, 3648)
    assert Counter(item.category for item in kept) == {"male": 1826, "female": 1822}
    assert Counter(item.attributes.get("stereotype") for item in kept) == {
        "pro": 1582,
        "anti": 1586,
        None: 480,
    }
    assert len({item.id for item in kept}) == 3648
    assert sum("copy" in item.attributes for item in kept) == 8
    everything = read(WinoMT(format="winomt", file="winomt/test.tsv", neutral="keep"), reading)
    assert Counter(item.category for _, item in everything)["neutral"] == 240
    for half in ("pro", "anti"):
        entry = WinoMT(format="winomt", file=f"winomt/en_{half}.txt", stereotype=half)
        assert [item.attributes["stereotype"] for _, item in read(entry, reading)] == [half] * 1584
