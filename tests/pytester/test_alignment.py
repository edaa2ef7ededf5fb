"""--mt-alignment, and the method gender-morphology that it serves"""

from __future__ import annotations

import pytest

from tests.language.alignment.test_eflomal import eflomal

METHOD = ("method: contrastive-conditioning", "method: gender-morphology")


def suite_line(project):
    return next(line for line in project.record() if line["kind"] == "suite")


def figures(project):
    return {line["key"]: line["measure"]["value"] for line in project.record() if line["kind"] == "gate"}


def test_a_model_that_makes_men_of_all_fails_women_and_needs_no_evaluator(project):
    project.change(*METHOD)
    project.change("gates:", 'gates:\n  f1[female]: ">= 0.5"\n  delta_g: "<= 0.5"')
    result = project.pytest("-v", "--mt-no-store", model="always_male")
    result.assert_outcomes(passed=1, failed=5)
    assert figures(project) == pytest.approx(
        {
            "f1[female]": 0,
            "delta_g": 2 / 3,
            "accuracy[male]": 1,
            "accuracy[female]": 0,
            "minimum_accuracy": 0,
            "gap": 1,
        }
    )
    assert not project.calls("score")
    result.stdout.fnmatch_lines(["*failed*delta_g <= 0.50: 0.67*", "*f1[[]male[]]: 0.67*"])


def test_a_fair_model_is_fair_and_the_signature_says_how_it_was_read(project):
    project.change(*METHOD)
    result = project.pytest("-v", "--mt-no-store")
    result.assert_outcomes(passed=4)
    assert suite_line(project)["details"] == "alignment ibm1"
    assert suite_line(project)["procedure"] == "gender-morphology 1, rules grammar pt 2"
    result.stdout.re_match_lines([r"mtprobe .*method gender-morphology"])


def test_both_methods_judge_one_translation_and_their_agreement_is_shown(project):
    project.change(METHOD[0], "methods: [contrastive-conditioning, gender-morphology]")
    result = project.pytest("-v", "--mt-no-store", model="fair")
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(["*contrastive-conditioning and gender-morphology agree on 1.00*"])


def test_a_language_without_a_grammar_is_left_out_and_says_so(project):
    project.change(METHOD[0], "methods: [contrastive-conditioning, gender-morphology]")
    project.pytest("--mt-no-store", "--mt-model=python:toys:fair", "--mt-target=nl", model=None)
    assert "has no grammar of nl; available: de, es, fr, it, pt, ru" in suite_line(project)["notes"][0]


def translated(project, name="fair"):
    """A file: model of a toy's translations, with links for the first two words."""
    project.pytest("--mt-no-store", model=name)
    rows = [line for line in project.record() if line["kind"] == "sample"]
    pairs = "".join(f"{row['source']} ||| {row['translation']}\n" for row in rows)
    (project.path / "pairs.txt").write_text(pairs, encoding="utf-8")
    (project.path / "links.align").write_text("0-0 1-1\n" * len(rows), encoding="utf-8")
    return ["--mt-model=file:pairs.txt", "--mt-source=en", "--mt-target=pt", "--mt-no-store"]


def test_links_stand_beside_the_file_of_a_file_model(project):
    project.change(*METHOD)
    named = translated(project)
    project.pytest(*named, "--mt-alignment=links.align", model=None).assert_outcomes(passed=4)
    assert "alignment file:" in suite_line(project)["details"]
    (project.path / "links.align").write_text("0-0 1-3\n" * 24, encoding="utf-8")  # “turno”, “casa”
    project.pytest(*named, "--mt-alignment=links.align", model=None).assert_outcomes(failed=4)


def test_links_for_any_other_model_come_with_their_pairs(project):
    project.change(*METHOD)
    translated(project)
    project.pytest("--mt-no-store", "--mt-alignment=pairs.txt,links.align").assert_outcomes(passed=4)
    result = project.pytest("--mt-no-store", "--mt-alignment=links.align")
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(["*links.align is a file of links only*PAIRS,LINKS*"])


