from __future__ import annotations

from dataclasses import replace

import pytest

from mtprobe.suite.content import content_digest
from mtprobe.suite.sample import Contrast
from mtprobe.suites import load_suite

SUITE = """\
mtprobe: 1
name: words
about: Are words translated in the right sense?
languages: {source: en, targets: any}
method: contrastive-conditioning
categories: [rare, frequent]
gates: {accuracy: ">= 0.5"}
samples:
  - source: We ought to have avocados as a <starter>.
    category: rare
    cues: {correct: [dinner, appetizer], incorrect: [motor]}
"""


@pytest.fixture
def sample(tmp_path):
    path = tmp_path / "words.mt.yaml"
    path.write_text(SUITE, encoding="utf-8")
    return load_suite(path).samples[0]


def test_another_source_or_cue_is_another_content(sample):
    before = content_digest(sample, "de")
    assert content_digest(replace(sample, source="We ought to have a starter."), "de") != before
    assert content_digest(replace(sample, focus=(0, 2)), "de") != before
    cues = Contrast(("dinner",), ("motor",))
    assert content_digest(replace(sample, cues=cues), "de") != before


def test_what_does_not_change_a_verdict_does_not_change_the_content(sample):
    before = content_digest(sample, "de")
    for changed in (
        replace(sample, id="other"),
        replace(sample, category="frequent"),
        replace(sample, senses={"motor": 1, "dish": 2}),
        replace(sample, attributes={"pos": "noun"}),
        replace(sample, cluster="food"),
        replace(sample, place=replace(sample.place, line=99)),
    ):
        assert content_digest(changed, "de") == before


def test_targets_of_another_language_do_not_count(sample):
    german = {"de": Contrast(("Vorspeise.",), ("Anlasser.",))}
    with_german = replace(sample, targets=german)
    assert content_digest(with_german, "pt") == content_digest(sample, "pt")
    assert content_digest(with_german, "de-AT") != content_digest(sample, "de-AT")


def test_the_digest_is_the_same_in_every_version_that_reads_the_sample_the_same(sample):
    # A baseline outlives the mtprobe that made it: this changes only with a reason, and then old baselines are lost.
    assert content_digest(sample, "de") == "a63725f7f9cafa29"
