from __future__ import annotations

from dataclasses import replace

from mtprobe.compare.counterpart import counterpart
from tests.report.factory import MODEL, a_suite

WANTED = {
    "suite": "occupations",
    "method": "contrastive-conditioning",
    "source": "en",
    "target": "pt",
    "model": "demo",
    "only": True,
}


def named(name):
    return a_suite(model=replace(MODEL, name=name))


def test_the_model_of_the_same_name_is_taken():
    earlier = [named("other"), named("demo")]
    assert counterpart(earlier, **WANTED) is earlier[1]


def test_the_only_model_may_be_called_otherwise():
    earlier = [named("release-3")]
    assert counterpart(earlier, **WANTED) is earlier[0]
    assert (
        counterpart(earlier, **{**WANTED, "only": False})
        == "occupations was asked of release-3, none of which is demo"
    )


def test_of_several_models_none_is_guessed():
    assert "asked of a, b, none of which is demo" in counterpart([named("a"), named("b")], **WANTED)


def test_what_is_missing_is_told():
    earlier = [a_suite()]
    assert counterpart(earlier, **{**WANTED, "suite": "words"}) == 'it has no suite "words"'
    assert "judged by contrastive-conditioning, not by lexicon" in counterpart(
        earlier, **{**WANTED, "method": "lexicon"}
    )
    assert "asked for en→pt, not for en→de" in counterpart(earlier, **{**WANTED, "target": "de"})


def test_a_region_is_the_same_language():
    earlier = [a_suite()]
    assert counterpart(earlier, **{**WANTED, "target": "pt-BR"}) is earlier[0]
