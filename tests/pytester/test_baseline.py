"""--mt-baseline RECORD"""

from __future__ import annotations

import json

import pytest

from mtprobe.cli import main
from mtprobe.records import read_run
from tests.pytester.test_xdist import without_date

GATES = """
  regression: "<= 0.02"
  regression[female]: "<= 0.02"
  regression[male]: "<= 0.02"
"""


@pytest.fixture
def gated(project):
    project.change('  gap: "<= 0.20"\n', GATES)
    return project


@pytest.fixture
def baseline(gated):
    """The fair model's run, blessed."""
    gated.pytest("--mt-baseline=none", "--mt-record=baseline.jsonl").assert_outcomes(passed=3, skipped=3)
    return gated


def failure_of(result, gate):
    """The text under a failed gate."""
    text = result.stdout.str()
    return text.split(f"_ occupations: {gate} _")[1].split("\n____")[0].split("\n====")[0]


def test_the_same_model_loses_nothing(baseline):
    result = baseline.pytest("--mt-baseline=baseline.jsonl", "--mt-record=run.jsonl")
    result.assert_outcomes(passed=6)
    gate = read_run(baseline.path / "run.jsonl").suites[0].gates[-1]
    assert (gate.measure.value, gate.regression.p, gate.regression.regressed) == (0.0, 1.0, ())


def test_a_worse_model_fails_and_the_flips_are_those_that_flipped(baseline):
    result = baseline.pytest(
        "-v", "--mt-baseline=baseline.jsonl", "--mt-record=run.jsonl", model="always_male"
    )
    result.assert_outcomes(passed=2, failed=4)
    text = failure_of(result, "regression[female]")
    assert "regression[female] = 1.00" in text
    assert "n = 12) [12 regressed, 0 fixed since python-toys-fair of " in text
    # The samples of an occupation are a cluster, and all six regressed: p is 2 / 2^6.
    assert "cluster sign-flip test p = 0.0312, Holm-adjusted p = 0.0938" in text
    assert "12 samples were right in the baseline" in text
    assert "changed      [-A médica-]{+O médico+} terminou o turno" in text
    gates = {gate.key: gate for gate in read_run(baseline.path / "run.jsonl").suites[0].gates}
    flips = [flip.id for flip in gates["regression"].regression.regressed]
    assert sorted(flips) == sorted(
        one["id"] for one in baseline.record("run.jsonl") if one["kind"] == "sample" and "/her" in one["id"]
    )
    assert gates["regression[male]"].decision.value == "passed"


def test_ten_flips_are_listed_before_anything_else_and_the_rest_is_counted(baseline):
    text = failure_of(
        baseline.pytest("-v", "--mt-baseline=baseline.jsonl", model="always_male"), "regression"
    )
    assert text.index("12 samples were right") < text.index("/her [female] incorrect")
    assert text.count("  changed  ") == 10
    assert (
        "and 2 more regressed; to see all: mtprobe compare baseline.jsonl .mtprobe/last-run.jsonl --all"
        in text
    )


def test_fixed_samples_are_weighed_against_regressed_ones(gated):
    gated.pytest("--mt-baseline=none", "--mt-record=baseline.jsonl", model="always_male")
    result = gated.pytest("--mt-baseline=baseline.jsonl", "--mt-record=run.jsonl")
    result.assert_outcomes(passed=6)
    gate = read_run(gated.path / "run.jsonl").suites[0].gates[3]
    assert gate.measure.value == pytest.approx(-0.5)
    assert len(gate.regression.fixed) == 12


ALMOST = """
class Almost(Toy):
    def one(self, source):
        return super().one(source).replace("porto da cidade", "porto")


almost_fair = Almost("almost-fair", lambda source: " her " in source)
"""


