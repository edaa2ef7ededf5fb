"""The documentation site builds strictly, and its reference has everything that mtprobe has."""

from __future__ import annotations

import argparse
import html
import re

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

import mtprobe
from mtprobe.cli.verbs import own_verbs
from mtprobe.datasets.registry import FORMATS
from mtprobe.methods import METHODS
from mtprobe.metrics import METRICS
from mtprobe.records.lines import KINDS

from .blocks import ROOT


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Built with `strict`: a broken link or anchor, and a page that the navigation lacks, raise an error."""
    folder = tmp_path_factory.mktemp("site")
    build(load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder), strict=True))
    return folder


@pytest.fixture(scope="module")
def page(site):
    """The text of a page of the reference."""

    def text(name: str) -> str:
        return html.unescape((site / "reference" / name / "index.html").read_text(encoding="utf-8"))

    return text


def test_every_option_is_in_the_reference(page, pytester):
    text = page("options")
    for flag in re.findall(r"--mt-[a-z-]+(?=[ =])", pytester.runpytest("--help").stdout.str()):
        assert flag in text
    assert "mt_suites" in text
    assert "lemmatiser" not in text


def test_every_verb_is_in_the_reference_with_all_its_arguments(page):
    text = page("commands")
    for verb in own_verbs():
        assert f'id="mtprobe-{verb.name}"' in text
        parser = argparse.ArgumentParser()
        verb.load().arguments(parser)
        for flag in re.findall(r"(?<=[\s\[,])--[a-z-]+", parser.format_help()):
            assert flag in text


@pytest.mark.parametrize(
    "name, things",
    [
        ("methods", METHODS),
        ("metrics", METRICS),
        ("formats", FORMATS),
        ("record", KINDS),
        ("python", mtprobe.__all__),
    ],
)
def test_everything_with_a_name_is_in_the_reference(page, name, things):
    text = page(name)
    assert [thing for thing in things if thing not in text] == []


@pytest.mark.parametrize("name", ["options", "commands", "metrics", "formats", "record"])
def test_everything_in_the_reference_is_described(page, name):
    """A help text, a comment or a docstring on the object itself."""
    rows = re.findall(r"<tr>\n(.*?)</tr>", page(name), re.DOTALL)
    cells = [
        [re.sub(r"<.*?>", "", cell) for cell in re.findall(r"<td.*?>(.*?)</td>", row, re.DOTALL)]
        for row in rows
    ]
    meaning = {"metrics": 1, "formats": 1}.get(name, -1)
    assert [row[0] for row in cells if row and not row[meaning].strip()] == []


def test_tables_show_neither_backslashes_nor_missing_defaults(site):
    for path in site.rglob("*.html"):
        codes = re.findall(r"<td[^>]*><code>(.*?)</code>", path.read_text(encoding="utf-8"))
        assert [code for code in codes if "\\|" in code or "PydanticUndefined" in code] == []


def test_defaults_of_functions_are_written_as_in_python(page):
    text = re.sub(r"<.*?>", "", page("python"))
    assert "device: str = 'auto'" in text
    assert "evaluator: Evaluators | Mapping[str, Evaluators] | None = None" in text


def test_a_method_without_keys_has_no_table_of_them(page):
    assert "<tbody>\n</tbody>" not in page("methods")


def test_nothing_is_loaded_from_elsewhere(site):
    for path in site.rglob("*.html"):
        loaded = re.findall(
            r"<(?:script|link|img)[^>]*(?:src|href)=\"?(https?://[^\" >]+)", path.read_text(encoding="utf-8")
        )
        assert loaded == []


def test_hooks_and_their_code_are_not_published(site):
    assert not list(site.rglob("*.py"))
    assert (site / "pictures" / "example.png").is_file()
