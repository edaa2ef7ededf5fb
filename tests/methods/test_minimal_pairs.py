from __future__ import annotations

from dataclasses import replace

import pytest

from mtprobe.errors import Failure
from mtprobe.methods.minimal_pairs import MinimalPairs
from mtprobe.methods.verdict import TRANSLATION, Outcome
from mtprobe.suite import Contrast
from mtprobe.suite.sample import Variants
from tests.methods.asking import verdict_of
from tests.methods.test_contrastive_conditioning import sample as any_sample
from tests.methods.test_contrastive_conditioning import suite

METHOD = MinimalPairs()
GENDERS = {"gender": Variants(("masculine",), ("feminine", "neuter"))}
TARGETS = {"pt": Contrast(("Ele caiu.",), ("Ela caiu.", "Isso caiu."), GENDERS)}


def sample(targets=TARGETS):
    return replace(any_sample(), targets=targets)


def judged(*, ties=None, translation="Caiu.", **scores):
    """Scores by the first word of a target."""
    table = {"Ele": -1.0, "Ela": -2.0, "Isso": -3.0, "Caiu.": -0.5, **scores}
    return verdict_of(
        METHOD, sample(), suite(ties), lambda pair: (table[pair.target.split()[0]],), translation
    )


def test_the_right_target_must_beat_every_wrong_one():
    assert judged().outcome is Outcome.CORRECT
    assert judged(Isso=-0.9).outcome is Outcome.INCORRECT


def test_a_tie_is_correct_unless_the_suite_says_otherwise():
    assert judged(Ela=-1.0).outcome is Outcome.CORRECT
    assert judged(Ela=-1.0, ties="incorrect").outcome is Outcome.INCORRECT


def test_targets_carry_their_variants_and_the_own_translation_is_scored_too():
    evidence = judged().evidence
    assert [(one.side, one.attributes.get("gender"), one.score) for one in evidence] == [
        ("correct", "masculine", -1.0),
        ("incorrect", "feminine", -2.0),
        ("incorrect", "neuter", -3.0),
        (TRANSLATION, None, -0.5),
    ]
    assert judged().margin == 1.0


def test_without_a_translation_the_targets_are_judged_all_the_same():
    verdict = judged(translation=None)
    assert verdict.outcome is Outcome.CORRECT
    assert TRANSLATION not in {one.side for one in verdict.evidence}


def test_a_score_that_cannot_be_had_is_an_error():
    verdict = verdict_of(METHOD, sample(), suite(), lambda _: Failure("too long"))
    assert (verdict.outcome, verdict.reason) == (Outcome.ERROR, "could not be scored: too long")


@pytest.mark.parametrize(("target", "lacks"), [("pt-BR", False), ("de", True), (None, False)])
def test_targets_serve_models_into_their_language(target, lacks):
    assert bool(METHOD.lacks(sample(), target)) is lacks
    assert METHOD.lacks(sample(None), target) is not None
