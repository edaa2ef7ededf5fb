"""Google Cloud Translation, Basic and Advanced"""

from __future__ import annotations

import pytest

from mtprobe.errors import ModelError
from tests.plugins.imitations import GOOGLE, GOOGLE_ADVANCED, google_error, made
from tests.plugins.loopback import status


def test_basic_asks_for_plain_text(start):
    service = start(GOOGLE)
    backend = service.open(source=None)
    assert backend.translate(["Hello & bye."]) == [made("Hello & bye.")]
    body = service.server.asked[0].json
    assert (body["format"], body["target"], "source" in body) == ("text", "de", False)
    assert backend.provider == "nmt"


def test_a_rate_limit_that_comes_as_403_is_waited_for(start, notices):
    service = start(GOOGLE)
    reply = google_error(403, "User Rate Limit Exceeded", "PERMISSION_DENIED")
    service.server.plan = [status(403, reply.content)]
    assert service.translate("Hello.") == [made("Hello.")]
    assert notices() == ["google: HTTP 403: User Rate Limit Exceeded; again in 1 s (try 2)"]


def test_a_quota_of_the_day_that_is_used_up_stops_the_run(start):
    service = start(GOOGLE)
    reply = google_error(403, "Daily Limit Exceeded", "PERMISSION_DENIED")
    service.server.plan = [status(403, reply.content)]
    with pytest.raises(ModelError, match="Daily Limit Exceeded: the quota of the project is used up"):
        service.translate("Hello.")


def test_a_language_that_is_not_there_stops_the_run(start):
    with pytest.raises(ModelError, match="Bad language pair"):
        start(GOOGLE).open(target="tlh").translate(["Hello."])


def test_a_project_is_asked_with_a_token(start):
    service = start(GOOGLE_ADVANCED)
    backend = service.open()
    assert backend.translate(["Hello."]) == [made("Hello.")]
    asked = service.server.asked[0]
    assert asked.path == "/v3/projects/my-project/locations/global:translateText"
    assert asked.headers["x-goog-user-project"] == "my-project"
    assert asked.json["mimeType"] == "text/plain"
    assert asked.json["model"] == "projects/my-project/locations/global/models/general/nmt"


def test_a_model_of_ones_own_has_its_date_in_the_fingerprint(start):
    backend = start(GOOGLE_ADVANCED).open("model=NM123")
    assert ":created 2024-11-05:" in backend.fingerprint
    assert "us-central1/NM123" in backend.fingerprint
    assert backend.estimate(["x" * 1000]).dollars == pytest.approx(0.08)


def test_models_have_fingerprints_of_their_own(start):
    service = start(GOOGLE_ADVANCED)
    prints = {service.open(*options).fingerprint for options in ((), ("model=general/translation-llm",))}
    assert len(prints) == 2


def test_options_of_advanced_need_a_project(start):
    with pytest.raises(ModelError, match=r"google:PROJECT\?model="):
        start(GOOGLE).open("model=general/nmt")


def test_each_edition_names_its_own_key(start, monkeypatch):
    for imitated in (GOOGLE, GOOGLE_ADVANCED):
        service = start(imitated)
        monkeypatch.delenv(imitated.key)
        with pytest.raises(ModelError, match=f"set the environment variable {imitated.key}"):
            service.open()
