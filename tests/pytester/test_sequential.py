"""--mt-sequential, and `sequential: true` in a suite"""

from __future__ import annotations

import pytest

from mtprobe.cli import main


@pytest.fixture
def large(project):
    project.enlarge()
    return project


def suite_of(project):
    return next(line for line in project.record() if line["kind"] == "suite")


def decisions(project):
    return {line["key"]: line["decision"] for line in project.record() if line["kind"] == "gate"}


def samples(project):
    return [line for line in project.record() if line["kind"] == "sample"]


def test_no_more_is_asked_than_the_gates_need(large):
    result = large.pytest("-v", "--mt-sequential")
    result.assert_outcomes(passed=4)
    stopped = suite_of(large)["stopped"]
    assert stopped["samples"] == 240
    assert len(samples(large)) == stopped["asked"] == len(large.calls("translate")) < 120
    assert stopped["reason"] == "every gate was decided"
    result.stdout.fnmatch_lines([f"*sequential: {stopped['asked']} of 240 samples were asked, * saved*"])


@pytest.mark.slow
def test_it_decides_as_a_full_run_does_which_goes_on_where_it_stopped(large):
    for model in ("fair", "always_male"):
        large.pytest("--mt-sequential", model=model)
        early, asked = decisions(large), len(samples(large))
        large.pytest(model=model)
        assert decisions(large) == early
        assert suite_of(large)["stopped"] is None
        assert asked < 120
    assert len(large.calls("translate")) == 2 * 240


def test_the_same_samples_are_asked_again_and_nothing_is_asked_twice(large):
    asked = []
    for _ in range(2):
        large.pytest("--mt-sequential", "--mt-no-store")
        asked.append([line["id"] for line in samples(large)])
    assert asked[0] == asked[1]
    assert len(large.calls("translate")) == 2 * len(asked[0])


def test_a_suite_may_say_so_itself_and_the_user_otherwise(large):
    large.change("categories:", "sequential: true\ncategories:")
    large.pytest()
    assert len(samples(large)) < 120
    large.pytest("--mt-no-sequential")
    assert len(samples(large)) == 240


def test_the_ini_file_sets_it_too(large):
    large.pytester.makeini("[pytest]\nmt_sequential = true\n")
    large.pytest("-k", "female")
    assert suite_of(large)["stopped"]


@pytest.mark.slow
def test_a_value_on_its_bound_takes_all_samples(large):
    """Fewer samples cannot decide it; and with all of them the run is a full one."""
    large.change('gap: "<= 0.20"', 'gap: "<= 0.00"')
    result = large.pytest("-v", "--mt-sequential")
    early = large.record()
    result.stdout.fnmatch_lines(
        ["*sequential: all 240 samples were asked: fewer samples did not decide every gate*"]
    )
    large.pytest()
    full = large.record()
    assert [line for line in early if line["kind"] in ("sample", "gate")] == [
        line for line in full if line["kind"] in ("sample", "gate")
    ]
    assert suite_of(large)["partial"] is False


def test_only_selected_gates_need_deciding(large):
    large.change('gap: "<= 0.20"', 'gap: "<= 0.00"')
    result = large.pytest("--mt-sequential", "-k", "female")
    result.assert_outcomes(passed=1, deselected=3)
    assert suite_of(large)["stopped"]["reason"] == "every selected gate was decided"
    gap = next(line for line in large.record() if line.get("key") == "gap")
    assert (gap["decision"], gap["excluded"]) == ("undecided", "unselected")


def test_last_failed_gates_are_decided_alone(large):
    large.change('accuracy[male]: ">= 0.60"', 'accuracy[male]: ">= 1.00"')
    large.pytest("--mt-sequential", model="always_male")
    result = large.pytest("--mt-sequential", "--lf", model="always_male")
    result.assert_outcomes(failed=3)
    assert suite_of(large)["stopped"]["asked"] < 120


def test_metrics_that_need_all_samples_say_so(large):
    large.change('gap: "<= 0.20"', 'weighted_accuracy: ">= 0.50"')
    result = large.pytest("-v", "--mt-sequential")
    result.stdout.fnmatch_lines(["*all 240 samples were asked: weighted_accuracy needs all of them*"])
    large.pytest("--mt-sequential", "-k", "minimum")
    assert suite_of(large)["stopped"]


def test_samples_that_are_tests_of_their_own_are_all_asked(large):
    large.change("categories:", "expect: each\ncategories:")
    result = large.pytest("-v", "--mt-sequential")
    result.assert_outcomes(passed=244)
    result.stdout.fnmatch_lines(["*all 240 samples were asked: each of them is a separate test*"])


def test_taken_samples_are_the_suite(large):
    large.pytest("--mt-sequential", "--mt-take=100")
    assert suite_of(large)["stopped"]["samples"] == 100


@pytest.mark.slow
def test_under_xdist_each_worker_stops_by_itself(large):
    text = (large.path / "suites" / "occupations.mt.yaml").read_text(encoding="utf-8")
    large.suite("others", text.replace("name: occupations", "name: others"))
    large.pytest("--mt-sequential", "-n2").assert_outcomes(passed=8)
    stopped = [line["stopped"] for line in large.record() if line["kind"] == "suite"]
    assert len(stopped) == 2
    assert all(stop["asked"] < 120 for stop in stopped)


