from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from mtprobe.cli import main
from mtprobe.methods.verdict import Outcome, Verdict
from mtprobe.records import write_run
from tests.report.code_spans import outside_code
from tests.report.factory import HOSTILE, MODEL, a_hostile_run, a_run, a_sample, a_suite

SAMPLES = [
    a_sample(
        f"{kind}-{number}",
        Outcome.CORRECT if number % 5 else Outcome.INCORRECT,
        0.7 if number % 5 else 0.3,
        category=kind,
        source=f"The {kind} worker finished shift {number}.",
        translation=f"Frase {kind} {number}.",
        content=f"{kind}{number}",
    )
    for kind in ("male", "female")
    for number in range(100)
]


def flipped(samples, ids):
    """The samples with these ones turned: right to wrong, wrong to right."""
    turned = {Outcome.CORRECT: Outcome.INCORRECT, Outcome.INCORRECT: Outcome.CORRECT}
    return [
        replace(one, verdict=Verdict(turned[one.verdict.outcome], "", 0.4), translation="Outra frase.")
        if one.id in ids
        else one
        for one in samples
    ]


def run_of(samples, name="demo", **changes):
    return a_run(a_suite(*samples, model=replace(MODEL, name=name, fingerprint=name), **changes))


@pytest.fixture
def compare(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def run(before, after, *options):
        write_run(tmp_path / "a.jsonl", before)
        write_run(tmp_path / "b.jsonl", after)
        code = main(["compare", "a.jsonl", "b.jsonl", *options])
        printed = capsys.readouterr()
        assert code == (2 if printed.err else 0)
        return printed.err or printed.out

    return run


def test_two_runs_of_one_model_are_equal(compare):
    out = compare(run_of(SAMPLES), run_of(SAMPLES[::-1]))
    assert out.startswith("b.jsonl is equal to a.jsonl: all 200 verdicts on shared samples are the same.")
    assert "broken:" not in out


def test_thirty_planted_flips_are_caught_and_are_those_listed(compare):
    right = [one.id for one in SAMPLES if one.category == "female" and one.verdict.outcome is Outcome.CORRECT]
    planted = random.Random(5).sample(right, 30)
    found = json.loads(compare(run_of(SAMPLES, "old"), run_of(flipped(SAMPLES, planted), "new"), "--json"))
    assert found["verdict"].startswith(
        "new is worse than old: occupations[female] by contrastive-conditioning -0.30"
    )
    (suite,) = found["suites"]
    assert sorted(one["id"] for one in suite["broken"]) == sorted(planted)
    assert suite["mended"] == []
    rows = {row["group"]: row for row in suite["rows"]}
    assert rows["female"]["gain"]["value"] == pytest.approx(-0.3)
    assert rows["female"]["gain"]["high"] < 0
    assert rows["female"]["p"] == pytest.approx(2 * 0.5**30)
    assert rows["female"]["p_adjusted"] == pytest.approx(3 * 2 * 0.5**30)
    assert rows["all"]["gain"]["value"] == pytest.approx(-0.15)
    assert (rows["male"]["broken"], rows["male"]["p"]) == (0, 1.0)
    assert rows["female"]["before"]["value"] == pytest.approx(0.8)
    assert rows["female"]["after"]["value"] == pytest.approx(0.5)


def test_the_table_says_the_verdict_first_then_numbers_then_flips(compare):
    planted = [f"female-{number}" for number in range(1, 10) if number % 5]
    out = compare(run_of(SAMPLES, "old"), run_of(flipped(SAMPLES, planted), "new"))
    lines = out.splitlines()
    assert lines[0].startswith("new is worse than old")
    assert any("female" in line and "0.80" in line and "0.72" in line and "-0.08" in line for line in lines)
    assert out.index("p (Holm)") < out.index("broken:") < out.index("female-1 [female] correct → incorrect")
    assert "    before  Frase female 1." in out.replace("      before", "    before")
    assert "after   Outra frase." in out


def test_a_handful_of_flips_is_no_certain_difference(compare):
    out = compare(run_of(SAMPLES, "old"), run_of(flipped(SAMPLES, ["female-1", "female-5", "male-2"]), "new"))
    assert "No certain difference between new and old: 3 of 200 verdicts flipped (2 broken, 1 mended)" in out


def test_better_and_worse_are_both_said(compare):
    def two(planted):
        return replace(
            run_of([]),
            suites=tuple(
                a_suite(*flipped(SAMPLES, ids), suite=name, model=replace(MODEL, name="demo"))
                for name, ids in planted.items()
            ),
        )

    wrong = [one.id for one in SAMPLES if one.verdict.outcome is Outcome.INCORRECT]
    right = [one.id for one in SAMPLES if one.verdict.outcome is Outcome.CORRECT]
    out = compare(two({"jobs": [], "words": []}), two({"jobs": right[:40], "words": wrong}))
    assert out.startswith("b.jsonl is worse than a.jsonl in jobs")
    assert "; better in words by contrastive-conditioning +0.20" in out.splitlines()[0]


def test_what_cannot_be_compared_is_counted(compare):
    changed = [replace(SAMPLES[0], content="other"), *SAMPLES[1:-2]]
    out = compare(run_of(SAMPLES), run_of([*changed, a_sample("new", Outcome.CORRECT)]))
    assert "not compared: 1 sample with another source or other evidence" in out
    assert "not compared: 1 sample only in the later run" in out
    assert "not compared: 2 samples only in the earlier run" in out


def test_suites_that_stand_in_one_run_only_are_named(compare):
    both = replace(run_of(SAMPLES), suites=(*run_of(SAMPLES).suites, a_suite(suite="words")))
    out = compare(both, run_of(SAMPLES))
    assert "not compared: words (contrastive-conditioning, demo, en→pt) is not in b.jsonl" in out


def test_runs_without_a_common_suite_are_an_error(compare):
    error = compare(run_of(SAMPLES), run_of(SAMPLES, suite="other"))
    assert "nothing can be compared" in error
    assert 'it has no suite "other"' in error


def test_another_evaluator_is_said(compare):
    out = compare(run_of(SAMPLES), run_of(SAMPLES, evaluator=None, judges_itself=True))
    assert "judged by different evaluators" in out


def test_markdown_begins_with_the_verdict_and_folds_the_flips(compare):
    out = compare(run_of(SAMPLES, "old"), run_of(flipped(SAMPLES, ["female-1"]), "new"), "--markdown")
    assert out.startswith("## mtprobe: `old` → `new`")
    assert "**Verdict:** `No certain difference" in out
    assert "| `female` | 0.80 | 0.79 | -0.01 |" in out
    assert "<details><summary>1 regressed</summary>" in out


def test_the_page_holds_verdict_rows_and_flips(compare, tmp_path):
    compare(run_of(SAMPLES, "old"), run_of(flipped(SAMPLES, ["female-1"]), "new"), "--html", "out/page.html")
    page = (tmp_path / "out/page.html").read_text(encoding="utf-8")
    assert "No certain difference between new and old" in page
    assert "1 regressed" in page
    assert "Outra frase." in page
    assert "default-src 'none'" in page


def test_hostile_texts_do_nothing(compare, tmp_path):
    before, after = a_hostile_run(), a_hostile_run()
    suite = after.suites[0]
    turned = tuple(
        replace(one, verdict=replace(one.verdict, outcome=Outcome.INCORRECT))
        if one.verdict.outcome is Outcome.CORRECT
        else one
        for one in suite.results
    )
    out = compare(
        before, replace(after, suites=(replace(suite, results=turned),)), "--markdown", "--html", "x.html"
    )
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert "<script>" not in page
    assert "<img" not in page
    assert "\u202e" not in page
    for line in out.splitlines():
        assert HOSTILE[0] not in outside_code(line)
    assert HOSTILE[0] in out


def test_a_run_that_was_stopped_is_not_compared(compare):
    assert "not whole" in compare(run_of(SAMPLES), replace(run_of(SAMPLES), whole=False))
