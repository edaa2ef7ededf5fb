"""Scores do not depend on how a model searches for translations, so decoding options do not make new ones"""

from __future__ import annotations

import mtprobe
from mtprobe.backends.concat import Concatenating
from mtprobe.backends.ensemble import Ensemble
from mtprobe.backends.model import Model
from mtprobe.backends.scorer import ScorePair
from mtprobe.backends.stored import score_all, scoring_fingerprint_of, translate_all
from mtprobe.progress import Silent
from mtprobe.store import Store

PAIR = ScorePair("The doctor has arrived.", "A médica chegou.")


def backend(spec):
    return mtprobe.open_model(spec).backend


def test_of_the_default_search_it_is_the_fingerprint_so_that_stored_scores_stay_valid():
    demo = backend("demo")
    assert scoring_fingerprint_of(demo) == demo.fingerprint


def test_models_that_differ_in_their_search_share_it():
    demo, beams = backend("demo"), backend("demo?beams=4&max_length=100")
    assert demo.fingerprint != beams.fingerprint
    assert scoring_fingerprint_of(beams) == scoring_fingerprint_of(demo)


def test_they_share_scores_in_the_store_but_not_translations(tmp_path):
    demo, beams = backend("demo"), backend("demo?beams=4")
    with Store(tmp_path / "store.sqlite") as store:
        scores = score_all(demo, [PAIR], store, Silent())
        translate_all(demo, [PAIR.source], store, Silent())
        assert store.scores(scoring_fingerprint_of(beams), [PAIR]) == {PAIR: scores[PAIR]}
        assert not store.translations(beams.fingerprint, [PAIR.source])


def test_wrapped_and_combined_models_pass_it_on():
    demo, beams = backend("demo"), backend("demo?beams=4")
    assert scoring_fingerprint_of(Concatenating(beams, " ")) == f"concat:' ':{demo.fingerprint}"
    assert scoring_fingerprint_of(Ensemble([beams])) == f"ensemble: {demo.fingerprint}"


def test_facts_say_from_the_store_only_where_the_store_gave_something(tmp_path):
    model = Model("demo", backend("demo"))
    assert model.facts().provider == ""
    with Store(tmp_path / "store.sqlite") as store:
        assert model.facts(store).provider == ""
        score_all(backend("demo"), [PAIR], store, Silent())
        score_all(model.backend, [PAIR], store, Silent())
        assert model.facts(store).provider == "from the store"
        assert Model("beams", backend("demo?beams=4")).facts(store).scoring == model.backend.fingerprint
