"""Which lines are accepted, and what they become."""

from __future__ import annotations

import dataclasses
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.methods.verdict import Evidence, Outcome, Result, Verdict
from mtprobe.records import FailedSuite, Interruption, write_failed, write_suite
from mtprobe.records.lines import End, LineError, parse_line
from tests.report.factory import a_suite

SAMPLE = {
    "kind": "sample",
    "id": "a",
    "source": "A cat.",
    "focus": [2, 5],
    "category": None,
    "attributes": {"text": "x", "rank": 1, "share": 0.5, "known": True},
    "cluster": "cat",
    "path": "s.mt.yaml",
    "line": 3,
    "translation": None,
    "verdict": {"outcome": "correct", "evidence": [{"side": "correct", "text": "t", "tokens": [[0, 1, -2]]}]},
}


def parse(value):
    return parse_line(json.dumps(value).encode())


def test_a_sample_becomes_a_result_and_unknown_fields_are_ignored():
    evidence = Evidence("correct", "t", tokens=((0, 1, -2.0),))
    result = parse({**SAMPLE, "new": [float("nan"), {}]})
    assert result == Result(
        "a", "A cat.", (2, 5), None, SAMPLE["attributes"], "cat", "s.mt.yaml", 3, None,
        Verdict(Outcome.CORRECT, evidence=(evidence,)),
    )  # fmt: skip
    assert [type(value) for value in result.attributes.values()] == [str, int, float, bool]
    assert isinstance(result.verdict.outcome, Outcome)


def test_the_kind_may_be_anywhere_and_unknown_kinds_are_ignored():
    assert parse({"whole": False, "kind": "end"}) == End(whole=False)
    assert parse({"kind": "weather", "sun": True}) is None
    assert parse({"kind": ["sample"]}) is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": 1}, '"id": input should be a valid string'),
        ({"line": True}, '"line": input should be a valid integer'),
        ({"line": 1.0}, '"line": input should be a valid integer'),
        ({"line": "3"}, '"line": input should be a valid integer'),
        ({"line": 2**63}, '"line": input should be less than'),
        ({"line": -(2**63)}, '"line": input should be greater than'),
        ({"focus": [1, 2, 3]}, '"focus": tuple should have at most 2 items'),
        ({"focus": [1, None]}, '"focus.1": input should be a valid integer'),
        ({"attributes": {"a": None}}, '"attributes.a": input should be str or int or float or bool'),
        ({"attributes": {"a": 1e300}}, '"attributes.a": input should be str or int or float or bool'),
        ({"attributes": []}, '"attributes": input should be an object'),
        ({"verdict": {"outcome": "good"}}, "\"verdict.outcome\": input should be 'correct', 'incorrect'"),
        ({"verdict": {"outcome": "open", "margin": "0.5"}}, '"verdict.margin": input should be a valid number'),
        ({"verdict": {"outcome": "open", "margin": True}}, '"verdict.margin": input should be a valid number'),
        ({"verdict": {"outcome": "open", "margin": float("nan")}}, '"verdict.margin": input should be a finite'),
        ({"verdict": {"outcome": "open", "margin": float("-inf")}}, '"verdict.margin": input should be a finite'),
        ({"verdict": {"outcome": "open", "margin": 1e19}}, '"verdict.margin": input should be less than'),
        ({"verdict": {"outcome": "open", "margin": 10**400}}, '"verdict.margin": input should be a finite number'),
        ({"verdict": {}}, '"verdict.outcome" is missing'),
        ({"verdict": []}, '"verdict": input should be an object'),
    ],
)  # fmt: skip
def test_a_value_that_does_not_fit_is_named(change, message):
    with pytest.raises(LineError) as raised:
        parse({**SAMPLE, **change})
    assert message in str(raised.value)


@pytest.mark.parametrize(
    "line",
    [b"", b"\n", b"[]", b"7", b"{", b'{"kind":"end"', b'{"kind":"end"} x', b'{"kind":"end","x":"\xff"}'],
)
def test_what_is_not_a_json_object_is_refused(line):
    with pytest.raises(LineError):
        parse_line(line)


@given(
    st.dictionaries(st.text(), st.text() | st.integers() | st.floats(allow_nan=False, allow_infinity=False))
)
def test_a_line_is_spelled_as_python_spells_json(attributes):
    sample = dataclasses.replace(parse(SAMPLE), attributes=attributes)
    stream = io.StringIO()
    write_suite(stream, a_suite(sample))
    line = stream.getvalue().split("\n")[1]
    written = json.loads(line)
    assert written["attributes"] == attributes
    spelled = json.dumps(written, ensure_ascii=False, separators=(",", ":"))
    for end in "\x85\u2028\u2029":
        spelled = spelled.replace(end, f"\\u{ord(end):04x}")
    assert line == spelled


def test_a_number_that_is_not_json_is_not_written():
    sample = dataclasses.replace(parse(SAMPLE), verdict=Verdict(Outcome.CORRECT, probability=float("nan")))
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_suite(io.StringIO(), a_suite(sample))


def test_an_interrupted_suite_reads_back():
    failed = FailedSuite("s", "s.mt.yaml", "demo", "interrupted", Interruption(4, 3, 2, 1))
    stream = io.StringIO()
    write_failed(stream, failed)
    assert parse_line(stream.getvalue().encode()) == failed
