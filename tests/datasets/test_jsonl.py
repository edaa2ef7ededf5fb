"""JSON Lines: one sample a line, and a mistake names its line."""

from __future__ import annotations

import pytest

from mtprobe.datasets.jsonl import JsonLines, read
from mtprobe.errors import SuiteError

GOOD = b'{"source": "The <nurse> lost his keys."}'


@pytest.fixture
def samples(tmp_path, reading):
    def samples(content: bytes):
        path = tmp_path / "data.jsonl"
        path.write_bytes(content)
        return [one for _, one in read(JsonLines(file="data.jsonl"), reading)]

    return samples


def test_every_line_is_a_sample_with_the_keys_of_a_suite(samples):
    line = (
        b'{"id": "one", "source": "A <bank>.", "category": "rare", "attributes": {"rank": 3},'
        b' "cues": {"correct": "river", "incorrect": ["money", "cash"]},'
        b' "targets": {"de": {"correct": "Ein Ufer.", "incorrect": "Eine Bank."}},'
        b' "lemmas": {"pt-BR": {"good": ["margem"], "bad": ["banco"]}}}'
    )
    (sample,) = samples(line)
    assert (sample.id, sample.source, sample.category) == ("one", "A <bank>.", "rare")
    assert sample.attributes == {"rank": 3}
    assert (sample.cues.correct, sample.cues.incorrect) == (["river"], ["money", "cash"])
    assert sample.targets["de"].correct == ["Ein Ufer."]
    assert sample.lemmas["pt-BR"].good == ["margem"]


def test_empty_lines_a_byte_order_mark_and_windows_line_ends_are_passed_over(samples):
    assert len(samples(b"\xef\xbb\xbf" + GOOD + b"\r\n\r\n   \n" + GOOD)) == 2


def test_an_empty_file_has_no_samples(samples):
    assert samples(b"") == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"source": "x"', ":2:14: not valid JSON: EOF while parsing an object"),
        (b'{"source": "x",}', ":2:16: not valid JSON: trailing comma"),
        (b"{'source': 'x'}", ":2:2: not valid JSON: key must be a string"),
        ('{“source”: "x"}'.encode(), ':2:2: not valid JSON: key must be a string; “ is not a quote in JSON, only " is'),
        (b"[", ":2:1: not valid JSON: EOF while parsing a list; each line is one sample, { … }, without brackets"),
        (b'{"source": "x"},', ":2:16: not valid JSON: trailing characters; each line is one sample, without a comma after it"),
        (b"[1]", ":2: must be a mapping of names to values"),
        (b'"text"', ":2: must be a mapping of names to values"),
        (b"null", ":2: is empty"),
        (b"{}", ":2: source: is missing"),
        (b'{"sorce": "x"}', ':2: sorce: unknown key; did you mean "source"?'),
        (b'{"source": "x", "categry": "a"}', ':2: categry: unknown key; did you mean "category"?'),
        (b'{"source": "x", "cues": {"corect": "a", "incorrect": "b"}}', ':2: cues.corect: unknown key; did you mean "correct"?'),
        (b'{"source": 5}', ":2: source: must be text; put it in quotes"),
        (b'{"source": " "}', ":2: source: is empty"),
        (b'{"source": null}', ":2: source: is empty"),
        (b'{"source": "x", "attributes": {"a": [1]}}', ":2: attributes.a: an attribute's value is a word, a number, true or false"),
        (b'{"source": "x", "attributes": {"a": NaN}}', ":2: attributes.a: an attribute's value is a word, a number, true or false"),
        (b'{"source": "x", "targets": {"xx!": {"correct": "a", "incorrect": "b"}}}', ':2: targets.xx!: "xx!" is not a language tag'),
        (b'{"source": "\xff"}', ":2:13: not UTF-8 text: the byte 0xFF"),
        (b'{"source": "\\ud800"}', ":2:19: not valid JSON: "),
        (b"[" * 100_000, ":2:202: not valid JSON: recursion limit exceeded"),
        (b'{"source": "x\x00"}', ":2:14: not valid JSON: control character"),
        (b'{"source": "x\\u0000y"}', ":2: source: contains a control character"),
    ],
)  # fmt: skip
def test_a_bad_line_is_named_and_the_others_are_read(samples, line, message):
    before, wrong, after = samples(GOOD + b"\n" + line + b"\n" + GOOD)
    assert not isinstance(before, SuiteError)
    assert not isinstance(after, SuiteError)
    assert isinstance(wrong, SuiteError)
    assert len(wrong.problems) == 1
    assert f"data.jsonl{message}" in str(wrong)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (GOOD.decode().encode("utf-16"), "the file is in UTF-16, not in UTF-8"),
        (
            b"PK\x03\x04" + bytes(100) + b"\n" + GOOD,
            "the file is a document of a word processor or a spreadsheet",
        ),
    ],
)
def test_a_file_that_is_not_text_is_one_error(samples, raw, message):
    (found,) = samples(raw)
    assert message in str(found)
