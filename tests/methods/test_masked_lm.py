from __future__ import annotations

import pytest

from mtprobe.methods.masked_lm import MaskedLM
from mtprobe.methods.verdict import Outcome
from tests.methods.asking import verdict_of
from tests.methods.test_contrastive_conditioning import suite
from tests.methods.test_minimal_pairs import sample

METHOD = MaskedLM()


def judged(*, ties=None, **scores):
    """Scores by the first word of a target."""
    table = {"Ele": -1.0, "Ela": -2.0, "Isso": -3.0, **scores}
    return verdict_of(METHOD, sample(), suite(ties), lambda pair: (table[pair.target.split()[0]],), None)


def test_the_right_sentence_must_have_the_lowest_pseudo_perplexity():
    assert judged().outcome is Outcome.CORRECT
    assert judged(Isso=-0.9).outcome is Outcome.INCORRECT


def test_a_tie_is_wrong_unless_the_suite_says_otherwise():
    assert judged(Ela=-1.0).outcome is Outcome.INCORRECT
    assert judged(Ela=-1.0, ties="correct").outcome is Outcome.CORRECT


def test_the_evidence_has_the_variants_of_each_filler():
    assert [(one.side, one.attributes["gender"]) for one in judged().evidence] == [
        ("correct", "masculine"),
        ("incorrect", "feminine"),
        ("incorrect", "neuter"),
    ]


@pytest.mark.parametrize(("target", "lacks"), [("pt-BR", False), ("de", True), (None, False)])
def test_fillers_serve_models_of_their_language(target, lacks):
    assert bool(METHOD.lacks(sample(), target)) is lacks
    assert METHOD.lacks(sample(None), target) is not None
