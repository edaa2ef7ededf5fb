"""Filters on the English side, and how schemas are read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mtprobe.authoring.winograd.english import (
    ACTIVITY,
    ADJECTIVE,
    ANIMATE,
    COMPOUND,
    NOT_SUBJECT,
    OTHER_SENTENCE,
    PLURAL,
    positions,
    unfit,
)  # fmt: skip
from mtprobe.authoring.winograd.schema import Instance, read_schemas
from mtprobe.errors import Place, SuiteError
from tests.authoring.winograd.schemas import FILTERED, SCHEMAS, write_schemas


def instance(sentence, first="book", second="box", answer=0):
    return Instance("x-1", sentence, (first, second), answer, Place(Path("schemas.jsonl"), 1))


@pytest.mark.parametrize(
    ("sentence", "options", "reason"),
    [
        ("The book fell on the box because the _ was heavy.", ("book", "box"), None),
        ("The ring fell into the lens case as the _ suddenly broke.", ("ring", "case"), None),
        ("The book fell on the box, _ was heavy.", ("book", "box"), None),
        ("The teacher saw the box because the _ was big.", ("teacher", "box"), ANIMATE),
        ("Tom left Bob because _ was rude.", ("Tom", "Bob"), ANIMATE),
        ("The books fell on the box because the _ was heavy.", ("books", "box"), PLURAL),
        ("The data lay beside the book because the _ were new.", ("file", "book"), PLURAL),
        ("Cooking beats the game because the _ is fun.", ("cooking", "game"), ACTIVITY),
        ("The book fell on the box because the _ lid was loose.", ("book", "box"), COMPOUND),
        ("The book fell on the box because the _'s lid was loose.", ("book", "box"), COMPOUND),
        ("The book fell on the box because this _ was heavy.", ("book", "box"), COMPOUND),
        ("The book fell on the box because the heavy _ was old.", ("book", "box"), ADJECTIVE),
        ("The book fell on the box because he pushed the _.", ("book", "box"), NOT_SUBJECT),
        ("The book fell on the box. The _ was heavy.", ("book", "box"), OTHER_SENTENCE),
        ("The book fell on the shelf because the _ was heavy.", ("book", "box"), OTHER_SENTENCE),
    ],
)
def test_it_must_fit_into_the_gap(sentence, options, reason):
    assert unfit(instance(sentence, *options)) == reason


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        ("The book fell because the _ was heavy.", "The book fell because it was heavy."),
        ("The book fell because _ was heavy.", "The book fell because it was heavy."),
        ("The book fell. The _ was heavy.", "The book fell. It was heavy."),
        ("The book fell. _ was heavy.", "The book fell. It was heavy."),
    ],
)
def test_it_takes_the_place_of_the_gap_and_its_article(sentence, source):
    assert instance(sentence).source == source


def test_the_position_of_an_antecedent_is_that_in_the_sentence():
    sentence = "The book fell on the box because the _ was heavy."
    assert positions(instance(sentence)) == (1, 2)
    assert positions(instance(sentence, "box", "book")) == (2, 1)


def test_the_schemas_of_these_tests_are_read_and_filtered_as_they_were_meant(tmp_path):
    found = list(read_schemas(write_schemas(tmp_path / "schemas.jsonl")))
    assert len(found) == 2 * len(SCHEMAS)
    assert {one.schema for one in found if unfit(one) is not None} == set(FILTERED)


GOOD = {
    "qID": "a-1",
    "sentence": "The a hit the b as the _ fell.",
    "option1": "a",
    "option2": "b",
    "answer": "1",
}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sentence": "No gap."}, 'schemas.jsonl:2: sentence: needs exactly one gap, written "_"'),
        ({"sentence": "_ and _"}, "needs exactly one gap"),
        ({"answer": "3"}, "schemas.jsonl:2: answer"),
        ({"option2": " A "}, "option1 and option2 are the same"),
        ({"qID": "a-1"}, 'schemas.jsonl:2: duplicate qID "a-1" (first on line 1)'),
        ({"option1": None}, "option1"),
    ],
)
def test_a_malformed_schema_is_reported_with_its_line(tmp_path, change, said):
    path = tmp_path / "schemas.jsonl"
    broken = {**GOOD, "qID": "b-1", **change}
    path.write_text(f"{json.dumps(GOOD)}\n{json.dumps(broken)}\n", encoding="utf-8")
    with pytest.raises(SuiteError) as error:
        list(read_schemas(path))
    assert said in str(error.value)
