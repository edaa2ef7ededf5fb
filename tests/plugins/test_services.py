"""Every service, asked as its documentation says"""

from __future__ import annotations

import pytest

from mtprobe.errors import Failure, ModelError
from tests.plugins.imitations import DEEPL, LIBRETRANSLATE, made
from tests.plugins.loopback import loopback

SOURCES = [f"Sentence number {number} has some words." for number in range(130)]


def test_translations_come_in_the_order_of_their_sources(service):
    assert service.translate(*SOURCES) == [made(source) for source in SOURCES]


def test_no_request_holds_more_than_the_service_takes(service):
    service.translate(*SOURCES)
    asked = service.texts()
    assert max(map(len, asked)) <= service.imitated.batch
    assert sorted(text for texts in asked for text in texts) == sorted(SOURCES)


def test_signs_of_any_script_and_of_json_arrive_as_they_are(service):
    sources = [
        'She said: "No\\nway!" & left',
        "Ça va ? – 你好, мир 🙂",
        "<b>bold</b> {braces} %s",
        "tab\there",
    ]
    assert service.translate(*sources) == [made(source) for source in sources]


def test_an_empty_source_is_not_sent(service):
    assert service.translate("", "One.", "  ") == ["", made("One."), ""]
    assert service.texts() == [["One."]]


def test_half_a_character_fails_by_itself(service):
    first, second = service.translate("a \ud800 b", "One.")
    assert isinstance(first, Failure)
    assert "lone surrogate" in first.reason
    assert second == made("One.")


def test_a_source_that_is_too_long_fails_by_itself(service):
    first, second = service.translate("word " * 200_000, "One.")
    assert isinstance(first, Failure)
    assert "the service takes" in first.reason
    assert second == made("One.")


def test_smaller_batches_on_request(service):
    if service.imitated.batch == 1:
        with pytest.raises(ModelError, match="one sentence per request"):
            service.open("batch=3")
        return
    service.translate(*SOURCES[:10], options=("batch=3", "batch_size=100000"))
    assert max(map(len, service.texts())) <= 3


def test_nothing_is_asked_before_it_must(service):
    backend = service.open()
    assert backend.languages.target == "de"
    assert repr(backend)
    assert service.server.asked == []


def test_the_fingerprint_knows_service_place_languages_and_version(service):
    one, other = service.open(), service.open(target="pt-BR")
    assert one.fingerprint != other.fingerprint
    assert one.fingerprint.startswith(f"{service.imitated.kind}:")
    assert service.open("version=2025-06").fingerprint != one.fingerprint
    with loopback(service.imitated.imitation) as elsewhere:
        service.server.address = elsewhere.address
        assert service.open().fingerprint != one.fingerprint


def test_a_stated_version_is_not_asked_for(service):
    assert "mine" in service.open("version=mine").fingerprint
    assert service.server.asked == []


def test_concurrency_is_bounded(service):
    service.translate(*SOURCES, options=("concurrency=2", "batch=1"))
    assert service.server.most_under_way <= 2


def test_another_number_format_cannot_be_had(service):
    from mtprobe.backends.protocols import OpenRequest
    from mtprobe.backends.registry import ModelSpec, open_backend

    spec = ModelSpec.parse(service.imitated.spec(service.server.address))
    with pytest.raises(ModelError, match="`dtype=int8`"):
        open_backend(spec, OpenRequest(source="en", target="de", dtype="int8"))


@pytest.mark.parametrize(
    "option, words",
    [
        ("deadlien=3", 'did you mean “?"?deadline'),
        ("deadline=soon", "deadline=soon is not a number"),
        ("tries=0", "tries=0 is not a positive number"),
        ("timeout=-1", "timeout=-1 must be above 0"),
        ("price=-1", "price=-1 is below 0"),
    ],
)
def test_a_wrong_option_is_named(service, option, words):
    with pytest.raises(ModelError, match=words):
        service.open(option)


@pytest.mark.parametrize(
    "url", ["ftp://127.0.0.1", "127.0.0.1:80", "http://", "http://a:b@127.0.0.1", "http://h?x=1"]
)
def test_a_wrong_address_is_named(service, url):
    service.server.address = url
    with pytest.raises(ModelError, match="address"):
        service.open()


def test_a_key_does_not_belong_into_a_spec(service):
    with pytest.raises(ModelError, match="environment") as caught:
        service.open("api_key=abcdef123456")
    assert "abcdef123456" not in str(caught.value)


def test_a_target_must_be_said(service):
    from mtprobe.backends.protocols import OpenRequest
    from mtprobe.backends.registry import ModelSpec, open_backend

    with pytest.raises(ModelError, match="give `target`"):
        open_backend(ModelSpec.parse(service.imitated.spec(service.server.address)), OpenRequest())


# -- what is each one's own --


def test_libretranslate_tells_the_version_of_its_server(start):
    assert ":1.6.5:" in start(LIBRETRANSLATE).open().fingerprint


def test_libretranslate_finds_the_source_language_itself(start):
    service = start(LIBRETRANSLATE)
    service.open(source=None).translate(["Hello."])
    assert service.server.translations()[0].json["source"] == "auto"


def test_libretranslate_without_a_language(start):
    service = start(LIBRETRANSLATE)
    with pytest.raises(ModelError, match="xx is not supported"):
        service.open(target="xx").translate(["Hello."])


def test_libretranslate_that_wants_a_key_says_where_it_belongs(start, monkeypatch):
    service = start(LIBRETRANSLATE)
    monkeypatch.delenv("LIBRETRANSLATE_API_KEY")
    with pytest.raises(ModelError, match="set LIBRETRANSLATE_API_KEY"):
        service.translate("Hello.")


def test_deepl_needs_a_key(start, monkeypatch):
    service = start(DEEPL)
    monkeypatch.delenv("DEEPL_API_KEY")
    with pytest.raises(ModelError, match="set the environment variable DEEPL_API_KEY"):
        service.open()


def test_deepl_has_its_own_names_for_languages(start):
    service = start(DEEPL)
    service.open(source="en-GB", target="zh-CN").translate(["Hello."])
    body = service.server.asked[0].json
    assert (body["source_lang"], body["target_lang"]) == ("EN", "ZH-HANS")


def test_deepl_without_a_language(start):
    service = start(DEEPL)
    with pytest.raises(ModelError, match="'target_lang' not supported"):
        service.open(target="tlh").translate(["Hello.", "Bye."])
    assert len(service.server.asked) == 1


def test_deepl_options_are_sent_and_are_part_of_the_fingerprint(start):
    service = start(DEEPL)
    backend = service.open("model=quality_optimized", "formality=more")
    backend.translate(["Hello."])
    body = service.server.asked[0].json
    assert (body["model_type"], body["formality"]) == ("quality_optimized", "more")
    assert backend.fingerprint != service.open().fingerprint
    assert backend.provider == "quality_optimized"


def test_a_free_deepl_key_goes_to_the_free_address_and_costs_nothing(monkeypatch):
    from mtprobe.backends.protocols import OpenRequest
    from mtprobe.backends.registry import ModelSpec, open_backend

    monkeypatch.setenv("DEEPL_API_KEY", "abcdefgh:fx")
    backend = open_backend(ModelSpec.parse("deepl:"), OpenRequest(target="de"))
    assert backend.settings.url == "https://api-free.deepl.com"
    assert backend.estimate(["Hello."]) is None
