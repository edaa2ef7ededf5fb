"""Azure Translator"""

from __future__ import annotations

import pytest

from mtprobe.errors import ModelError
from tests.plugins.imitations import AZURE, AZURE_WRONG_KEY, made
from tests.plugins.loopback import status


def test_what_is_asked(start):
    service = start(AZURE)
    assert service.open("category=mine-TECH", target="pt-BR").translate(["Hello."]) == [made("Hello.")]
    asked = service.server.asked[0]
    assert asked.query == {
        "api-version": "3.0", "from": "en", "to": "pt", "textType": "plain", "category": "mine-TECH",
    }  # fmt: skip
    assert asked.headers["ocp-apim-subscription-region"] == "westeurope"


def test_the_source_may_be_left_open(start):
    service = start(AZURE)
    service.open(source=None).translate(["Hello."])
    assert "from" not in service.server.asked[0].query


def test_a_category_is_part_of_the_fingerprint(start):
    service = start(AZURE)
    assert service.open("category=mine").fingerprint != service.open().fingerprint


def test_a_free_quota_that_is_used_up_stops_the_run(start):
    service = start(AZURE)
    service.server.plan = [status(403, {"error": {"code": 403001, "message": "Exceeded its free quota."}})]
    with pytest.raises(ModelError, match=r"403001 Exceeded its free quota\.: the free quota of the key"):
        service.translate("Hello.")


def test_a_language_that_is_not_there_stops_the_run(start):
    with pytest.raises(ModelError, match="400036 The target language is not valid"):
        start(AZURE).open(target="tlh").translate(["Hello."])


def test_a_custom_model_that_is_being_loaded_is_waited_for(start, notices):
    service = start(AZURE)
    service.server.plan = [status(408, {"error": {"code": 408002, "message": "Model is being prepared."}})]
    assert service.translate("Hello.") == [made("Hello.")]
    assert "408002" in notices()[0]


def test_a_key_without_its_region_is_reported_about_regions(start):
    service = start(AZURE)
    service.server.always = status(401, AZURE_WRONG_KEY.content)
    with pytest.raises(
        ModelError, match=r"AZURE_TRANSLATOR_KEY is wrong or expired, or is for a region.*azure:\?region="
    ):
        service.open("region=").translate(["Hello."])
