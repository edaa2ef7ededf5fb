"""Translating through the store"""

from __future__ import annotations

import pytest

from mtprobe.backends.protocols import LanguagePair
from mtprobe.backends.stored import translate_all
from mtprobe.errors import Failure, ModelError
from mtprobe.progress import Silent
from mtprobe.store import Store

SOURCES = ["one", "two", "three", "four"]


class Streaming:
    """Yields in any order, two at a time, and calls `end` after each step."""

    languages = LanguagePair("en", "de")
    fingerprint = "streaming"

    def __init__(self, end=lambda: None, omits=()):
        self.end, self.omits = end, omits
        self.closed = False

    def translate(self, _sources):
        raise AssertionError("it streams")

    def stream(self, sources):
        try:
            places = [place for place in reversed(range(len(sources))) if sources[place] not in self.omits]
            for pair in (places[:2], places[2:]):
                yield {place: sources[place].upper() for place in pair}
                self.end()
        finally:
            self.closed = True


def fails():
    raise ModelError("the key has expired")


def interrupted():
    raise KeyboardInterrupt


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "store.sqlite") as opened:
        yield opened


def test_what_is_streamed_finds_its_source(store):
    found = translate_all(Streaming(), SOURCES, store, Silent())
    assert found == {source: source.upper() for source in SOURCES}
    assert store.translations("streaming", SOURCES) == found


@pytest.mark.parametrize("end, kind", [(fails, ModelError), (interrupted, KeyboardInterrupt)])
def test_what_was_handed_over_before_the_end_is_kept(store, end, kind):
    backend = Streaming(end)
    with pytest.raises(kind):
        translate_all(backend, SOURCES, store, Silent())
    assert store.translations("streaming", SOURCES) == {"four": "FOUR", "three": "THREE"}
    assert backend.closed


def test_a_failure_is_not_kept(store):
    backend = Streaming()
    backend.stream = lambda sources: iter_of({place: Failure("no") for place in range(len(sources))})
    assert translate_all(backend, SOURCES, store, Silent())["one"] == Failure("no")
    assert store.translations("streaming", SOURCES) == {}


def iter_of(*things):
    yield from things


def test_a_source_without_a_translation_is_an_error(store):
    with pytest.raises(ModelError, match="1 of 4 sources got no translation"):
        translate_all(Streaming(omits=["two"]), SOURCES, store, Silent())
    assert len(store.translations("streaming", SOURCES)) == 3
