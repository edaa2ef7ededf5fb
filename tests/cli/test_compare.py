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


@pytest.fixture
def gated(tmp_path, monkeypatch, capsys):
    """`mtprobe compare --fail-if-worse`: its exit code, and what it prints to stderr."""
    monkeypatch.chdir(tmp_path)

    def run(before, after, *options):
        write_run(tmp_path / "a.jsonl", before)
        write_run(tmp_path / "b.jsonl", after)
        code = main(["compare", "a.jsonl", "b.jsonl", "--fail-if-worse", *options])
        return code, capsys.readouterr().err

    return run


def test_two_runs_of_one_model_are_equal(compare):
    out = compare(run_of(SAMPLES), run_of(SAMPLES[::-1]))
    assert out.startswith("b.jsonl is equal to a.jsonl: all 200 verdicts on shared samples are the same.")
    assert "regressed:" not in out


def test_thirty_planted_flips_are_caught_and_are_those_listed(compare):
    right = [one.id for one in SAMPLES if one.category == "female" and one.verdict.outcome is Outcome.CORRECT]
    planted = random.Random(5).sample(right, 30)
    found = json.loads(compare(run_of(SAMPLES, "old"), run_of(flipped(SAMPLES, planted), "new"), "--json"))
    assert found["verdict"].startswith(
        "new is worse than old: occupations[female] by contrastive-conditioning -0.30"
    )
    (suite,) = found["suites"]
    assert sorted(one["id"] for one in suite["regressed"]) == sorted(planted)
    assert suite["fixed"] == []
    rows = {row["group"]: row for row in suite["rows"]}
    assert rows["female"]["gain"]["value"] == pytest.approx(-0.3)
    assert rows["female"]["gain"]["high"] < 0
    assert rows["female"]["p"] == pytest.approx(2 * 0.5**30)
    assert rows["female"]["p_adjusted"] == pytest.approx(3 * 2 * 0.5**30)
    assert rows["all"]["gain"]["value"] == pytest.approx(-0.15)
    assert (rows["male"]["regressed"], rows["male"]["p"]) == (0, 1.0)
    assert rows["female"]["before"]["value"] == pytest.approx(0.8)
    assert rows["female"]["after"]["value"] == pytest.approx(0.5)


def test_the_table_says_the_verdict_first_then_numbers_then_flips(compare):
    planted = [f"female-{number}" for number in range(1, 10) if number % 5]
    out = compare(run_of(SAMPLES, "old"), run_of(flipped(SAMPLES, planted), "new"))
    lines = out.splitlines()
    assert lines[0].startswith("new is worse than old")
    assert any("female" in line and "0.80" in line and "0.72" in line and "-0.08" in line for line in lines)
    assert (
        out.index("p (Holm)") < out.index("regressed:") < out.index("female-1 [female] correct → incorrect")
    )
    assert "    before  Frase female 1." in out.replace("      before", "    before")
    assert "after   Outra frase." in out


def test_a_handful_of_flips_is_no_evidence_of_a_difference(compare):
    out = compare(run_of(SAMPLES, "old"), run_of(flipped(SAMPLES, ["female-1", "female-5", "male-2"]), "new"))
    assert (
        "No evidence of a difference between new and old: 3 of 200 verdicts flipped (2 regressed, 1 fixed)"
        in out
    )


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


def test_suites_that_are_in_one_run_only_are_named(compare):
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
    assert "**Verdict:** `No evidence of a difference" in out
    assert "| `female` | 0.80 | 0.79 | -0.01 |" in out
    assert "<details><summary>1 regressed</summary>" in out


def test_the_page_holds_verdict_rows_and_flips(compare, tmp_path):
    compare(run_of(SAMPLES, "old"), run_of(flipped(SAMPLES, ["female-1"]), "new"), "--html", "out/page.html")
    page = (tmp_path / "out/page.html").read_text(encoding="utf-8")
    assert "No evidence of a difference between new and old" in page
    assert "1 regressed" in page
    assert "Outra frase." in page
    assert "default-src 'none'" in page


def test_hostile_texts_do_nothing(compare, tmp_path):
    after = a_hostile_run()
    suite = after.suites[0]
    before = replace(after, suites=(suite,))
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
    assert "incomplete record" in compare(run_of(SAMPLES), replace(run_of(SAMPLES), whole=False))


def in_clusters(samples, size):
    """The samples in clusters of neighbours."""
    return [replace(one, cluster=f"c{number // size}") for number, one in enumerate(samples)]


