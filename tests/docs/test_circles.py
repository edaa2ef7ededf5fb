"""Documentation does not test a model with what the same model wrote, unless it says so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = [*(Path(__file__).parents[2] / "docs").rglob("*.md"), Path(__file__).parents[2] / "README.md"]
COMMANDS = re.compile(r"(?:^ {4}.*\n)+|^```sh\n(?:.*\n)*?```", re.MULTILINE)
WRITES = re.compile(r"mtprobe pairs\b.*--from-model[ =](\S+)|mtprobe winograd (\S+)")
TESTS = re.compile(r"--mt-model[ =](\S+)")


@pytest.mark.parametrize("page", DOCS, ids=lambda page: page.name)
def test_no_example_tests_the_model_that_wrote_the_pairs(page):
    text = page.read_text(encoding="utf-8")
    admitted = page.parent.name == "studies" and "own translations" in " ".join(text.split())
    for block in COMMANDS.findall(text):
        writers = {first or second for first, second in WRITES.findall(block)}
        assert admitted or not writers & set(TESTS.findall(block)), block


def test_the_pages_that_make_pairs_are_among_them():
    text = "".join(page.read_text(encoding="utf-8") for page in DOCS)
    assert len(WRITES.findall(text)) >= 2
