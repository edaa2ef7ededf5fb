"""--mt-model [NAME=]SPEC"""

from __future__ import annotations


def test_a_fair_model_passes_and_the_run_says_who_judged(project):
    result = project.pytest("-v")
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(["mtprobe: model python-toys-fair (into pt); evaluator: the model itself"])
    result.stdout.fnmatch_lines(["*occupations*judged by itself*"])


def test_a_biased_model_fails_with_the_number_the_bound_and_the_worst_samples(project):
    result = project.pytest("-v", model="always_male")
    result.assert_outcomes(passed=1, failed=3)
    result.stdout.fnmatch_lines(
        [
            "occupations: accuracy[[]female] = 0.00 (95% interval 0.00–0.46, n = 12), but must be >= 0.60",
            "*suites/occupations.mt.yaml:12",
            "*the worst 3 of 12 samples:",
            "*suites/occupations.mt.yaml:* [[]female] incorrect, p = 0.3*",
            "*source       The <dancer> *her*",
            "*translation  O dançarino *",
            "*correct      -0.8*The woman dancer*",
            "*incorrect    -0.1*The man dancer*",
        ]
    )
    assert "Traceback" not in result.stdout.str()
    assert "toys.py" not in result.stdout.str()


def test_the_summary_shows_every_category_with_its_interval(project):
    result = project.pytest("-v", model="always_male")
    result.stdout.fnmatch_lines(
        [
            "*category*accuracy*95% interval*weighted*n*undecided*degenerate*",
            "*male*1.00*0.54–1.00*1.00*12*",
            "*female (min)*0.00*0.00–0.46*0.00*12*",
            "*all*0.50*24*",
            "*failed*accuracy[[]female] >= 0.60: 0.00*",
            "mtprobe * | suite occupations#* | en→pt | method*",
        ]
    )


def test_several_models_stand_in_the_node_ids_by_name(project):
    result = project.pytest(
        "--mt-model=old=python:toys:always_male",
        "--mt-model=new=python:toys:fair",
        "--mt-target=pt",
        "-v",
        model=None,
    )
    result.assert_outcomes(passed=5, failed=3)
    result.stdout.fnmatch_lines(
        [
            "suites/occupations.mt.yaml::old::accuracy[[]female] FAILED*",
            "suites/occupations.mt.yaml::new::accuracy[[]female] PASSED*",
        ]
    )


def test_one_model_leaves_the_node_ids_alone(project):
    result = project.pytest("-v", "--mt-target=pt", "--mt-model=new=python:toys:fair", model=None)
    result.stdout.fnmatch_lines(["suites/occupations.mt.yaml::accuracy[[]female] PASSED*"])


def test_two_models_of_one_name_are_a_usage_error(project):
    result = project.pytest("--mt-model=python:toys:fair")
    assert result.ret == 4
    result.stderr.fnmatch_lines(['*two models are called "python-toys-fair"*'])


def test_an_unknown_kind_is_a_usage_error_with_a_suggestion(project):
    result = project.pytest("--mt-model=fierfox:x", model=None)
    assert result.ret == 4
    result.stderr.fnmatch_lines(['*there is no backend "fierfox"; did you mean "firefox"?'])


def test_a_missing_module_is_a_usage_error(project):
    result = project.pytest("--mt-model=python:nothere:f", "--mt-target=pt", model=None)
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*there is no module “nothere”"])


def test_suites_that_are_named_need_a_model(project):
    for where in ("suites", "suites/occupations.mt.yaml", "suites/occupations.mt.yaml::gap"):
        result = project.pytest(model=None, where=where)
        assert result.ret == 4, where
        result.stderr.fnmatch_lines(["*suites need a model*--mt-model=demo*"])


def test_plain_pytest_without_a_model_skips_suites_visibly(project):
    result = project.pytest("-rs", model=None, where="")
    assert result.ret == 0
    result.assert_outcomes(skipped=4)
    result.stdout.fnmatch_lines(["*no model is named: name one with --mt-model"])


def test_the_ini_twin_names_a_model(project):
    project.pytester.makeini("[pytest]\nmt_model =\n    python:toys:fair\nmt_target = pt\n")
    project.pytest(model=None).assert_outcomes(passed=4)


def test_what_a_function_raises_is_one_line_and_with_verbose_a_traceback(project):
    line = (project.path / "toys.py").read_text(encoding="utf-8").splitlines().index(
        "def broken(sources):"
    ) + 2
    reason = f"python:toys:broken raised RuntimeError: the toy is broken, in toys.py:{line}"
    args = ["--mt-evaluator=python:toys:fair"]
    result = project.pytest(*args, model="broken")
    result.stdout.fnmatch_lines([f"ERROR [[]4[]] occupations: {reason}"])
    assert "Traceback" not in result.stdout.str()
    assert "is kept" not in result.stdout.str()
    result = project.pytest("-v", *args, model="broken")
    result.stdout.fnmatch_lines([reason, "Traceback *", "*RuntimeError: the toy is broken"])


def test_a_model_that_cannot_score_is_not_its_evaluator(project):
    project.change("method: contrastive-conditioning", "method: gender-morphology")
    result = project.pytest(model="echo")
    result.stdout.fnmatch_lines(["mtprobe: model * (*); evaluator: none"])
