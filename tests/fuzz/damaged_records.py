"""Damaged run records: every verb that reads one either works or names the damaged line."""

from __future__ import annotations

import io
import os
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path
from random import Random

from mtprobe.cli import main
from mtprobe.methods.verdict import Evidence
from mtprobe.records import write_run
from tests.fuzz import byte_damage, tree_damage
from tests.fuzz.walk import SECONDS, within
from tests.report.factory import a_gate, a_hostile_run, a_run, a_sample, a_suite


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


def prepare(folder: Path) -> None:
    a_record(folder)


def run_case(number: int, folder: Path, shared: Path) -> str:
    """The case of this number, always the same one, with one verb; `read` if the record was accepted."""
    rng = Random(number)
    record = (shared / "whole.jsonl").read_bytes()
    (folder / "whole.jsonl").write_bytes(record)
    (folder / "damaged.jsonl").write_bytes(damaged(record, rng))
    verb = VERBS[number % len(VERBS)]
    output, errors, here = io.StringIO(), io.StringIO(), Path.cwd()
    os.chdir(folder)
    try:
        with redirect_stdout(output), redirect_stderr(errors), within(SECONDS):
            code = main(verb)
    finally:
        os.chdir(here)
    assert code in (0, 1, 2), (verb, code)
    said = errors.getvalue()
    assert "Traceback" not in said, said[-2000:]
    said.encode()
    assert code != 2 or said.strip(), verb
    return ("read", "read", "refused")[code]
