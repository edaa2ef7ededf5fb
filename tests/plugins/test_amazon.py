"""Amazon Translate"""

from __future__ import annotations

import logging

import pytest

from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.errors import Failure, ModelError
from tests.plugins.imitations import AMAZON, AWS_ID, AWS_TOKEN, KEY, amazon_error, has_boto, made
from tests.plugins.loopback import status

pytestmark = has_boto


def test_requests_are_signed_for_their_region(start):
    service = start(AMAZON)
    assert service.translate("Hello.") == [made("Hello.")]  # the imitation checks the signature
    signed = service.server.asked[0].headers["authorization"]
    assert f"Credential={AWS_ID}/" in signed
    assert "/eu-west-1/translate/aws4_request" in signed


def test_options_are_sent_and_are_part_of_the_fingerprint(start):
    service = start(AMAZON)
    backend = service.open("formality=formal", "terminology=ours", target="zh-Hant", source=None)
    backend.translate(["Hello."])
    body = service.server.asked[0].json
    assert (body["SourceLanguageCode"], body["TargetLanguageCode"]) == ("auto", "zh-TW")
    assert (body["Settings"], body["TerminologyNames"]) == ({"Formality": "FORMAL"}, ["ours"])
    assert "formality=formal" in backend.fingerprint


@pytest.mark.parametrize("name", ["ThrottlingException", "TooManyRequestsException"])
def test_haste_comes_as_400_and_is_waited_for(start, notices, name):
    service = start(AMAZON)
    service.server.plan = [status(400, amazon_error(name, "Rate exceeded").content)]
    assert service.translate("Hello.") == [made("Hello.")]
    assert notices() == [f"amazon: HTTP 400: {name}: Rate exceeded; again in 1 s (try 2)"]


def test_a_text_that_it_finds_too_long_fails_alone(start):
    service = start(AMAZON)
    service.server.plan = [status(400, amazon_error("TextSizeLimitExceededException", "too long").content)]
    first, second = service.translate("Hello.", "Bye.", options=("concurrency=1",))
    assert first == Failure("amazon: HTTP 400: TextSizeLimitExceededException: too long")
    assert second == made("Bye.")


def test_ten_thousand_bytes_are_the_limit(start):
    first, second = start(AMAZON).translate("ж" * 5001, "ж" * 5000)
    assert isinstance(first, Failure)
    assert "10,002 bytes" in first.reason
    assert second == made("ж" * 5000)


def test_a_language_that_is_not_there_stops_the_run(start):
    service = start(AMAZON)
    with pytest.raises(
        ModelError, match="UnsupportedLanguagePairException: Unsupported language pair: en to tlh"
    ):
        service.open("concurrency=1", target="tlh").translate(["Hello.", "Bye."])
    assert len(service.server.asked) == 1


def test_the_address_of_a_region_is_known(start, monkeypatch):
    start(AMAZON)
    monkeypatch.setenv("AWS_REGION", "us-west-2")
    backend = open_backend(ModelSpec.parse("amazon:"), OpenRequest(target="de"))
    assert backend.settings.url == "https://translate.us-west-2.amazonaws.com"


def test_a_region_must_be_said(start, monkeypatch):
    start(AMAZON)
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ModelError, match="AWS_REGION"):
        open_backend(ModelSpec.parse("amazon:"), OpenRequest(target="de"))


@pytest.mark.parametrize("missing", ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])
def test_both_parts_of_the_key_are_needed(start, monkeypatch, missing):
    service = start(AMAZON)
    monkeypatch.delenv(missing)
    with pytest.raises(ModelError, match=f"set the environment variable {missing}"):
        service.open()


def test_neither_secret_nor_token_is_in_the_log(start, caplog):
    caplog.set_level(logging.DEBUG)
    service = start(AMAZON)
    service.translate("Hello.")
    assert service.server.asked[0].headers["x-amz-security-token"] == AWS_TOKEN
    assert caplog.records
    assert not any(secret in repr([one.__dict__ for one in caplog.records]) for secret in (KEY, AWS_TOKEN))