def test_a_level_decides_on_the_interval_of_the_paired_difference(baseline):
    """Other translations with the same verdicts: no flip in six clusters says little about a loss of 10 %."""
    with (baseline.path / "toys.py").open("a", encoding="utf-8") as stream:
        stream.write(ALMOST)
    options = ["--mt-baseline=baseline.jsonl", "--mt-evaluator=python:toys:fair", "-k", "regression"]
    bound = "--mt-set=occupations:regression=<= 0.10 @95%"
    result = baseline.pytest("-v", *options, bound, model="almost_fair")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*regression = 0.00 (95% interval -0.46 to 0.46*is undecided*"])
    result.stdout.no_fnmatch_line("*right in the baseline*")  # no list without entries


def test_identical_translations_by_the_same_evaluator_pass_at_any_level_and_say_why(baseline):
    bound = "--mt-set=occupations:regression=<= 0.00 @99%"
    result = baseline.pytest("-v", "--mt-baseline=baseline.jsonl", bound, "--mt-record=run.jsonl")
    result.assert_outcomes(passed=6)
    result.stdout.fnmatch_lines(
        ["*passed*regression <= 0.00 @99%: 0.00*identical translations and evaluator*"]
    )
    gate = read_run(baseline.path / "run.jsonl").suites[0].gates[3]
    assert (gate.measure.low, gate.measure.high, gate.regression.unchanged) == (0.0, 0.0, True)


def test_identical_translations_by_another_evaluator_do_not(baseline):
    bound = "--mt-set=occupations:regression=<= 0.02 @95%"
    options = ["--mt-baseline=baseline.jsonl", "--mt-evaluator=python:toys:always_male", "-k", "regression"]
    result = baseline.pytest("-v", *options, bound)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*regression = 0.00*is undecided*"])


def test_gates_of_several_suites_are_adjusted_together_at_the_end(baseline):
    text = (baseline.path / "suites/occupations.mt.yaml").read_text(encoding="utf-8")
    baseline.suite("second", text.replace("name: occupations", "name: second"))
    baseline.pytest("-v", "--mt-baseline=none", "--mt-record=baseline.jsonl")
    result = baseline.pytest(
        "-v", "--mt-baseline=baseline.jsonl", "--mt-record=run.jsonl", model="always_male"
    )
    assert "cluster sign-flip test p = 0.0312 (Holm-adjusted at the end of the run)" in failure_of(
        result, "regression[female]"
    )
    found = [
        gate.regression for suite in read_run(baseline.path / "run.jsonl").suites for gate in suite.gates[3:]
    ]
    assert [one.p_adjusted for one in found if one.p < 0.1] == pytest.approx([2 / 2**6 * 6] * 4)
    result.stdout.fnmatch_lines(
        ["*regression?female? <= 0.02: 1.00*cluster sign-flip test p = 0.0312, Holm-adjusted p = 0.1875*"]
    )


def test_without_a_baseline_the_error_says_how_to_make_one(gated):
    result = gated.pytest()
    assert result.ret == 4
    result.stderr.fnmatch_lines(
        ["*suites/occupations.mt.yaml:1?:3: regression needs a baseline*--mt-baseline=RECORD*mtprobe bless*"]
    )
    assert gated.calls("translate") == []


def test_a_baseline_that_is_not_there_is_a_usage_error(gated):
    result = gated.pytest("--mt-baseline=nothing.jsonl")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*there is no baseline nothing.jsonl*mtprobe bless*"])


def test_a_baseline_that_is_no_whole_record_is_a_usage_error(baseline):
    path = baseline.path / "baseline.jsonl"
    path.write_text("".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[:9]), encoding="utf-8")
    result = baseline.pytest("--mt-baseline=baseline.jsonl")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*baseline.jsonl: incomplete record*"])


def test_collecting_needs_no_baseline(gated):
    assert gated.pytest("--collect-only").ret == 0


def test_a_baseline_that_is_named_must_be_there_even_if_no_gate_asks_for_it(project):
    assert project.pytest("--mt-baseline=nothing.jsonl").ret == 4


def test_without_a_baseline_on_purpose_gates_are_skipped_visibly(gated):
    result = gated.pytest("--mt-baseline=none", "-rs")
    result.assert_outcomes(passed=3, skipped=3)
    result.stdout.fnmatch_lines(["SKIPPED*no baseline to compare with*"])


