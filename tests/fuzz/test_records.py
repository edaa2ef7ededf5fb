"""Damaged run records: every verb that reads one either works or names the damaged line."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from mtprobe.cli import main
from mtprobe.errors import MtprobeError
from mtprobe.methods.verdict import Evidence
from mtprobe.records import read_run, write_run
from tests.fuzz import byte_damage, tree_damage
from tests.fuzz.walk import SECONDS, within
from tests.report.factory import a_gate, a_hostile_run, a_run, a_sample, a_suite
from tests.soak import times

CASES = times(30, 5_000)


def a_record(folder: Path) -> bytes:
    """A record with every kind of content."""
    tokens = Evidence("correct", "The man nurse.", -0.5, 0.1, {"gender": "m"}, ((0, 3, -0.1), (4, 7, -2.0)))
    samples = [
        a_sample(f"s{number}", p=0.2, evidence=[tokens, replace(tokens, side="incorrect")])
        for number in range(3)
    ]
    hostile = a_hostile_run().suites[0]
    suite = a_suite(
        *samples,
        variants={"gender": ("m", "f")},
        audit=hostile.audit,
        salience=hostile.salience,
        gates=(a_gate(), a_gate(key="gap")),
    )
    write_run(folder / "whole.jsonl", a_run(suite, a_suite(path="suites/other.mt.yaml")))
    return (folder / "whole.jsonl").read_bytes()


def damaged(record: bytes, rng: Random) -> bytes:
    if rng.random() < 0.25:
        return byte_damage.mutated(record, rng)
    read, write = tree_damage.reader_of("record.jsonl")
    lines = read(record)
    at = rng.randrange(len(lines))
    kept = tree_damage.MUTATIONS if rng.random() < 0.5 else (tree_damage.other_value, tree_damage.delete)
    lines[at] = rng.choice(kept)(lines[at], rng)
    return write(lines)


VERBS = (
    ["report", "damaged.jsonl", "-o", "out.html", "--csv", "out.csv", "--markdown", "out.md"],
    ["show", "damaged.jsonl", "s1"],
    ["compare", "whole.jsonl", "damaged.jsonl", "--html", "out.html"],
    ["bless", "damaged.jsonl", "-o", "blessed.jsonl"],
    ["rescore", "damaged.jsonl", "--evaluator", "scores:nothing", "--no-store"],
)


@pytest.mark.parametrize("part", range(2))
def test_a_damaged_record_is_accepted_or_its_line_is_named(tmp_path, monkeypatch, capsys, part):
    monkeypatch.chdir(tmp_path)
    record = a_record(tmp_path)
    accepted = refused = 0
    for number in range(part, CASES, 2):
        rng = Random(number)
        Path("damaged.jsonl").write_bytes(damaged(record, rng))
        for verb in VERBS:
            try:
                with within(SECONDS):
                    code = main(verb)
            except BaseException as error:
                error.add_note(f"case {number}: mtprobe {' '.join(verb)}")
                raise
            output = capsys.readouterr()
            assert code in (0, 1, 2), verb
            assert "Traceback" not in output.err
            accepted, refused = accepted + (code == 0), refused + (code == 2)
            if code == 2:
                assert output.err.strip(), (number, verb)
                output.err.encode()
    assert accepted > CASES / 10
    assert refused > CASES / 10


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