def test_clusters_that_flip_as_a_whole_are_not_called_certain_by_mcnemar(compare):
    samples = in_clusters([one for one in SAMPLES if one.verdict.outcome is Outcome.CORRECT], 20)
    planted = [one.id for one in samples if one.cluster in ("c1", "c5")]
    found = json.loads(compare(run_of(samples, "old"), run_of(flipped(samples, planted), "new"), "--json"))
    assert found["verdict"].startswith(
        "No evidence of a difference between new and old: 40 of 160 verdicts flipped"
    )
    row = found["suites"][0]["rows"][-1]
    assert (row["group"], row["test"], row["p"]) == ("all", "cluster sign-flip test", 0.5)
    assert row["gain"]["low"] < row["gain"]["value"] < 0 < row["gain"]["high"]


def test_enough_clusters_that_flip_are_certain(compare):
    samples = in_clusters([one for one in SAMPLES if one.verdict.outcome is Outcome.CORRECT], 5)
    planted = [one.id for one in samples if int(one.cluster[1:]) % 3 == 0]
    out = compare(run_of(samples, "old"), run_of(flipped(samples, planted), "new"))
    assert out.startswith("new is worse than old: occupations by contrastive-conditioning -0.34")
    assert "p: cluster sign-flip test" in out


def test_the_test_is_named_for_independent_samples_too(compare):
    assert "p: McNemar" in compare(run_of(SAMPLES), run_of(flipped(SAMPLES, ["female-1"])))


def test_each_group_has_the_test_that_its_samples_ask_for(compare):
    samples = [
        replace(one, cluster="one") if one.category == "female" else replace(one, cluster=one.id)
        for one in SAMPLES
    ]
    assert "p: McNemar (male); cluster sign-flip test (female, all)" in compare(
        run_of(samples), run_of(samples)
    )


def two_of_one_name(first, second, paths=("a.mt.yaml", "b.mt.yaml"), digests=("aaaa", "bbbb")):
    suites = zip((first, second), paths, digests, strict=True)
    return a_run(*(a_suite(*samples, path=path, digest=digest) for samples, path, digest in suites))


ELEVEN = [replace(one, id=f"b-{one.id}") for one in SAMPLES if one.verdict.outcome is Outcome.CORRECT][:11]
SHARED = ELEVEN[:1]  # the other suite has one sample of the same id and content


def test_of_two_suites_of_one_name_each_is_compared_with_itself(compare):
    before = two_of_one_name(SHARED, ELEVEN)
    after = two_of_one_name(SHARED, flipped(ELEVEN, [one.id for one in ELEVEN[1:]]))
    found = json.loads(compare(before, after, "--json"))
    assert [len(suite["regressed"]) for suite in found["suites"]] == [0, 10]
    assert found["verdict"].startswith("b.jsonl is worse than a.jsonl")
    assert (found["unmatched"], found["ambiguous"]) == ([], [])


def test_suites_that_cannot_be_told_apart_are_not_compared_and_not_called_equal(compare, gated):
    before = two_of_one_name(SHARED, ELEVEN)
    after = replace(
        two_of_one_name(SHARED, ELEVEN),
        suites=(
            *a_run(a_suite(*SAMPLES, suite="words")).suites,
            a_suite(*ELEVEN, path="elsewhere.mt.yaml", digest="cccc"),
        ),
    )
    before = replace(before, suites=(*before.suites, a_suite(*SAMPLES, suite="words")))
    out = compare(before, after)
    assert out.startswith("No difference between b.jsonl and a.jsonl was found: all 200 verdicts")
    assert "Too little can be compared: occupations (contrastive-conditioning, demo, en→pt) cannot be" in out
    assert '2 of its suites are named "occupations" (a.mt.yaml, b.mt.yaml)' in out
    code, err = gated(before, after)
    assert (code, "2 of its suites are named" in err) == (1, True)


def test_two_later_suites_do_not_share_one_earlier_suite(compare):
    before = a_run(a_suite(*ELEVEN, path="a.mt.yaml", digest="aaaa"))
    found = json.loads(compare(before, two_of_one_name(ELEVEN, ELEVEN), "--json"))
    assert len(found["suites"]) == 1
    assert 'its suite "occupations" is a.mt.yaml, not b.mt.yaml' in found["unmatched"][0]
    error = compare(
        before, two_of_one_name(ELEVEN, ELEVEN, paths=("x.mt.yaml", "y.mt.yaml"), digests=("x", "y"))
    )
    assert "nothing can be compared" in error
    assert '2 suites of the later run are named "occupations" (x.mt.yaml, y.mt.yaml)' in error


def test_few_shared_samples_are_no_equality(compare, gated):
    before, after = run_of(SHARED), run_of([*SHARED, *flipped(ELEVEN[1:], [one.id for one in ELEVEN])])
    out = compare(before, after)
    assert out.startswith("No difference between b.jsonl and a.jsonl was found: all 1 verdicts")
    assert (
        "warning: only 1 of 11 samples that the later run decided can be compared (9%; at least 80% is required)"
        in out
    )
    code, err = gated(before, after)
    assert (code, "only 1 of 11 samples" in err) == (1, True)