def test_changed_and_new_samples_are_counted_and_said(baseline):
    baseline.change("writer, dancer]", "writer]")
    baseline.change('"The <{occupation}> has sold', '"The <{occupation}> has now sold')
    result = baseline.pytest("-v", "--mt-baseline=baseline.jsonl")
    result.assert_outcomes(passed=3, failed=3)
    result.stdout.fnmatch_lines(
        [
            "*occupations: regression = 0.00*not compared: 10 with another source or other evidence; "
            "not compared: 4 only in the earlier run*is undecided: only 10 of 20 samples that the later run decided "
            "can be compared (50%; at least 80% is required); it must be <= 0.02*"
        ]
    )


def test_a_few_new_samples_do_not_keep_a_gate_from_passing(baseline):
    baseline.change("writer, dancer]", "writer, dancer, doctors]")
    result = baseline.pytest("-v", "--mt-baseline=baseline.jsonl")
    result.assert_outcomes(passed=6)
    result.stdout.fnmatch_lines(["*passed*regression <= 0.02*not compared: 4 only in the later run*"])


@pytest.fixture
def twins(baseline):
    """Two suites of one name: the first shares one sample with the second."""
    text = (baseline.path / "suites/occupations.mt.yaml").read_text(encoding="utf-8")
    head, shift = text.split("  - id: house")[0].split("generate:\n")
    one = shift.replace("[doctor, lawyer, teacher, engineer, writer, dancer]", "[doctor]")
    baseline.suite("a", head + "generate:\n" + one)
    baseline.suite("b", head + "generate:\n" + shift)
    (baseline.path / "suites/occupations.mt.yaml").unlink()
    baseline.pytest("--mt-baseline=none", "--mt-record=baseline.jsonl", "-k", "regression or male")
    return baseline


def test_of_two_suites_of_one_name_each_is_compared_with_its_own(twins):
    result = twins.pytest("-v", "--mt-baseline=baseline.jsonl", "--mt-record=run.jsonl", model="always_male")
    runs = {suite.path: suite for suite in read_run(twins.path / "run.jsonl").suites}
    flips = {path: len(suite.gates[-3].regression.regressed) for path, suite in runs.items()}
    assert flips == {"suites/a.mt.yaml": 1, "suites/b.mt.yaml": 6}
    assert runs["suites/b.mt.yaml"].gates[-3].measure.n == 12
    result.stdout.fnmatch_lines(
        ['*note: 2 suites of this run are named "occupations" (suites/a.mt.yaml, suites/b.mt.yaml): *']
    )
    assert all("2 suites of this run" in suite.notes[-1] for suite in runs.values())


def test_a_suite_that_may_be_one_or_the_other_is_an_error(twins):
    text = (twins.path / "suites/b.mt.yaml").read_text(encoding="utf-8")
    twins.suite("c", text.replace("Does the translation", "Does every translation"))
    (twins.path / "suites/b.mt.yaml").unlink()
    result = twins.pytest("-v", "--mt-baseline=baseline.jsonl", "-k", "regression", where="suites/c.mt.yaml")
    result.assert_outcomes(errors=3)
    result.stdout.fnmatch_lines(
        [
            "occupations: regression cannot be judged: the baseline is ambiguous: 2 of its suites are named "
            '"occupations" (suites/a.mt.yaml, suites/b.mt.yaml), and neither content nor path says which of them '
            "suites/c.mt.yaml is: give each suite a name of its own"
        ]
    )


@pytest.mark.slow
def test_a_gate_does_not_pass_on_the_one_sample_that_it_shares_with_the_baseline(twins):
    """The baseline has only the small suite of that name; the large one broke."""
    twins.pytest("-v", "--mt-baseline=none", "--mt-record=baseline.jsonl", where="suites/a.mt.yaml")
    options = ["--mt-baseline=baseline.jsonl", "-k", "regression and male and not female"]
    result = twins.pytest("-v", *options, where="suites/b.mt.yaml")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*is undecided: only 1 of 6 samples that the later run decided*"])


