"""opus-mt-en-fr translates greedily with drafts as it does without, alone or together."""

from __future__ import annotations

import pytest

from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.engine.search.drafts import Greedy, translate_with_drafts
from mtprobe.engine.search.siblings import Siblings
from mtprobe.suites import load_suite
from tests.conftest import ROOT

SUITES = ("gender/occupations", "robustness/preserve", "wsd/everyday-words")


@pytest.fixture(scope="module")
def engine(models):
    spec = ModelSpec.parse(f"hf:{models / 'opus-mt-en-fr'}?beams=1")
    return open_backend(spec, OpenRequest(source="en", target="fr")).engine


@pytest.fixture(scope="module")
def sources(engine):
    texts = []
    for name in SUITES:
        texts += [sample.source for sample in load_suite(ROOT / "suites" / f"{name}.mt.yaml").samples[:40]]
    return list(dict.fromkeys(engine.source_tokens(text) for text in texts))


@pytest.fixture(scope="module")
def plain(engine, sources):
    return engine.plain(sources)


def test_drafts_do_not_change_translations(engine, sources, plain):
    assert engine.translating == ("search", "drafts")
    assert engine.translate(sources) == plain
    assert engine.translate(sources[::-3]) == plain[::-3]


def test_most_are_decided_with_drafts(engine, sources):
    settings = Greedy.of(engine._decoding, tuple(engine.tokenizer.prefix))
    found = translate_with_drafts(engine._drafts, Siblings(), sources, settings)
    assert sum(tokens is None for tokens in found) <= len(found) / 10
