"""The demo model translates the sentences of shipped suites with drafts as it does without."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from mtprobe.backends.device import Device
from mtprobe.backends.protocols import OpenRequest
from mtprobe.engine.build import bergamot_definition
from mtprobe.engine.demo import open_demo
from mtprobe.engine.engines import FirefoxEngine
from mtprobe.engine.firefox import FirefoxSearch
from mtprobe.engine.search.drafts import Greedy, translate_with_drafts
from mtprobe.engine.search.siblings import Siblings
from mtprobe.suites import load_suite
from tests.conftest import ROOT

SUITES = ("gender/occupations", "robustness/preserve", "wsd/everyday-words")


@pytest.fixture(scope="module")
def suite_sources(engine) -> list[tuple[int, ...]]:
    texts = []
    for name in SUITES:
        samples = load_suite(ROOT / "suites" / f"{name}.mt.yaml").samples
        texts += [sample.source for sample in samples[:60]]
    return list(dict.fromkeys(engine.source_tokens(text) for text in texts))


@pytest.fixture(scope="module")
def plain(engine, suite_sources):
    return dict(zip(suite_sources, engine.plain(suite_sources), strict=True))


@pytest.mark.slow
def test_drafts_do_not_change_translations(engine, suite_sources, plain):
    assert engine.translating == ("greedy", "drafts")
    assert dict(zip(suite_sources, engine.translate(suite_sources), strict=True)) == plain


def test_neither_do_the_order_and_the_other_sentences(engine, suite_sources, plain):
    for some in (suite_sources[::-4], suite_sources[3::3], suite_sources[5:6]):
        assert engine.translate(some) == [plain[source] for source in some]


def test_nearly_all_are_decided_with_drafts(engine, suite_sources):
    settings = Greedy.of(engine._decoding, tuple(engine.tokenizer.prefix))
    found = translate_with_drafts(engine._drafts, Siblings(), suite_sources, settings)
    assert sum(tokens is None for tokens in found) <= len(found) / 20


@pytest.mark.slow
def test_a_translation_ends_at_the_maximum_length(demo_files, suite_sources, plain):
    definition = bergamot_definition(demo_files, longest=513)
    short = FirefoxEngine(demo_files, definition, Device("cpu"), None, FirefoxSearch(max_length=9))
    assert short.translate(suite_sources) == [plain[source][:9] for source in suite_sources]


@pytest.mark.parametrize("dtype", ["int8"])
def test_other_number_formats_translate_without_drafts(dtype):
    engine = open_demo("", OpenRequest(dtype=dtype)).engine
    assert engine.translating == ("greedy",)


def test_beams_are_searched_without_drafts(demo_files):
    definition = bergamot_definition(demo_files, longest=513)
    engine = FirefoxEngine(demo_files, definition, Device("cpu"), None, FirefoxSearch(beams=2))
    assert engine.translating == ("search",)


@pytest.mark.slow
def test_several_threads_may_translate_at_once(engine, suite_sources, plain):
    with ThreadPoolExecutor(3) as threads:
        by_thread = list(threads.map(engine.translate, [suite_sources, suite_sources[::-1], suite_sources]))
    expected = [plain[source] for source in suite_sources]
    assert by_thread == [expected, expected[::-1], expected]