def test_a_category_of_new_samples_is_not_passed_over(compare):
    female = [replace(one, id=f"new-{one.id}") for one in SAMPLES if one.category == "female"][:20]
    male = [one for one in SAMPLES if one.category == "male"]
    out = compare(run_of(male), run_of([*male, *female]))
    assert "warning: female: only 0 of 20 samples that the later run decided can be compared" in out
    assert "is equal to" not in out


def test_the_headline_names_the_test_of_a_row_with_samples(compare):
    """Nothing is compared in `female`, so its test decides nothing."""
    male = in_clusters([one for one in SAMPLES if one.category == "male"], 5)
    female = [replace(one, id=f"new-{one.id}") for one in SAMPLES if one.category == "female"][:20]
    planted = [one.id for one in male if one.verdict.outcome is Outcome.CORRECT][:2]
    out = compare(run_of(male), run_of([*flipped(male, planted), *female]))
    headline = out.partition("\n")[0]
    assert "cluster sign-flip test" in headline
    assert "McNemar" not in headline


def test_identical_translations_have_no_interval_to_speak_of(compare):
    found = json.loads(compare(run_of(SAMPLES), run_of(SAMPLES), "--json"))
    row = found["suites"][0]["rows"][-1]
    assert (row["gain"]["low"], row["gain"]["high"]) == (0.0, 0.0)
    assert "identical translations and evaluator" in found["suites"][0]["warnings"]


def test_a_certainly_worse_run_fails_if_asked(gated, compare):
    right = [one.id for one in SAMPLES if one.category == "female" and one.verdict.outcome is Outcome.CORRECT]
    before, after = run_of(SAMPLES, "old"), run_of(flipped(SAMPLES, right[:30]), "new")
    assert compare(before, after).startswith("new is worse than old")  # and exits with 0
    code, err = gated(before, after)
    assert code == 1
    assert err.startswith(
        "--fail-if-worse: certainly worse: occupations[female] by contrastive-conditioning -0.30"
    )
    assert gated(after, before) == (0, "")
    assert gated(before, before) == (0, "")


def test_an_uncertain_difference_does_not_fail(gated):
    assert gated(run_of(SAMPLES), run_of(flipped(SAMPLES, ["female-1", "female-2"]))) == (0, "")


def test_one_certainly_worse_category_fails_although_the_whole_got_better(gated):
    wrong = [one.id for one in SAMPLES if one.verdict.outcome is Outcome.INCORRECT and one.category == "male"]
    right = [one.id for one in SAMPLES if one.verdict.outcome is Outcome.CORRECT and one.category == "female"]
    code, err = gated(run_of(SAMPLES), run_of(flipped(SAMPLES, [*wrong, *right[:15]])))
    assert (code, "occupations[female]" in err) == (1, True)


def test_nothing_compared_is_not_green(gated):
    code, err = gated(run_of(SAMPLES), run_of(SAMPLES, suite="other"), "--markdown")
    assert code == 1
    assert 'it has no suite "other"' in err
    assert "no sample was decided in both runs" in err
    undecided = [replace(one, verdict=Verdict(Outcome.UNDECIDED)) for one in SAMPLES]
    assert gated(run_of(SAMPLES), run_of(undecided))[0] == 1


def test_the_forest_plot_has_a_line_per_category_on_one_scale(compare):
    right = [one.id for one in SAMPLES if one.category == "female" and one.verdict.outcome is Outcome.CORRECT]
    lines = compare(run_of(SAMPLES, "old"), run_of(flipped(SAMPLES, right[:30]), "new")).splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("later − earlier"))
    axis, title, male, female, overall = lines[start : start + 5]
    assert axis.split() == ["later", "−", "earlier", "-0.50", "0", "+0.50"]
    assert title == "occupations · en→pt · contrastive-conditioning"
    assert male.endswith("+0.00 (+0.00 to +0.00) no evidence")
    assert female.endswith("-0.30 (-0.40 to -0.21) worse")
    assert overall.endswith(" worse")
    zero = axis.index(" 0 ") + 1
    assert male[zero] == "●"
    assert female.index("┤") < zero == female.index("│")
    assert all(len(line) <= 80 for line in lines[start : start + 5])