def test_a_model_that_copies_its_source_fails_soon(large):
    result = large.pytest(
        "--mt-sequential", "--mt-evaluator=python:toys:fair", "-k", "accuracy", model="echo"
    )
    result.assert_outcomes(failed=3, deselected=1)
    assert suite_of(large)["stopped"]["asked"] < 60


def test_a_sentence_that_fails_ends_the_run_and_is_asked_again_next_time(large):
    """A full run would not judge the gates either."""
    with (large.path / "toys.py").open("a", encoding="utf-8") as stream:
        stream.write(
            "\n\nclass Moody(Toy):\n"
            "    def __call__(self, sources):\n"
            "        made = super().__call__(sources)\n"
            "        fails = not (HERE / 'well').exists()\n"
            "        return [None if fails and 'dancer' in one else text for one, text in zip(sources, made)]\n\n\n"
            'moody = Moody("moody", lambda source: " her " in source)\n'
        )
    large.pytest("--mt-sequential", model="moody").assert_outcomes(errors=4)
    asked = len(large.calls("translate"))
    (large.path / "well").touch()
    large.pytest("--mt-sequential", model="moody").assert_outcomes(passed=4)
    assert asked < 60


def test_a_sequential_record_is_no_baseline(large, capsys):
    large.pytest("--mt-sequential")
    record = str(large.path / ".mtprobe" / "last-run.jsonl")
    assert main(["bless", record, "-o", str(large.path / "baseline.jsonl")]) == 2
    assert "the run was sequential: occupations was asked for" in capsys.readouterr().err
    assert main(["rescore", record, "-o", str(large.path / "again.jsonl")]) == 2
    assert "occupations is of a sequential run" in capsys.readouterr().err
    main(["compare", record, record])
    assert "the later run was sequential, and stopped by its verdicts" in capsys.readouterr().out
    large.change('gap: "<= 0.20"', 'regression: "<= 0.02"')
    result = large.pytest(f"--mt-baseline={record}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--mt-baseline: a sequential run cannot be a baseline: occupations*"])


def test_a_regression_is_decided_early(large):
    large.pytest()
    record = str(large.path / ".mtprobe" / "last-run.jsonl")
    assert main(["bless", record, "-o", str(large.path / "baseline.jsonl")]) == 0
    large.change('gap: "<= 0.20"', 'regression: "<= 0.05"')
    result = large.pytest(
        "--mt-sequential", f"--mt-baseline={large.path / 'baseline.jsonl'}", model="always_male"
    )
    result.assert_outcomes(passed=1, failed=3)
    assert suite_of(large)["stopped"]["asked"] < 120
    regression = next(line for line in large.record() if line.get("key") == "regression")
    assert regression["decision"] == "failed"
    assert "only in the earlier run" not in regression["measure"]["note"]


def test_a_report_says_how_many_were_asked(large):
    large.pytest("--mt-sequential", "--mt-report=report.html", "--mt-markdown=report.md")
    asked = suite_of(large)["stopped"]["asked"]
    for name in ("report.html", "report.md"):
        text = (large.path / name).read_text(encoding="utf-8")
        assert f"{asked} of 240 samples were asked" in text, name


def test_other_values_are_an_error_in_python(large, monkeypatch):
    import mtprobe
    from mtprobe.errors import MtprobeError

    monkeypatch.syspath_prepend(large.path)
    with pytest.raises(MtprobeError, match="sequential: 'yes' is neither True nor False"):
        mtprobe.run(large.path / "suites", "python:toys:fair", target="pt", sequential="yes")
    run = mtprobe.run(large.path / "suites", "python:toys:fair", target="pt", sequential=True)
    assert run.passed
    assert run.suites[0].stopped.saved > 120


@pytest.mark.slow
def test_an_interrupted_run_goes_on_where_it_was(large):
    with (large.path / "toys.py").open("a", encoding="utf-8") as stream:
        stream.write(
            "\n\nclass Impatient(Toy):\n"
            "    chunk = 5\n"
            "    def __call__(self, sources):\n"
            "        if len((HERE / 'calls.txt').read_text().splitlines() if (HERE / 'calls.txt').exists() else []) > 100:\n"
            "            if not (HERE / 'stopped').exists():\n"
            "                (HERE / 'stopped').touch()\n"
            "                raise KeyboardInterrupt\n"
            "        return super().__call__(sources)\n\n\n"
            'impatient = Impatient("impatient", lambda source: " her " in source)\n'
        )
    stopped = large.pytest("--mt-sequential", model="impatient", alone=True)
    assert stopped.ret == pytest.ExitCode.INTERRUPTED
    assert next(line for line in large.record() if line["kind"] == "failed")["interrupted"]
    large.pytest("--mt-sequential", model="impatient", alone=True).assert_outcomes(passed=4)
    assert len(large.calls("translate")) == suite_of(large)["stopped"]["asked"]
