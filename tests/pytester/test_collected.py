"""What a record must hold, by the ids of items; and what xdist's workers leave for their controller"""

from __future__ import annotations

from dataclasses import replace

import pytest

from mtprobe.pytest_plugin.collected import Collected, Ids, SuiteOnModel
from mtprobe.pytest_plugin.parts import Parts
from mtprobe.records import FailedSuite, read_run
from tests.conftest import ROOT

ONE = SuiteOnModel("one", "suites/one.mt.yaml", "a::b")
TWO = SuiteOnModel("two", "two.mt.yaml", "demo")
IDS = Ids({"suites/one.mt.yaml::a::b": ONE, "two.mt.yaml": TWO}, frozenset({"two.mt.yaml::gap"}))


def report(nodeid, when="call", outcome="passed"):
    return pytest.TestReport(nodeid, (nodeid, 0, ""), {}, outcome, None, when)


@pytest.fixture
def recorded():
    """A suite of a record, which has a gate `gap`."""
    (suite,) = read_run(ROOT / "tests/records/versions/1.7.jsonl").suites
    return replace(suite, suite="two", path="two.mt.yaml", model=replace(suite.model, name="demo"))


@pytest.mark.parametrize(
    ("nodeid", "suite", "name"),
    [
        ("two.mt.yaml::accuracy[male] @ lexicon", TWO, "accuracy[male] @ lexicon"),
        ("two.mt.yaml::each[shift::doctor]", TWO, "each[shift::doctor]"),
        ("suites/one.mt.yaml::a::b::gap", ONE, "gap"),
        ("suites/one.mt.yaml::a::b::each[x::y]", ONE, "each[x::y]"),
        ("other.mt.yaml::gap", SuiteOnModel("", "other.mt.yaml", ""), "gap"),
    ],
)
def test_an_id_names_suite_model_and_gate_whatever_they_are_called(nodeid, suite, name):
    assert IDS.split(nodeid) == (suite, name)


def test_what_workers_leave_is_what_their_controller_reads(tmp_path):
    Parts(tmp_path).keep_ids(IDS)
    assert Parts(tmp_path).read_ids() == IDS
    assert Parts(tmp_path / "nowhere").read_ids() == Ids()


def test_only_a_verdict_or_an_error_counts_as_judged():
    collected = Collected()
    ids = [f"two.mt.yaml::{name}" for name in ("a", "b", "c", "d", "e")]
    collected.expect(ids)
    collected.add(report(ids[0], "setup"))  # and then nothing more
    collected.add(report(ids[1], "call", "failed"))
    collected.add(report(ids[2], "setup", "failed"))
    collected.add(report(ids[3], "setup", "skipped"))
    collected.add(report(ids[4], "???", "failed"))  # xdist: its worker crashed
    assert collected.unfinished(IDS) == [ids[0], ids[4]]


def test_a_suite_that_was_judged_but_did_not_reach_the_record_is_missing(recorded):
    collected = Collected()
    collected.stopped = "the session ended before"
    ids = ["two.mt.yaml::accuracy[male]", "two.mt.yaml::each[a]", "two.mt.yaml::each[b]", "two.mt.yaml::gap"]
    collected.expect(ids)
    for nodeid in ids:
        collected.add(report(nodeid))
    assert list(collected.unjudged(IDS, [recorded], ())) == []
    (lost,) = collected.unjudged(IDS, [], ())
    assert (lost.suite, lost.gates, lost.samples, lost.collected) == ("two", ("accuracy[male]",), 2, 3)
    assert str(lost) == "two on demo was not judged: its results did not reach the record"
    explained = FailedSuite("two", "two.mt.yaml", "demo", "no memory")
    assert list(collected.unjudged(IDS, [], [explained])) == []
    (without,) = collected.unjudged(IDS, [replace(recorded, gates=())], ())
    assert (
        str(without) == "two on demo was not judged for accuracy[male]: its results did not reach the record"
    )
