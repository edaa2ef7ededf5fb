"""Requests: a text, with context and a repeat number for backends that take them"""

from __future__ import annotations

import pytest

import mtprobe
from mtprobe.backends import (
    Failure,
    LanguagePair,
    ModelError,
    OpenRequest,
    Request,
    can_translate,
    inputs_for,
)
from mtprobe.backends.costs import costs_of
from mtprobe.backends.model import Model
from mtprobe.backends.protocols import Estimate
from mtprobe.backends.python import open_function
from mtprobe.backends.stored import translate_all, translations_of
from mtprobe.progress import Silent
from mtprobe.store import Store

IN_CONTEXT = Request("It is old.", context=("I have a house.", "Look."))
AGAIN = Request("It is old.", repeat=1)
PLAIN = Request("It is old.")


class TakesRequests:
    languages = LanguagePair("en", "de")
    fingerprint = "requests"
    takes_requests = True

    def __init__(self):
        self.given = []

    def translate(self, requests):
        self.given += requests
        return [f"{len(one.context)} {one.repeat} {one.text}" for one in requests]

    def estimate(self, requests):
        return Estimate(sum(len(one.text) for one in requests), 1.0, "by request")


class TakesStrings:
    languages = LanguagePair("en", "de")
    fingerprint = "strings"

    def __init__(self):
        self.given = []

    def translate(self, sources):
        self.given += sources
        return [f"{number} {source.upper()}" for number, source in enumerate(sources)]


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "store.sqlite") as opened:
        yield opened


def test_a_backend_that_takes_requests_gets_context_and_repeat(store):
    backend = TakesRequests()
    translations = translate_all(backend, [IN_CONTEXT, AGAIN, PLAIN], store, Silent())
    assert backend.given == [IN_CONTEXT, AGAIN, PLAIN]
    assert translations == {
        IN_CONTEXT: "2 0 It is old.",
        AGAIN: "0 1 It is old.",
        PLAIN: "0 0 It is old.",
    }
    assert translate_all(backend, [PLAIN, AGAIN, IN_CONTEXT], store, Silent()) == translations
    assert len(backend.given) == 3, "they are in the store"


def test_texts_are_requests_without_context_to_it():
    backend = TakesRequests()
    assert translate_all(backend, ["It is old."], None, Silent()) == {"It is old.": "0 0 It is old."}
    assert backend.given == [PLAIN]


def test_a_backend_that_takes_strings_gets_the_text_of_each_repeat():
    backend = TakesStrings()
    translations = translate_all(backend, [PLAIN, AGAIN], None, Silent())
    assert backend.given == ["It is old.", "It is old."]
    assert translations == {PLAIN: "0 IT IS OLD.", AGAIN: "1 IT IS OLD."}


def test_a_backend_that_takes_strings_cannot_translate_in_context():
    backend = TakesStrings()
    with pytest.raises(ModelError, match="strings cannot translate in context"):
        list(translations_of(backend, [PLAIN, IN_CONTEXT]))
    assert backend.given == []


def test_a_stream_takes_what_translate_takes(store):
    class Streams(TakesRequests):
        def stream(self, requests):
            yield {number: text for number, text in enumerate(self.translate(requests)) if number}
            yield {0: Failure("no")}

    translations = translate_all(Streams(), [IN_CONTEXT, AGAIN], store, Silent())
    assert translations == {IN_CONTEXT: Failure("no"), AGAIN: "0 1 It is old."}


def test_costs_are_estimated_from_requests():
    (cost,) = costs_of([(Model("m", TakesRequests()), ["One.", "Two."])], None)
    assert cost.estimate == Estimate(8, 1.0, "by request")


def test_a_text_alone_is_kept_under_the_text(store):
    """As it was before there were requests, so that older stores serve."""
    assert PLAIN.key == "It is old."
    store.add_translations("requests", {"It is old.": "kept"})
    backend = TakesRequests()
    assert translate_all(backend, [PLAIN], store, Silent()) == {PLAIN: "kept"}
    assert len({PLAIN.key, AGAIN.key, IN_CONTEXT.key, Request("It is old.", ("Look.",)).key}) == 4


def test_callables_get_strings_unless_they_say_otherwise(tmp_path, monkeypatch):
    (tmp_path / "callables_of_requests.py").write_text(
        "def plain(sources):\n    return [type(one).__name__ for one in sources]\n"
        "def asked(requests):\n    return [one.context[0] for one in requests]\n"
        "asked.takes_requests = True\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    plain, asked = (
        open_function(f"callables_of_requests:{name}", OpenRequest(target="de"))
        for name in ("plain", "asked")
    )
    assert translate_all(plain, ["a"], None, Silent()) == {"a": "str"}
    assert translate_all(asked, [IN_CONTEXT], None, Silent()) == {IN_CONTEXT: "I have a house."}


def test_inputs_have_the_form_that_a_backend_takes():
    assert inputs_for(TakesStrings(), ["a", AGAIN]) == ["a", "It is old."]
    assert inputs_for(TakesRequests(), ["a", AGAIN]) == [Request("a"), AGAIN]
    assert can_translate(TakesRequests())


def test_a_model_is_opened_to_translate_and_score():
    model = mtprobe.open_model("demo")
    (translation, again) = model.translate(["Good morning.", "Good morning."])
    assert translation == again == "Bom dia."
    assert model.languages == LanguagePair("en", "pt")
    assert model.fingerprint.startswith("demo:")
    right, wrong = model.score([("Good morning.", "Bom dia."), ("Good morning.", "Boa noite.")])
    assert sum(right) > sum(wrong)


def test_what_an_opened_model_cannot_do_is_an_error(tmp_path):
    path = tmp_path / "known.tsv"
    path.write_text("Hello.\tHallo.\n")
    with pytest.raises(ModelError, match="give `target`"):
        mtprobe.open_model(f"file:{path}")
    model = mtprobe.open_model(f"file:{path}", source="en", target="deu")
    assert model.languages == LanguagePair("en", "de")
    assert model.translate(["Hello."]) == ["Hallo."]
    with pytest.raises(ModelError, match="cannot score"):
        model.score([("a", "b")])
    with pytest.raises(ModelError, match="is not a language tag"):
        mtprobe.open_model("demo", target="not a language")