def test_an_interval_that_excludes_0_in_one_of_many_rows_is_only_maybe_a_difference(compare):
    right = [one.id for one in SAMPLES if one.verdict.outcome is Outcome.CORRECT]
    names = [f"suite{number}" for number in range(12)]

    def many(planted):
        return a_run(
            *(a_suite(*flipped(SAMPLES, planted if name == "suite3" else ()), suite=name) for name in names)
        )

    out = compare(many(()), many([one for one in right if one.startswith("male")][:7]))
    assert out.startswith(
        "b.jsonl may be worse than a.jsonl: 7 of 2,400 verdicts flipped (7 regressed, 0 fixed)"
    )
    assert "intervals exclude 0 for suite3[male] by contrastive-conditioning, suite3 by" in out
    assert "which among 36 rows may be chance" in out
    assert " maybe worse" in out
    assert "maybe: the interval excludes 0, but among 36 rows that may be chance" in out


def judged_twice(samples, other):
    """A suite that two methods judged."""
    return a_run(a_suite(*samples), a_suite(*other, method="lexicon"))


def test_a_sample_that_two_methods_judged_flips_once(compare):
    before = judged_twice(SAMPLES, SAMPLES)
    after = judged_twice(flipped(SAMPLES, ["female-1"]), flipped(SAMPLES, ["female-1", "female-5"]))
    out = compare(before, after)
    assert out.count("female-1 [female]") == 1
    assert "female-1 [female] correct → incorrect by contrastive-conditioning and by lexicon" in out
    assert "female-5 [female] incorrect → correct by lexicon" in out
    markdown = compare(before, after, "--markdown")
    assert markdown.count("female-1 [female]") == 1
    assert markdown.count("<summary>1 regressed</summary>") == 1


def test_methods_that_disagree_about_a_flip_are_both_named(compare):
    other = [
        replace(one, verdict=Verdict(Outcome.INCORRECT, "", 0.4)) if one.id == "female-1" else one
        for one in SAMPLES
    ]
    out = compare(
        judged_twice(SAMPLES, other),
        judged_twice(flipped(SAMPLES, ["female-1"]), flipped(other, ["female-1"])),
    )
    assert "1 regressed by one method, fixed by another:" in out
    assert "correct → incorrect by contrastive-conditioning; incorrect → correct by lexicon" in out


def test_words_that_differ_are_marked(compare):
    def translated(text, outcome):
        return run_of([replace(a_sample("nurse", outcome, content="c"), translation=text)])

    out = compare(
        translated("O enfermeiro terminou o turno.", Outcome.CORRECT),
        translated("A enfermeira terminou o turno.", Outcome.INCORRECT),
    )
    assert "before  [-O enfermeiro-] terminou o turno." in out
    assert "after   {+A enfermeira+} terminou o turno." in out


def test_models_are_named_wherever_a_comparison_has_several(compare, tmp_path):
    right = [one.id for one in SAMPLES if one.verdict.outcome is Outcome.CORRECT]
    good, bad = run_of(SAMPLES, "good"), run_of(flipped(SAMPLES, right[:60]), "bad")
    both = a_run(*good.suites, *bad.suites)
    out = compare(run_of(SAMPLES, "old"), both, "--html", "compare.html")
    verdict, _, *lines = out.splitlines()
    assert "by contrastive-conditioning on bad" in verdict
    assert "occupations · en→pt · contrastive-conditioning · old → good" in lines
    assert "occupations · en→pt · contrastive-conditioning · old → bad" in lines
    assert "occupations · en→pt · old → bad, 60 regressed:" in lines
    page = (tmp_path / "compare.html").read_text(encoding="utf-8")
    assert "occupations · en→pt · old → bad: samples that flipped" in page
    markdown = compare(run_of(SAMPLES, "old"), both, "--markdown")
    assert "### `occupations · en→pt · contrastive-conditioning · old → good`" in markdown


OPEN = [replace(one, category="neutral", choices=("male", "female")) for one in SAMPLES[:20]]


def chosen(samples):
    return [replace(one, verdict=Verdict(Outcome.OPEN, choice="male")) for one in samples]


def test_a_suite_without_right_answers_has_no_rows(compare, tmp_path):
    opened = a_suite(*chosen(OPEN), suite="neutral", model=MODEL)
    ten = {f"male-{number}" for number in range(10)}
    before = a_run(a_suite(*SAMPLES, model=MODEL))
    after = a_run(a_suite(*flipped(SAMPLES, ten), model=MODEL))
    both = [replace(run, suites=(opened, *run.suites)) for run in (before, after)]
    text = compare(*both)
    said = "nothing to compare: no answer is right, so choices are counted and not judged"
    assert f"neutral · en→pt · contrastive-conditioning · demo → demo\n  {said}" in text
    assert said in compare(*both, "--markdown")
    assert compare(*both, "--html", "page.html").endswith("page: page.html\n")
    assert said in (tmp_path / "page.html").read_text(encoding="utf-8")
    # and none that p would be adjusted for
    alone = json.loads(compare(before, after, "--json"))["suites"][0]["rows"]
    assert json.loads(compare(*both, "--json"))["suites"][1]["rows"] == alone
