"""Damaged run records: every verb that reads one either works or names the damaged line."""

from __future__ import annotations

import re

import pytest

from mtprobe.errors import MtprobeError
from mtprobe.records import read_run
from tests.fuzz.damaged_records import a_record
from tests.fuzz.watch import watch
from tests.soak import times

pytestmark = pytest.mark.slow

CASES = times(150, 20_000)
SLICES = 2


@pytest.mark.parametrize("part", range(SLICES))
def test_a_damaged_record_is_accepted_or_its_line_is_named(tmp_path, part):
    watched = watch("records", range(part, CASES, SLICES), tmp_path)
    print(watched)  # noqa: T201 - shown with -s, and when it fails
    assert not watched.failures, watched.report()
    assert watched.outcomes["read"] > CASES / SLICES / 10
    assert watched.outcomes["refused"] > CASES / SLICES / 10


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b'"outcome":"incorrect"', b'"outcome":"perhaps"', r":3: .*: \"verdict\.outcome\": input should be 'correct', 'inc"),
        (b'"id":"s0"', b'"id":7', r':3: not a line of a run record: "id": input should be a valid string$'),
        (b'"id":"s0",', b"", r':3: not a line of a run record: "id" is missing$'),
        (b'"line":14', b'"line":' + b"9" * 400, r':3: .*: "line": input should be less than 9223372036854775808'),
        (b'"line":14', b'"line":' + b"9" * 5_000, r":3: .*: invalid JSON: number out of range at column"),
        (b'"verdict":{', b'"verdikt":{', r':3: not a line of a run record: "verdict" is missing$'),
        (b'"categories":["male"', b'"categories":[["male"]', r':2: .*: "categories\.0": input should be a valid string'),
        (b'"model":{', b'"model":[],"m":{', r':2: .*: "model": input should be an object'),
        (b'"kind":"suite"', b'"kind":"sweet"', r":3: not a line of a run record: a sample before any suite"),
        (b'"kind":"suite"', b'"sort":"suite"', r':2: not a line of a run record: "kind" is missing$'),
        (b'"kind":"suite"', b'"kind":' + b"[" * 50_000, r":2: .*: invalid JSON: recursion limit exceeded"),
        (b'"probability":0.2', b'"probability":NaN', r':3: .*: "verdict\.probability": input should be a finite number'),
        (b'"id":"s0"', b'"id":"\\ud800"', r":3: not a line of a run record: invalid JSON: .* at column \d+$"),
        (b'"attributes":{"stereotype":"anti"}', b'"attributes":{"stereotype":[]}',
         r':3: .*: "attributes\.stereotype": input should be str or int or float or bool'),
        (b'"attributes":{', b'"attributes":{"' + b"x" * 500 + b'":[],', r':3: .*: "attributes\.x{100,150}…$'),
    ],
)  # fmt: skip
def test_the_error_says_what_is_wrong_with_a_line(tmp_path, old, new, message):
    record = a_record(tmp_path)
    assert old in record
    path = tmp_path / "damaged.jsonl"
    path.write_bytes(record.replace(old, new, 1))
    with pytest.raises(MtprobeError) as raised:
        read_run(path)
    assert re.search(re.escape(str(path)) + message, str(raised.value)), str(raised.value)
