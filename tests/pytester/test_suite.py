"""--mt-suite: suites that come with mtprobe"""

from __future__ import annotations

import pytest

MODEL = ("--mt-model=python:toys:fair", "--mt-source=en", "--mt-target=pt", "--mt-take=2")


@pytest.fixture
def listed(project):
    """The ids that pytest collects."""

    def collect(*args, model=True):
        found = project.pytester.runpytest_inprocess(
            "-p", "no:hypothesispytest", "--collect-only", "-q", *(MODEL if model else ()), *args
        )
        return [line for line in found.outlines if "::" in line]

    project.pytester.makepyfile("def test_mine(): pass")
    return collect


@pytest.mark.slow
def test_a_suite_runs_by_its_name_from_any_folder(project):
    result = project.pytester.runpytest_inprocess(
        "-p", "no:hypothesispytest", "--mt-suite=lexicon", "--mt-model=demo", "--mt-take=5", "-v"
    )
    result.stdout.fnmatch_lines(["mtprobe:lexicon/ambiguous-words.mt.yaml::degenerate* PASSED*"])


def test_without_a_path_only_the_named_suites_are_collected(listed):
    ids = listed("--mt-suite=gender/neutral")
    assert {id.partition("::")[0] for id in ids} == {"mtprobe:gender/neutral.mt.yaml"}


def test_the_project_is_collected_beside_them_if_it_is_asked_for(listed):
    files = {id.partition("::")[0] for id in listed("--mt-suite=gender/neutral", ".")}
    assert {file.rpartition("/")[2] for file in files} == {
        "neutral.mt.yaml", "occupations.mt.yaml", "test_the_project_is_collected_beside_them_if_it_is_asked_for.py",
    }  # fmt: skip


def test_names_may_be_repeated_and_may_be_folders(listed):
    ids = listed("--mt-suite=wsd", "--mt-suite=gender", "--mt-suite=gender/neutral")
    assert list(dict.fromkeys(id.partition("::")[0] for id in ids)) == [
        "mtprobe:wsd/everyday-words.mt.yaml",
        "mtprobe:gender/neutral.mt.yaml",
        "mtprobe:gender/occupations.mt.yaml",
        "mtprobe:gender/two-people.mt.yaml",
    ]
    assert len(ids) == len(set(ids))


@pytest.mark.slow
def test_all_is_every_shipped_suite(listed, shipped_suites):
    assert len({id.partition("::")[0] for id in listed("--mt-suite=all")}) == len(shipped_suites)


def test_an_id_can_be_given_as_a_path(listed):
    id = "mtprobe:gender/occupations.mt.yaml::minimum_accuracy"
    assert listed(id) == [id]
    assert listed("mtprobe:gender/neutral") == listed("--mt-suite=gender/neutral")


def test_they_are_selected_like_any_item(listed):
    ids = listed("--mt-suite=gender", "-k", "two-people and minimum")
    assert ids == ["mtprobe:gender/two-people.mt.yaml::minimum_accuracy"]


def test_the_last_failures_run_again(project):
    args = (
        "-p",
        "no:hypothesispytest",
        *MODEL,
        "--mt-suite=gender/neutral",
        "--mt-set",
        "gender-neutral-occupations:degenerate=> 1",
    )
    project.pytester.runpytest_inprocess(*args)
    again = project.pytester.runpytest_inprocess("-q", "--lf", "--collect-only", *args)
    assert "mtprobe:gender/neutral.mt.yaml::degenerate" in again.outlines


@pytest.mark.slow
def test_with_xdist_the_ids_are_the_same(project):
    args = ("-p", "no:hypothesispytest", "--mt-suite=lexicon", "--mt-model=demo", "--mt-take=5", "-v")
    result = project.pytester.runpytest_subprocess(*args, "-n", "1")
    result.stdout.fnmatch_lines(["*PASSED mtprobe:lexicon/ambiguous-words.mt.yaml::degenerate*"])
    assert "test_mine" not in result.stdout.str()


def test_the_ini_file_adds_suites_to_what_is_collected_without_paths(project, listed):
    project.pytester.makeini("[pytest]\nmt_suite =\n    gender/neutral\n    wsd\n")
    files = {id.partition("::")[0].rpartition("/")[2] for id in listed()}
    assert {"neutral.mt.yaml", "everyday-words.mt.yaml", "occupations.mt.yaml"} < files
    assert {id.partition("::")[0] for id in listed("suites")} == {"suites/occupations.mt.yaml"}
    assert {id.partition("::")[0] for id in listed("--mt-suite=lexicon")} == {
        "mtprobe:lexicon/ambiguous-words.mt.yaml"
    }


@pytest.mark.parametrize("argument", ["--mt-suite=gendr", "mtprobe:gendr"])
def test_a_typo_is_a_usage_error_with_the_list(project, argument):
    result = project.pytester.runpytest_inprocess(argument, *MODEL)
    assert result.ret == 4
    result.stderr.fnmatch_lines(
        ['*--mt-suite: there is no shipped suite "gendr"; did you mean "gender"?*all, *gender, *']
    )


def test_without_a_model_it_is_a_usage_error(project):
    result = project.pytester.runpytest_inprocess("--mt-suite=gender")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*suites need a model: name one with --mt-model*"])


def test_a_suite_of_the_source_tree_keeps_the_id_of_its_path(pytester, shipped_suites):
    result = pytester.runpytest_inprocess("--collect-only", "-q", "--mt-model=demo", str(shipped_suites[-1]))
    assert not any("mtprobe:" in line for line in result.outlines if "::" in line)