def test_compare_and_gate_agree_on_what_regressed(baseline, capsys):
    from mtprobe.cli import main

    baseline.pytest("--mt-baseline=baseline.jsonl", "--mt-record=run.jsonl", model="always_male")
    gate = read_run(baseline.path / "run.jsonl").suites[0].gates[3]
    capsys.readouterr()
    assert main(["compare", "baseline.jsonl", "run.jsonl", "--json"]) == 0
    (suite,) = json.loads(capsys.readouterr().out)["suites"]
    row = suite["rows"][-1]
    assert [one["id"] for one in suite["regressed"]] == [flip.id for flip in gate.regression.regressed]
    assert (row["p"], row["test"]) == (gate.regression.p, gate.regression.test)
    assert row["gain"]["value"] == -gate.measure.value
    assert (row["gain"]["low"], row["gain"]["high"]) == (-gate.measure.high, -gate.measure.low)


def test_changed_cues_are_changed_content(baseline):
    baseline.change("{correct: woman, incorrect: man}", "{correct: lady, incorrect: man}")
    result = baseline.pytest("--mt-baseline=baseline.jsonl", "-k", "regression and female")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*could not be measured: no sample can be compared*12 with another source*"])


def test_a_suite_that_the_baseline_does_not_have_cannot_pass(baseline):
    baseline.change("name: occupations", "name: jobs")
    result = baseline.pytest("-v", "--mt-baseline=baseline.jsonl", "-k", "regression")
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(
        ['*jobs: regression could not be measured: not in the baseline: it has no suite "jobs"*']
    )


def test_of_several_models_each_is_compared_with_its_own(gated):
    models = ["--mt-model=old=python:toys:fair", "--mt-model=new=python:toys:always_male", "--mt-target=pt"]
    gated.pytest("--mt-baseline=none", "--mt-record=baseline.jsonl", *models, model=None)
    turned = [models[0].replace("old=", "new="), models[1].replace("new=", "old="), models[2]]
    result = gated.pytest("--mt-baseline=baseline.jsonl", "-k", "regression", *turned, model=None)
    result.assert_outcomes(passed=4, failed=2)
    result.stdout.fnmatch_lines(["FAILED suites/occupations.mt.yaml::old::regression*"])


def test_another_evaluator_is_said(baseline):
    result = baseline.pytest(
        "-v", "--mt-baseline=baseline.jsonl", "--mt-evaluator=python:toys:always_male", "-k", "regression"
    )
    result.stdout.fnmatch_lines(["*regression <= 0.02*the two runs were judged by different evaluators*"])


def test_a_gate_may_name_its_method(baseline):
    baseline.change("  regression: ", "  regression@contrastive-conditioning: ")
    result = baseline.pytest("--mt-baseline=baseline.jsonl", model="always_male")
    result.stdout.fnmatch_lines(["FAILED suites/*::regression@contrastive-conditioning*"])


