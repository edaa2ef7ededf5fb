"""The reference of the suite format: in step with the models, and what it shows is true."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

import mtprobe
from mtprobe.datasets import FORMATS
from mtprobe.suite.format import data, evidence, suite, template
from mtprobe.suite.format.evidence import SampleModel
from mtprobe.suite.format.fields import Strict
from mtprobe.suite.format.reference import SECTIONS, TYPES
from mtprobe.suite.format.suite import suite_model
from mtprobe.suite.parsing.tree import read_tree
from mtprobe.suite.samples.focus import insert_cue, read_marks
from mtprobe.suites import formats_reference, load_suite, reference, vocabulary

PAGE = Path(mtprobe.__file__).parent.parent / "docs" / "reference" / "suite-format.md"
PART = reference()
TEXT = PART + formats_reference()
EXAMPLES = re.findall(r"```yaml\n(.*?)```", TEXT, flags=re.DOTALL)


def test_the_page_is_in_step_with_the_models():
    if not PAGE.parent.is_dir():
        pytest.skip("installed without its docs")
    assert PAGE.read_text(encoding="utf-8") == PART, (
        "run: mtprobe schema --markdown -o docs/reference/suite-format.md"
    )


def test_every_model_has_a_section_and_every_key_a_row():
    models = [
        owner
        for module in (data, evidence, suite, template)
        for owner in vars(module).values()
        if isinstance(owner, type)
        and issubclass(owner, Strict)
        and not owner.__name__.startswith(("_", "Strict"))
    ]
    assert {*models} == {*SECTIONS}
    for owner in [*models, *(format.entry for format in FORMATS.values()), suite_model(vocabulary())]:
        for name, field in owner.model_fields.items():
            assert f"| `{field.alias or name}` |" in TEXT
            assert field.description


def test_every_type_in_plain_words_belongs_to_a_key():
    owners = {owner.__name__: owner for owner in SECTIONS} | {"SuiteModel": suite_model(vocabulary())}
    for owner, keys in TYPES.items():
        assert {*keys} <= {field.alias or name for name, field in owners[owner].model_fields.items()}


def test_no_row_says_nothing_of_what_stands_there():
    assert not re.findall(r"^\| `[^|]*` \|\s*\|", TEXT, flags=re.MULTILINE)
    assert "«" not in TEXT


def test_links_inside_the_page_lead_somewhere():
    for page in (PART, formats_reference()):
        headings = re.findall(r"^#+ (.*)$", page, flags=re.MULTILINE)
        anchors = {re.sub(r"[^\w-]", "", heading.lower().replace(" ", "-")) for heading in headings}
        assert {*re.findall(r"\]\(#([^)]*)\)", page)} <= anchors
        assert len({*headings}) == len(headings)


def test_the_page_has_one_title():
    """An example whose first line lost its indentation would be another."""
    prose = re.sub(r"^```.*?^```$", "", TEXT, flags=re.MULTILINE | re.DOTALL)
    assert re.findall(r"^# (.*)$", prose, flags=re.MULTILINE) == ["The suite format"]
    assert re.findall(r"^ {4}# nouns\.yaml$", TEXT, flags=re.MULTILINE)


def test_every_key_is_once_in_a_table_and_in_the_index():
    tables, _, index = PART.partition("## Index of keys")
    for owner in SECTIONS:
        for name, field in owner.model_fields.items():
            key = field.alias or name
            assert f" `{key}` [" in index
            if owner is suite.SuiteModel:
                top = tables.partition("## The suite\n")[2].partition("### Languages\n")[0]
                assert top.count(f"\n| `{key}` | ") == 1
    keys = re.findall(r"[-·] `(\w+)` ", index)
    assert keys == sorted({*keys})


@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: text.strip().partition("\n")[0])
def test_the_examples_are_right(text, tmp_path):
    path = tmp_path / "example.mt.yaml"
    path.write_text(text, encoding="utf-8")
    if text.startswith("mtprobe: 1"):
        assert load_suite(path).samples
    else:
        part = read_tree(path).value
        assert _part_of(suite_model(vocabulary()), part) or _part_of(SampleModel, part)


def _part_of(owner: type[BaseModel], part: dict[str, Any]) -> bool:
    """Whether nothing is wrong with the keys that are there."""
    try:
        owner.model_validate(part)
    except ValidationError as error:
        return all(details["type"] == "missing" and len(details["loc"]) == 1 for details in error.errors())
    return True


def test_the_table_of_cues_is_true():
    rows = re.findall(r"^\| (.*\\<.*\\>.*) \| `(.*)` \| (.*) \|$", TEXT, flags=re.MULTILINE)
    assert len(rows) >= 5
    for source, cue, made in rows:
        marked = read_marks(source.replace("\\<", "<").replace("\\>", ">"))
        assert insert_cue(marked.text, marked.focus, cue, "en") == made
