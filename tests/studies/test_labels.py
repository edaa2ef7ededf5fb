"""Files of human labels."""

from __future__ import annotations

import pytest

from mtprobe.errors import MtprobeError
from mtprobe.studies.labels import LabelKeys, read_labels


@pytest.fixture
def read(tmp_path):
    def read(text, name="anna.tsv", **keys):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return [(label.id, label.text, label.annotator) for label in read_labels(path, LabelKeys(**keys))]

    return read


def test_a_table_of_one_person_is_named_after_its_file(read):
    assert read("id\tlabel\nnurse-his\tmale\n\n2\tfemale\n") == [
        ("nurse-his", "male", "anna"),
        ("2", "female", "anna"),
    ]


def test_one_file_may_have_several_annotators(read):
    text = 'annotator,id,label,remark\nAnna,1,male,\nBen,1,"both, or neither",hm\n'
    assert read(text, "labels.csv") == [("1", "male", "Anna"), ("1", "both, or neither", "Ben")]


def test_a_tab_separated_file_knows_no_quotes(read):
    assert read('id\tlabel\n1\t"male\n') == [("1", '"male', "anna")]


def test_json_lines_of_a_tool_are_read_with_its_names(read):
    text = '{"id": 7, "Index": "12", "label": ["Male"]}\n\n{"id": 8, "Index": 13, "label": ["Female"]}\n'
    assert read(text, "x.jsonl", id="Index") == [("12", "Male", "x"), ("13", "Female", "x")]


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("id\tlable\n1\tmale\n", "anna.tsv", 'anna.tsv:2: has no "label"; did you mean "lable"?'),
        ("id\tlabel\n1\n", "anna.tsv", "anna.tsv:2: 1 fields, but 2 in the header"),
        ("id\tlabel\n1\t \n", "anna.tsv", 'anna.tsv:2: "label" must be a text, not " "'),
        ("id\tlabel\n1\tx\n1\ty\n", "anna.tsv", 'anna.tsv:3: a second label by "anna" for "1"; the first is on line 2'),
        ("id\tlabel\n", "anna.tsv", "anna.tsv: has no labels"),
        ("", "anna.tsv", "anna.tsv: has no labels"),
        ('{"id": 1, "label": ["a", "b"]}\n', "a.jsonl", 'a.jsonl:1: "label" must be a text, not ["a", "b"]'),
        ('{"id": true, "label": "a"}\n', "a.jsonl", 'a.jsonl:1: "id" must be a text, not true'),
        ("{\n", "a.jsonl", "a.jsonl:1: not valid JSON"),
        ("[1]\n", "a.jsonl", "a.jsonl:1: a line must be an object"),
        ("x", "a.xlsx", "a.xlsx: a label file ends in .jsonl, .tsv or .csv"),
        ('id,label\n1,"x\n', "a.csv", "a.csv:2: unexpected end of data"),
    ],
)  # fmt: skip
def test_a_mistake_is_reported_with_its_line(read, text, name, said):
    with pytest.raises(MtprobeError) as error:
        read(text, name)
    assert said in str(error.value)


def test_a_missing_file_or_one_that_is_not_text_is_an_error(tmp_path):
    with pytest.raises(MtprobeError, match="cannot be read: No such file"):
        read_labels(tmp_path / "none.tsv")
    (tmp_path / "latin.tsv").write_bytes("id\tlabel\n1\tweiß".encode("latin-1"))
    with pytest.raises(MtprobeError, match="not UTF-8 text"):
        read_labels(tmp_path / "latin.tsv")


def test_a_file_in_utf_16_says_so(tmp_path):
    (tmp_path / "wide.tsv").write_text("id\tlabel\n1\tcorrect\n", encoding="utf-16")
    with pytest.raises(MtprobeError, match="in UTF-16, not in UTF-8; save it as UTF-8"):
        read_labels(tmp_path / "wide.tsv")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.tsv", "id,label\n1,correct\n", "a.tsv:1: has commas between the columns, not tabs"),
        ("a.csv", "id;label\n1;correct\n", "a.csv:1: has semicolons between the columns, not commas"),
        ("b.csv", "id\tlabel\n1\tcorrect\n", "b.csv:1: has tabs between the columns, not commas"),
    ],
)
def test_a_table_with_another_separator_says_so(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(MtprobeError) as error:
        read_labels(tmp_path / name)
    assert str(error.value).endswith(message)