def test_a_record_from_before_there_were_digests_is_compared_by_its_sources(baseline):
    lines = baseline.record("baseline.jsonl")
    lines[0]["record"] = "1.3"
    for line in lines:
        line.pop("content", None)
    (baseline.path / "baseline.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    baseline.pytest("--mt-baseline=baseline.jsonl").assert_outcomes(passed=6)


@pytest.mark.slow
def test_under_xdist_everything_is_the_same(baseline):
    pytest.importorskip("xdist")
    for name, options in (("alone", ()), ("spread", ("-n2",))):
        baseline.pytest(
            "--mt-baseline=baseline.jsonl", f"--mt-record={name}.jsonl", *options, model="always_male"
        ).assert_outcomes(passed=2, failed=4)
    assert without_date(baseline.record("alone.jsonl")) == without_date(baseline.record("spread.jsonl"))


def test_a_bound_that_asks_for_a_loss_is_a_mistake(gated):
    gated.change('regression[male]: "<= 0.02"', 'regression[male]: ">= 0.02"')
    result = gated.pytest("--mt-baseline=none")
    result.stdout.fnmatch_lines(['*gates.regression?male?: ">= 0.02" is a loss; write*"<= 0.02"*'])


def test_one_baseline_serves_several_candidates(baseline):
    result = baseline.pytest(
        "--mt-baseline=baseline.jsonl",
        "--mt-model=good=python:toys:fair",
        "--mt-model=bad=python:toys:always_male",
        "--mt-target=pt",
        "--mt-record=run.jsonl",
        model=None,
    )
    result.assert_outcomes(passed=8, failed=4)
    values = {
        suite.model.name: gate.measure.value
        for suite in read_run(baseline.path / "run.jsonl").suites
        for gate in suite.gates
        if gate.key == "regression"
    }
    assert values == {"good": 0.0, "bad": pytest.approx(0.5)}


def test_a_compact_baseline_decides_the_same(baseline, capsys):
    full, packed = baseline.path / "baseline.jsonl", baseline.path / "small.jsonl.gz"
    assert main(["bless", str(full), "--compact", "-o", str(packed)]) == 0
    assert packed.stat().st_size < full.stat().st_size / 8
    gates = []
    for path in ("baseline.jsonl", "small.jsonl.gz"):
        baseline.pytest(f"--mt-baseline={path}", "--mt-record=run.jsonl", model="always_male")
        gates.append(read_run(baseline.path / "run.jsonl").suites[0].gates)
    assert gates[0] == gates[1]
    capsys.readouterr()
    assert main(["compare", str(packed), str(baseline.path / "run.jsonl"), "--all"]) == 0
    assert capsys.readouterr().out.count("correct → incorrect") == 12


@pytest.mark.parametrize("verb", [["report", "--mean"], ["rescore"], ["show"], ["bless"]])
def test_what_needs_more_than_a_compact_baseline_has_says_so(baseline, capsys, verb):
    packed = baseline.path / "small.jsonl.gz"
    main(["bless", str(baseline.path / "baseline.jsonl"), "--compact", "-o", str(packed)])
    capsys.readouterr()
    assert main([*verb, str(packed), *(["shift/doctor/her"] if verb == ["show"] else [])]) == 2
    assert (
        "small.jsonl.gz: a compact baseline, which has only what comparisons need" in capsys.readouterr().err
    )


def test_the_same_record_makes_the_same_bytes(baseline):
    paths = [baseline.path / name for name in ("one.gz", "two.gz")]
    for path in paths:
        main(["bless", str(baseline.path / "baseline.jsonl"), "--compact", "-o", str(path)])
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_skipped_gates_are_in_the_record_and_in_every_report(gated):
    outputs = ["--mt-record=run.jsonl", "--mt-markdown=run.md", "--mt-report=run.html"]
    result = gated.pytest("--mt-baseline=none", *outputs)
    said = "3 of 6 gates were skipped: there is no baseline to compare with"
    result.stdout.fnmatch_lines(["3 of 6 gates were skipped"])
    run = read_run(gated.path / "run.jsonl")
    assert [gate.status for gate in run.suites[0].gates] == ["passed"] * 3 + ["skipped"] * 3
    assert run.passed
    assert run.exclusions == (said,)
    markdown = (gated.path / "run.md").read_text(encoding="utf-8")
    assert markdown.startswith(f"## mtprobe: all 3 judged gates passed; {said}\n")
    page = (gated.path / "run.html").read_text(encoding="utf-8")
    assert f"All 3 judged gates passed; {said}" in page
    assert said in page


@pytest.mark.parametrize("method", ["contrastive-conditioning", "gender-morphology"])
def test_an_unchanged_model_passes_on_the_samples_that_are_left(gated, method):
    """Alignments and noise floors are fitted on all samples of a run, so fewer samples change them."""
    gated.change("method: contrastive-conditioning", f"method: {method}")
    gated.pytest("--mt-baseline=none", "--mt-record=baseline.jsonl")
    options = [
        "--mt-baseline=baseline.jsonl",
        "--mt-set=occupations:regression=<= 0.00 @99%",
        "-k",
        "regression",
    ]
    assert gated.pytest("--mt-take=10", *options).ret == 0
    gated.change("[doctor, lawyer, teacher, ", "[doctor, ")
    assert gated.pytest(*options).ret == 0
