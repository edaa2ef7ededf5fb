"""A sample as a suite writes it: reading it again gives the same sample."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mtprobe.authoring.sample_keys import keys_of
from mtprobe.errors import Place
from mtprobe.suites import load_suite
from tests.conftest import ROOT

SUITES = [
    "gender/occupations",
    "wsd/everyday-words",
    "lexicon/ambiguous-words",
    "robustness/preserve",
    "formality/address",
    "minimal_pairs/en-pt/errors",
]


@pytest.mark.parametrize("name", SUITES)
def test_written_and_read_again_samples_are_the_same(name, tmp_path):
    suite = load_suite(ROOT / "suites" / f"{name}.mt.yaml").take(60)
    samples = [
        replace(sample, attributes={**sample.attributes, "with": "a < b"}, id=f"{number}/{sample.id}")
        for number, sample in enumerate(suite.samples)
    ]
    head = {
        "mtprobe": 1,
        "name": "again",
        "about": "The same?",
        "languages": {"source": suite.source, "targets": list(suite.targets or []) or "any"},
        "methods": list(suite.methods),
        "expect": "each",
        "gates": {},
        "categories": list(suite.categories),
        "variants": {key: list(values) for key, values in suite.variants.items()},
        "samples": [keys_of(sample, cues=sample.cues, sources=sample.sources) for sample in samples],
    }
    path = tmp_path / "again.mt.yaml"
    path.write_text(json.dumps(head, ensure_ascii=False), encoding="utf-8")
    again = load_suite(path).samples
    assert list(map(_comparable, again)) == list(map(_comparable, samples))


def _comparable(sample):
    """Without its place; of bad lemmas the order is that of their senses."""
    lemmas = {
        language: replace(one, incorrect=tuple(sorted(one.incorrect)))
        for language, one in (sample.lemmas or {}).items()
    }
    return replace(sample, place=Place(Path()), cluster="", lemmas=lemmas)
