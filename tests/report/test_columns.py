"""The samples inside the page, opened as its script opens them."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mtprobe.methods.verdict import Outcome
from mtprobe.report.html.columns import ROWS, blocks
from mtprobe.report.html.delta import delta, utf16
from mtprobe.report.wrongness import SUREST, ranked, wrongness

from .factory import MODEL, a_run, a_sample, a_suite, evidence


def opened(run) -> dict[str, Any]:
    return {
        one.name: json.loads(zlib.decompress(b64decode(one.text), -zlib.MAX_WBITS))
        for one in blocks(run, ["source"] * len(run.suites))
    }


def test_what_models_share_of_a_sample_is_written_once():
    suite = a_suite(a_sample(p=0.2, evidence=evidence()))
    found = opened(a_run(suite, replace(suite, model=replace(MODEL, name="other"))))
    assert sorted(found) == ["answers-0-0", "answers-1-0", "head", "sheet-0-0"]
    assert [run["model"] for run in found["head"]["runs"]] == ["demo", "other"]
    assert found["answers-1-0"]["scores"] == [-250, -1500]


def test_evidence_is_shared_although_one_model_has_none():
    broken = a_suite(a_sample(outcome=Outcome.DEGENERATE, reason="empty"))
    found = opened(a_run(broken, a_suite(a_sample(p=0.2, evidence=evidence()))))
    assert found["sheet-0-0"]["pieces"] == [2]
    assert (found["answers-0-0"]["scored"], found["answers-1-0"]["scored"]) == ([0], [1])


def test_samples_of_another_suite_or_language_are_not_mixed_up():
    found = opened(a_run(a_suite(), a_suite(target="de"), a_suite(digest="1"), a_suite(a_sample("other"))))
    assert [run["sheet"] for run in found["head"]["runs"]] == [0, 1, 2, 3]


def test_texts_stand_in_blocks():
    found = opened(a_run(a_suite(*(a_sample(f"s{number}") for number in range(ROWS + 1)))))
    assert [len(found[f"sheet-0-{place}"]["id"]) for place in (0, 1)] == [ROWS, 1]
    assert len(found["head"]["columns"]["outcome"]) == ROWS + 1


def test_half_a_surrogate_pair_is_kept():
    found = opened(a_run(a_suite(a_sample(translation="a\ud800b"))))
    assert found["answers-0-0"]["translation"] == ["a\ud800b"]


@given(st.text(), st.text(), st.text(), st.text())
def test_a_difference_gives_the_text_back(start, middle, other, end):
    before, text = start + other + end, start + middle + end
    kept, tail, between = delta(before, text)
    assert before[:kept] + between + before[len(before) - tail :] == text
    assert kept + tail <= min(len(before), len(text))


@given(st.text(), st.data())
def test_places_count_as_the_script_counts(text, data):
    place = data.draw(st.integers(0, len(text)))
    units = text[:place].encode("utf-16-le", "surrogatepass")
    assert utf16(text, place) == len(units) // 2


@given(st.lists(st.none() | st.floats(0, 1)))
def test_ranks_keep_the_order_and_equal_ones_are_equal(values):
    ranks = ranked(values)
    assert [one is None for one in ranks] == [one is None for one in values]
    pairs = sorted((a, b) for a, b in zip(values, ranks, strict=True) if a is not None and b is not None)
    assert [rank for _, rank in pairs] == sorted(rank for _, rank in pairs)
    assert all(0 <= rank <= SUREST for _, rank in pairs)


def test_minimal_pairs_are_ordered_by_their_margin():
    margins = {"near": -0.1, "far": -2.0, "right": 0.5}
    samples = []
    for name, margin in margins.items():
        sample = a_sample(name, Outcome.CORRECT if margin > 0 else Outcome.INCORRECT)
        samples.append(replace(sample, verdict=replace(sample.verdict, margin=margin)))
    assert [one.id for one in sorted(samples, key=wrongness)] == ["far", "near", "right"]


def test_the_context_is_there_only_where_samples_have_one():
    plain, before = a_sample("a"), a_sample("b", context=("She sat down.", "She sighed."))
    assert "context" not in opened(a_run(a_suite(plain)))["sheet-0-0"]
    assert opened(a_run(a_suite(plain, before)))["sheet-0-0"]["context"] == ["", "She sat down. She sighed."]
