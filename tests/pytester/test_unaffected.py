"""Other people's runs and files are left alone"""

from __future__ import annotations

import pytest


def test_a_run_without_suites_is_silent_and_loads_nothing(pytester):
    pytester.makepyfile(
        """
        import sys

        def test_nothing_of_mtprobe_but_the_plugin_is_loaded():
            ours = {name for name in sys.modules if name.split(".")[0] == "mtprobe"}
            assert ours - {"mtprobe", "mtprobe.pytest_plugin", "mtprobe.system"} == {
                "mtprobe.pytest_plugin.options", "mtprobe.pytest_plugin.hooks", "mtprobe.system.named"
            }
            assert not {"numpy", "yaml", "pydantic", "rich", "onnxruntime", "jinja2"} & set(sys.modules)
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:hypothesispytest", "-p", "no:xdist")
    result.assert_outcomes(passed=1)
    assert "mtprobe:" not in result.stdout.str()


def test_a_model_without_any_suite_says_where_suites_come_from(pytester):
    pytester.makefile(".yaml", config="a: 1")
    result = pytester.runpytest_inprocess("-p", "no:hypothesispytest", "--mt-model=demo")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    result.stdout.fnmatch_lines(["mtprobe: no suite (*.mt.yaml) was found; `mtprobe suites` lists *"])
    assert "mtprobe:" not in pytester.runpytest_inprocess("-p", "no:hypothesispytest").stdout.str()


def test_yaml_without_our_suffix_is_not_collected(pytester):
    pytester.makefile(".yaml", config="mtprobe: 1\nname: [broken")
    pytester.makefile(".yml", other="a: {")
    assert pytester.runpytest_subprocess().ret == 5


def test_a_suite_named_without_our_suffix_is_a_usage_error_that_says_how_to_name_it(project):
    (project.path / "suites/occupations.mt.yaml").rename(project.path / "suites/probe.yaml")
    for where in ("suites/probe.yaml", "suites/probe.yaml::gap", str(project.path / "suites/probe.yaml")):
        result = project.pytest(where=where)
        assert result.ret == 4
        result.stderr.fnmatch_lines(
            "ERROR: probe.yaml is a suite, but it is not collected, since its name does not end in .mt.yaml; "
            "rename it to probe.mt.yaml, or add it to the ini file: mt_suites = suites/probe.yaml"
        )


def test_an_option_with_one_dash_is_not_taken_for_a_mark(project):
    result = project.pytest("-mt-model=demo")
    assert result.ret == 4
    result.stderr.fnmatch_lines(
        "ERROR: -mt-model=demo: options of mtprobe begin with two dashes: --mt-model=demo"
    )


def test_a_suite_that_an_editor_named_txt_is_a_usage_error(project):
    (project.path / "suites/occupations.mt.yaml").rename(project.path / "suites/probe.mt.yaml.txt")
    result = project.pytest(where="suites/probe.mt.yaml.txt")
    assert result.ret == 4
    result.stderr.fnmatch_lines("ERROR: probe.mt.yaml.txt is a suite, *; rename it to probe.mt.yaml, or *")


def test_other_yaml_on_the_command_line_is_left_to_pytest_and_other_plugins(pytester):
    pytester.makefile(".yaml", other="steps: [a]\n# mtprobe: 1\n")
    pytester.makeconftest(
        """
        import pytest

        class Steps(pytest.File):
            def collect(self):
                yield Step.from_parent(self, name="step")

        class Step(pytest.Item):
            def runtest(self):
                pass

        def pytest_collect_file(file_path, parent):
            return Steps.from_parent(parent, path=file_path) if file_path.suffix == ".yaml" else None
        """
    )
    pytester.runpytest_subprocess("other.yaml").assert_outcomes(passed=1)


def test_yaml_that_is_not_there_is_left_to_pytest(pytester):
    result = pytester.runpytest_subprocess("nowhere.yaml")
    assert result.ret == 4
    result.stderr.fnmatch_lines("ERROR: file or directory not found: nowhere.yaml")


def test_mt_suites_adds_globs(project):
    (project.path / "suites/occupations.mt.yaml").rename(project.path / "suites/probe.yaml")
    project.pytester.makeini("[pytest]\nmt_suites = suites/probe*.yaml\n")
    project.pytest().assert_outcomes(passed=4)


def test_without_the_plugin_suites_are_nothing(project):
    assert project.pytest("-p", "no:mtprobe", model=None, where="suites").ret == 5


def test_other_tests_run_beside_suites(project):
    project.pytester.makepyfile("def test_one(): pass")
    result = project.pytest(where=".")
    result.assert_outcomes(passed=5)
