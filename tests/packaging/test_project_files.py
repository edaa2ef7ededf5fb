"""Files for citing, contributing and other tools: they are what those who read them expect"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib

import pytest
import yaml

import mtprobe
from mtprobe.cli.verbs import own_verbs
from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_citation_has_what_the_format_requires():
    """The required keys of the Citation File Format 1.2.0, of the software and of each reference."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= set(citation)
    assert citation["version"] == mtprobe.__version__ == PROJECT["version"]
    assert citation["license"] == PROJECT["license"]
    assert len(citation["references"]) == 4
    for reference in citation["references"]:
        assert {"type", "title", "authors", "year", "url"} <= set(reference)
        assert all({"family-names", "given-names"} == set(author) for author in reference["authors"])
        assert set(reference["conference"]) == {"name"}


def test_the_project_says_where_things_are():
    assert {"Homepage", "Documentation", "Repository", "Issues", "Changelog"} <= set(PROJECT["urls"])
    assert all(url.startswith("https://github.com/mtprobe/mtprobe") for url in PROJECT["urls"].values())


def test_classifiers_name_the_oldest_python_that_is_allowed():
    versions = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if "Python :: 3." in line]
    assert PROJECT["requires-python"] == f">={versions[0]}"
    assert f"{sys.version_info.major}.{sys.version_info.minor}" in versions


@pytest.mark.slow
def test_the_pre_commit_hook_checks_suites_only(tmp_path):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert {"id", "name", "entry", "language"} <= set(hook)
    program, verb = hook["entry"].split()
    assert (program, hook["id"]) == ("mtprobe", "mtprobe-lint")
    assert verb in {own.name for own in own_verbs()}

    good, bad = tmp_path / "good.mt.yaml", tmp_path / "bad.mt.yaml"
    shutil.copyfile(ROOT / "suites/pt-en/pronouns.mt.yaml", good)
    bad.write_text(good.read_text("utf-8").replace("categories:", "categoris:"), "utf-8")
    lint = [sys.executable, "-c", "from mtprobe.cli import main; raise SystemExit(main())", verb]
    assert subprocess.run([*lint, good], capture_output=True).returncode == 0
    assert subprocess.run([*lint, good, bad], capture_output=True).returncode == 1


def test_people_find_how_to_contribute_and_how_to_report_a_weakness():
    contributing = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    for command in ("make test", "make test-slow", "make lint", "make test-oldest", "make test-python"):
        assert command in contributing
        assert f"\n{command.split()[1]}:" in (ROOT / "Makefile").read_text("utf-8")
    assert "security" in (ROOT / "SECURITY.md").read_text("utf-8").casefold()
