"""A part of a suite, as a suite of its own"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mtprobe.authoring.part import write_part
from mtprobe.suites import load_suite
from tests.conftest import ROOT

SUITES = (
    "gender/occupations",
    "winograd/schemas",
    "wsd/everyday-words",
    "minimal_pairs/en-pt/errors",
    "terminology/software",
)


@pytest.mark.parametrize("name", SUITES)
def test_samples_and_gates_are_those_of_the_suite(name, tmp_path):
    suite = load_suite(ROOT / "suites" / f"{name}.mt.yaml")
    chosen = suite.samples[::2]
    part = load_suite(write_part(tmp_path, suite, chosen, "Half of it."))
    for sample, original in zip(part.samples, chosen, strict=True):
        known = {key: value for key, value in sample.attributes.items() if key in original.attributes}
        assert replace(sample, place=original.place, attributes=known) == original
    assert [(gate.key, gate.bound) for gate in part.gates] == [(gate.key, gate.bound) for gate in suite.gates]
    assert (part.methods, part.combine, part.options) == (suite.methods, suite.combine, suite.options)
    assert (part.cue_forms, part.variants) == (suite.cue_forms, suite.variants)
    ids = {sample.id for sample in chosen}
    for language, pairs in part.audit.items():
        assert len(pairs) == sum(
            (not pair.by_category and pair.sample.id in ids) or pair.by_category
            for pair in suite.audit[language]
        )
    assert not part.labels


def test_it_needs_no_file_of_the_original(tmp_path):
    suite = load_suite(ROOT / "suites" / "gender" / "occupations.mt.yaml")
    path = write_part(tmp_path / "part", suite, suite.samples[:4], "Four of it.")
    assert sorted(file.name for file in path.parent.iterdir()) == ["occupations.jsonl", "occupations.mt.yaml"]
    assert path.read_text(encoding="utf-8").startswith("# Four of it.\n")
    assert {file.parent for file in load_suite(path).files} == {path.parent}


def test_two_suites_of_one_name_are_neighbours(tmp_path):
    suite = load_suite(ROOT / "suites" / "terminology" / "software.mt.yaml")
    paths = [write_part(tmp_path, suite, suite.samples[:2], "Some.") for _ in range(2)]
    assert [path.name for path in paths] == ["software.mt.yaml", "software-2.mt.yaml"]
    assert all(len(load_suite(path).samples) == 2 for path in paths)


def test_a_suite_that_names_no_cluster_keeps_its_clusters(tmp_path):
    path = Path(tmp_path, "plain.mt.yaml")
    path.write_text(
        "mtprobe: 1\nname: plain\nabout: Is it?\nlanguages: {source: en}\nmethod: lexicon\ngates: {accuracy: '>= 0.5'}\n"
        "samples:\n  - {id: a, source: The <bank> closed., lemmas: {de: {good: Bank, bad: Ufer}}}\n"
        "  - {id: b, source: A <bank> opened., lemmas: {de: {good: Bank, bad: Ufer}}}\n"
    )
    suite = load_suite(path)
    part = load_suite(write_part(tmp_path / "part", suite, suite.samples, "All."))
    assert (
        [sample.cluster for sample in part.samples]
        == [sample.cluster for sample in suite.samples]
        == ["bank"] * 2
    )
