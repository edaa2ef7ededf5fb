"""Each kind on sentences written by hand: what becomes a pair, and what must not."""

from __future__ import annotations

import pytest

from mtprobe.authoring.pairs import KINDS, kinds_of, open_kind
from mtprobe.errors import MtprobeError
from tests.authoring.pairs.conftest import EXAMPLES, wrong_targets

PAIRS = [
    pytest.param(language, kind, *pair, id=f"{language}-{kind}-{pair[2]}")
    for language, kinds in EXAMPLES.items()
    for kind, held in kinds.items()
    for pair in held["pairs"]
]
NONE = [
    pytest.param(language, kind, *pair, id=f"{language}-{kind}-{pair[1]}")
    for language, kinds in EXAMPLES.items()
    for kind, held in kinds.items()
    for pair in held["none"]
]


@pytest.mark.parametrize(("language", "kind", "source", "target", "wrong"), PAIRS)
def test_the_wrong_variant_is_the_expected_one(language, kind, source, target, wrong):
    assert wrong in wrong_targets(kind, language, source, target)


@pytest.mark.parametrize(("language", "kind", "source", "target"), NONE)
def test_what_is_unsure_makes_no_pair(language, kind, source, target):
    assert wrong_targets(kind, language, source, target) == []


@pytest.mark.parametrize("language", EXAMPLES)
def test_every_kind_of_a_language_has_examples_and_counter_examples(language):
    assert set(EXAMPLES[language]) == set(kinds_of(language))
    for held in EXAMPLES[language].values():
        assert len(held["pairs"]) >= 5
        assert len(held["none"]) >= 3


def test_a_language_without_the_phenomenon_says_why():
    assert set(kinds_of("de")) == set(KINDS)
    assert set(KINDS) - set(kinds_of("pt-BR")) == {"hypercorrect-genitive"}
    with pytest.raises(MtprobeError, match="hypercorrect-genitive: Portuguese nouns have no cases"):
        open_kind("hypercorrect-genitive", "pt")
    with pytest.raises(MtprobeError, match="pairs can be made for de and pt, not for fr"):
        open_kind("placeholder-noun", "fr")
    with pytest.raises(MtprobeError, match='no kind "negation"; did you mean "negation-particle"'):
        open_kind("negation", "de")