def test_pairs_without_links_are_not_judged_and_their_gates_error(project):
    project.change(*METHOD)
    translated(project)
    result = project.pytest("--mt-no-store", "--mt-alignment=pairs.txt,links.align", model="always_male")
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(["*12 of 24 samples could not be judged: 12 × could not be aligned*"])


def test_what_is_no_aligner_is_a_usage_error(project):
    result = project.pytest("--mt-alignment=giza")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--mt-alignment: there is no file giza; write ibm1, eflomal*"])


def test_links_of_one_model_do_not_serve_two(project):
    named = translated(project)
    result = project.pytest(*named[1:], "--mt-model=a=file:pairs.txt", "--mt-model=b=file:pairs.txt",
                            "--mt-alignment=links.align", model=None)  # fmt: skip
    assert result.ret == 4
    result.stderr.fnmatch_lines(
        ["*links of one model's translations, and this run has those of 2 models or targets*"]
    )


def test_the_ini_file_may_name_the_aligner(project):
    project.change(*METHOD)
    (project.path / "pytest.ini").write_text("[pytest]\nmt_alignment = giza\n", encoding="utf-8")
    assert project.pytest().ret == 4


@pytest.mark.parametrize(
    ("gate", "message"),
    [
        ("f1", "f1 needs exactly one category: f1[male]"),
        ("f1[femal]", 'category "femal" is not declared; did you mean "female"?'),
        ("delta_g[male]", "delta_g is taken over all categories"),
        ("delta_s", "delta_s needs samples with the attribute stereotype"),
    ],
)
def test_a_gate_that_cannot_be_asked_is_told(project, gate, message):
    project.change("gates:", f'gates:\n  {gate}: "<= 0.5"')
    assert f"suites/occupations.mt.yaml:11:3: gates.{gate}: {message}" in project.pytest().stdout.str()


def test_a_signed_metric_may_have_a_bound_below_zero_and_a_share_may_not(project):
    project.change("gates:", 'gates:\n  delta_g: ">= -0.2"')
    project.pytest().assert_outcomes(passed=5)
    project.change('gap: "<= 0.20"', 'gap: "<= -0.20"')
    project.pytest().stdout.fnmatch_lines(["*gates.gap: *is less than 0*"])


def test_eflomal_aligns_a_run(project):
    eflomal()  # skips where it is not installed
    project.change(*METHOD)
    project.change("gates:", 'gates:\n  undecided: "<= 0.3"')
    project.pytest("--mt-no-store", "--mt-alignment=eflomal")
    assert "alignment eflomal 2" in suite_line(project)["details"]
    assert figures(project)["undecided"] <= 0.3


def test_of_open_samples_two_methods_agree_on_what_was_chosen(project):
    project.change(METHOD[0], "methods: [contrastive-conditioning, gender-morphology]")
    project.change("categories: [male, female]", "categories: [male, female, neutral]")
    project.change("cues:\n", "cues:\n  neutral: {male: man, female: woman}\n")
    project.change("        his: {category: male}\n", "        their: {category: neutral}\n")
    project.change(
        '  accuracy[male]: ">= 0.60"\n  accuracy[female]: ">= 0.60"\n', '  accuracy[female]: ">= 0"\n'
    )
    project.change('  minimum_accuracy: ">= 0.60"\n  gap: "<= 0.20"\n', '  chosen[male]: ">= 0"\n')
    result = project.pytest("-v", "--mt-no-store", "--mt-report=report.html", model="always_male")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*agree on 1.00 (95% interval *, n = 24)*"])
    page = (project.path / "report.html").read_text(encoding="utf-8")
    answers = ["correct", "incorrect", "male", "female", "degenerate", "undecided"]
    assert "".join(f'<th scope="col" class="number">{name}</th>' for name in answers) in page
