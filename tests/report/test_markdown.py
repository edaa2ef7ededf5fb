from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from mtprobe.gates import Decision
from mtprobe.records import FailedSuite
from mtprobe.report.markdown import code, run_markdown, table
from tests.report.code_spans import outside_code, spans
from tests.report.factory import HOSTILE, a_gate, a_hostile_run, a_run, a_sample, a_suite

odd = st.text(st.sampled_from("ab`|\\<>*_[]@ \n\u2028"), min_size=1, max_size=30)


@given(odd)
def test_a_code_span_holds_any_text(text):
    assert spans(f"before {code(text)} behind") == [" ".join(text.split()) or " "]


@given(odd)
def test_no_text_ends_its_cell(text):
    _, _, row = table(["a", "b"], [[code(text), "1"]])
    inside = row.removeprefix("| ").removesuffix(" | 1 |")
    bars = [place for place, sign in enumerate(inside) if sign == "|"]
    assert all(inside[place - 1] == "\\" and inside[place - 2 : place - 1] != "\\" for place in bars)


def test_hostile_texts_stay_text():
    text = run_markdown(a_hostile_run())
    assert any(HOSTILE[0] in line for line in text.splitlines())
    for line in text.splitlines():
        assert HOSTILE[0] not in outside_code(line)
        assert "onerror" not in outside_code(line)


def test_suites_that_failed_come_first():
    good, bad = a_suite(suite="good"), a_suite(suite="bad", gates=(a_gate(Decision.FAILED),))
    text = run_markdown(a_run(good, bad))
    assert text.startswith("## mtprobe: 1 of 2 gates did not pass")
    assert text.index("`bad`") < text.index("`good`")


def test_an_expected_failure_is_no_failure():
    text = run_markdown(a_run(a_suite(gates=(a_gate(), a_gate(Decision.FAILED, xfail="known")))))
    assert text.startswith("## mtprobe: 1 of 2 gates passed, 1 failed as expected")
    assert "| xfail | `accuracy[male]`" in text


def test_a_suite_that_could_not_be_run_is_named():
    run = replace(a_run(), failed=(FailedSuite("words", "w.mt.yaml", "demo", "no weights"),))
    text = run_markdown(run)
    assert text.startswith("## mtprobe: 1 suite could not be run; so far the only gate passed")
    assert "**`words` could not be run on `demo`:** `no weights`" in text


def test_words_are_aligned_to_the_left_and_numbers_to_the_right():
    lines = run_markdown(a_run(a_suite(gates=(a_gate(),)))).splitlines()
    assert lines[lines.index("|  | gate | value | interval | n | bound | note |") + 1] == (
        "|---|---|--:|--:|--:|---|---|"
    )


def test_only_mistakes_of_known_confidence_are_called_the_most_confident():
    failed = (a_gate(Decision.FAILED),)
    text = run_markdown(a_run(a_suite(a_sample(p=0.2), gates=failed)))
    assert "<summary>The most confident mistakes<" in text
    text = run_markdown(a_run(a_suite(a_sample(), gates=failed)))
    assert "<summary>Mistakes<" in text
    assert "confident" not in text
