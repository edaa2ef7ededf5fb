"""A method of another package: named by a suite, with keys of its own, judged and reported like ours."""

from __future__ import annotations

import jsonschema
import pytest
import yaml

from mtprobe import suites
from mtprobe.cli import main
from tests.pytester.conftest import SUITE

ENTRY_POINTS = """\
[mtprobe.methods]
article = mtprobe_article:Article
"""
PACKAGE = '''
"""Reads the gender of a Portuguese translation from its first word."""

from typing import Literal

from mtprobe.methods import Evidence, Method, Outcome, Verdict
from mtprobe.suite.format.keys import MethodKeys


class ArticleKeys(MethodKeys):
    position: Literal["first", "last"] = "first"
    """Where the article is."""


class Article(Method):
    name = "article"
    about = "the gender of the article"
    keys = ArticleKeys

    def __init__(self, position="first"):
        self._position = position

    @property
    def details(self):
        return f"{self._position} word"

    def lacks(self, sample, target=None):
        return None if sample.category in ("male", "female") else "needs a gender as its category"

    def prepare(self, preparation):
        return Article(preparation.suite.options["position"])

    def judge(self, samples, ask):
        return [self._verdict(sample, text) for sample, text in samples]

    def _verdict(self, sample, text):
        word = text.split()[0 if self._position == "first" else -1]
        gender = {"A": "female", "O": "male"}.get(word)
        if gender is None:
            return Verdict(Outcome.UNDECIDED, f"no article: {word}")
        outcome = Outcome.CORRECT if gender == sample.category else Outcome.INCORRECT
        return Verdict(outcome, evidence=(Evidence(outcome.value, word),), reading=gender)
'''


@pytest.fixture
def article(install):
    install("mtprobe_article", ENTRY_POINTS, PACKAGE)
    suites.vocabulary.cache_clear()
    yield
    suites.vocabulary.cache_clear()


@pytest.mark.usefixtures("article")
def test_a_suite_is_judged_by_it_and_reported(project):
    project.change("method: contrastive-conditioning", "method: article")
    result = project.pytest("-v", "--mt-report=report.html", model="always_male")
    result.assert_outcomes(passed=1, failed=3)
    (suite,) = [line for line in project.record() if line["kind"] == "suite"]
    assert (suite["method"], suite["details"], suite["evaluator"]) == ("article", "first word", None)
    result.stdout.fnmatch_lines(["occupations · *· article*"])
    assert "article" in (project.path / "report.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("article")
def test_its_keys_reach_it_and_are_checked_with_their_line(project):
    project.change("method: contrastive-conditioning", "method: article\nposition: last")
    project.pytest()
    outcomes = {line["verdict"]["outcome"] for line in project.record() if line["kind"] == "sample"}
    assert outcomes == {"undecided"}
    project.change("position: last", "position: middle")
    project.pytest().stdout.fnmatch_lines(["*occupations.mt.yaml:6:1: position: must be 'first' or 'last'"])


@pytest.mark.usefixtures("article")
def test_it_stands_beside_our_methods(project):
    project.change("method: contrastive-conditioning", "methods: [contrastive-conditioning, article]")
    project.change('  gap: "<= 0.20"', '  accuracy@article: ">= 0.90"')
    project.pytest().assert_outcomes(passed=4)


@pytest.mark.usefixtures("article")
def test_it_is_in_the_schema_and_the_reference(capsys):
    valid = jsonschema.Draft202012Validator(suites.suite_schema()).is_valid
    suite = yaml.safe_load(SUITE) | {"method": "article", "position": "last"}
    assert valid(suite)
    assert not valid(suite | {"position": "middle"})
    assert main(["schema", "--markdown"]) == 0
    assert "`article`" in capsys.readouterr().out


def test_one_that_cannot_be_loaded_harms_only_suites_that_name_it(install, project):
    install("mtprobe_broken", "[mtprobe.methods]\nbroken = mtprobe_broken:Method\n", "import no_such_module")
    suites.vocabulary.cache_clear()
    project.pytest().assert_outcomes(passed=4)
    project.change("method: contrastive-conditioning", "method: broken")
    result = project.pytest()
    result.stdout.fnmatch_lines(['*mtprobe.methods: "broken" of mtprobe_broken 1.2 cannot be loaded: *'])
    suites.vocabulary.cache_clear()
