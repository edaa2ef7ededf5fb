"""Methods bring their own keys: read, checked, in the schema and in the reference."""

from __future__ import annotations

from typing import Literal

import pytest

from mtprobe.errors import MtprobeError, Place, Problem, SuiteError
from mtprobe.metrics import METRICS
from mtprobe.suite.format.keys import MethodKeys
from mtprobe.suite.format.reference import reference
from mtprobe.suite.format.schema import suite_schema
from mtprobe.suite.load import read_suite
from mtprobe.suite.vocabulary import Vocabulary
from mtprobe.suites import _metrics, vocabulary


class DiceKeys(MethodKeys):
    dice: Literal["fair", "loaded"] = "fair"
    """How the verdict is drawn."""
    throws: int = 1
    """How often."""

    @classmethod
    def problems(cls, suite):
        if suite.options["throws"] < 1:
            yield Problem(suite.place_of("throws"), "throws: must be at least 1")


def known(**methods) -> Vocabulary:
    return Vocabulary({**vocabulary().methods, **methods}, vocabulary().formats)


@pytest.fixture
def load(tmp_path, good):
    def load(more: str, words: Vocabulary | None = None):
        path = tmp_path / "test.mt.yaml"
        path.write_text(good + more)
        return read_suite(path, vocabulary=words or known(dice=DiceKeys))

    return load


def test_values_and_defaults_are_the_suites_options(load):
    suite = load("dice: loaded\n")
    assert suite.options == {
        "ties": None, "sentence_score": None, "question": None, "calibrate": False, "scoring": "sentence", "decide": None, "gender_rules": "grammar", "pooling": "best", "unmatched": "correct", "length_ratio": [0.4, 2.5], "terms": {}, "dice": "loaded", "throws": 1,
    }  # fmt: skip
    assert suite.place_of("dice") == Place(suite.path, 16, 1)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("dice: lucky\n", "16:1: dice: must be 'fair' or 'loaded'"),
        ("dicee: fair\n", '16:1: dicee: unknown key; did you mean "dice"?'),
        ("throws: 0\n", "16:1: throws: must be at least 1"),
    ],
)
def test_a_mistake_has_its_place(load, more, message):
    with pytest.raises(SuiteError) as raised:
        load(more)
    assert str(raised.value).endswith(message)


def test_a_key_of_a_method_that_is_not_installed_is_unknown(load):
    with pytest.raises(SuiteError, match="dice: unknown key"):
        load("dice: fair\n", known())


@pytest.mark.slow
def test_they_are_in_the_schema_and_in_the_reference():
    words = known(dice=DiceKeys)
    keys = suite_schema(words, _metrics())["properties"]
    assert keys["dice"]["enum"] == ["fair", "loaded"]
    assert "dice" in keys["method"]["enum"]
    assert "| `dice` | `fair` or `loaded` | `fair` | How the verdict is drawn. |" in reference(
        words, _metrics()
    )
    assert set(_metrics()) == set(METRICS)


def test_two_methods_may_share_a_key_that_they_declare_alike():
    class Same(MethodKeys):
        ties: Literal["correct", "incorrect"] | None = None
        """The same."""

    class Other(MethodKeys):
        ties: bool = False
        """Another."""

    assert suite_schema(known(same=Same), _metrics())
    with pytest.raises(MtprobeError, match='contrastive-conditioning and other declare "ties" differently'):
        suite_schema(known(other=Other), _metrics())


def test_a_method_cannot_take_a_key_of_every_suite():
    class Greedy(MethodKeys):
        name: str = "x"
        """Taken."""

    with pytest.raises(
        MtprobeError, match='the method greedy declares "name", which is a key of every suite'
    ):
        suite_schema(known(greedy=Greedy), _metrics())
