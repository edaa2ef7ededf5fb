"""The JSON Schema says what the loader says, as far as a schema can."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

import mtprobe
from mtprobe.metrics import METRICS
from mtprobe.suite.format.schema import SCHEMA_ID
from mtprobe.suite.parsing.tree import read_tree
from mtprobe.suites import schema_text, suite_schema

COMMITTED = Path(mtprobe.__file__).parent / "suite" / "format" / "schema.json"
SHIPPED = sorted(Path(mtprobe.__file__).parent.parent.glob("suites/**/*.mt.yaml"))


@pytest.fixture(scope="module")
def validator():
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(suite_schema())
    return jsonschema.Draft202012Validator(suite_schema())


@pytest.fixture
def valid(validator, tmp_path):
    def valid(text: str) -> bool:
        path = tmp_path / "suite.mt.yaml"
        path.write_text(text, encoding="utf-8")
        return validator.is_valid(read_tree(path).value)

    return valid


def test_the_committed_schema_is_in_step_with_the_models():
    assert COMMITTED.read_text(encoding="utf-8") == schema_text(), (
        "run: mtprobe schema -o mtprobe/suite/format/schema.json"
    )


def test_it_names_its_dialect_and_explains_every_key():
    schema = json.loads(schema_text())
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == SCHEMA_ID  # never another one: suites name it
    assert schema["title"] == "mtprobe suite"
    for owner in (schema, *schema["$defs"].values()):
        assert owner["description"]
        for key, described in owner["properties"].items():
            assert described.get("description"), key


def test_its_id_is_where_the_repository_keeps_it():
    assert SCHEMA_ID.endswith(f"/main/{COMMITTED.relative_to(COMMITTED.parents[3]).as_posix()}")


def test_keys_are_spelled_as_in_a_suite():
    template = suite_schema()["$defs"]["Template"]["properties"]
    assert "except" in template
    assert "except_" not in template


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_the_shipped_suites_are_valid(validator, path):
    validator.validate(read_tree(path).value)


def test_a_good_suite_is_valid(valid, good):
    assert valid(good)


@pytest.mark.parametrize(
    "more",
    [
        "data: {file: a.jsonl}\n",
        "data: [{file: a.jsonl, attributes: [pos]}]\n",
        "slots: {a: [x, 1], b: {x: {rank: 1}, y: }, c: {file: a.txt}}\n",
        "generate: [{source: 'A {b}', slots: {b: [c]}, except: [{b: c}, {b: [c, d]}]}]\n",
        "attributes: {a: {x: pos == noun}}\n",
        "take: 5\nseed: 1\nties: correct\nexpect: each\nmarks: [nightly]\n",
        "    cues: {female: {correct: a, incorrect: [b, c]}}\n",
        "    targets: {pt-BR: {correct: a, incorrect: b}}\n    lemmas: {de: {good: a, bad: [b]}}\n",
    ],
)
def test_what_the_format_allows_is_valid(valid, good, more):
    assert valid(good + more)


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_may_be_gated(valid, good, metric):
    assert valid(good.replace("accuracy[female]", metric))
    assert valid(good.replace('accuracy[female]: ">= 0.60"', f'pt: {{{metric}: ">= 0.60 @95%"}}'))
    xfail = f'{metric}: {{bound: "<= 5%", xfail: {{reason: known, until: 2027-01-31}}}}'
    assert valid(good.replace('accuracy[female]: ">= 0.60"', xfail))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("languages:", "langages:"),
        ("  - source", "  - sorce"),
        ("{correct: man", "{corect: man"),
        ("mtprobe: 1", "mtprobe: 2"),
        ("method: contrastive", "method: contrastve"),
        ("method: contrastive-conditioning\n", ""),
        ("accuracy[female]", "acuracy[female]"),
        ('">= 0.60"', '"0.60"'),
        ('">= 0.60"', "0.60"),
        ('accuracy[female]: ">= 0.60"', 'pt: {acuracy: ">= 0.60"}'),
        ('accuracy[female]: ">= 0.60"', 'gap: {pt: ">= 0.60"}'),
        ("source: en", "source: english!"),
        ("{pos: noun, rank: 1}", "{pos: [noun]}"),
        ("samples:", "take: 0\nsamples:"),
        ("samples:", "seed: -1\nsamples:"),
        ("samples:", "expect: all\nsamples:"),
        ("samples:", "slots: {a: []}\nsamples:"),
        ("samples:", "slots: {a: {x: 5}}\nsamples:"),
        ("samples:", "data: [{fil: a}]\nsamples:"),
        ("    category: female", "    targets: {xx!: {correct: a, incorrect: b}}"),
    ],
)
def test_what_the_format_forbids_is_invalid(valid, good, right, wrong):
    assert not valid(good.replace(right, wrong, 1))


def test_a_suite_needs_samples(valid, head):
    assert not valid(head)


def test_the_schema_is_plain_json():
    assert yaml.safe_load(schema_text()) == suite_schema()
