"""Keys are sent, and appear nowhere else"""

from __future__ import annotations

import logging
import traceback

import httpx
import pytest
from mtprobe_http.keys import Key

from mtprobe.errors import ModelError
from tests.plugins.imitations import DEEPL, KEY
from tests.plugins.loopback import Reply


def whole(error: BaseException) -> str:
    """A traceback as `pytest --showlocals` would show it, but for the frames of these tests, which know the key."""
    shown = traceback.TracebackException.from_exception(error, capture_locals=True)
    shown.stack = traceback.StackSummary.from_list(
        frame for frame in shown.stack if "/tests/plugins/" not in frame.filename
    )
    return "".join(shown.format())


def test_a_key_shows_only_its_variable(monkeypatch):
    monkeypatch.setenv("SOME_KEY", f"  {KEY}\n")
    key = Key.required("SOME_KEY", "some:")
    assert (repr(key), str(key), f"{[key]}") == ("Key(SOME_KEY)", "Key(SOME_KEY)", "[Key(SOME_KEY)]")
    assert key.reveal() == KEY


def test_a_key_with_other_signs_is_reported_without_repeating_it(monkeypatch):
    monkeypatch.setenv("SOME_KEY", "abc déf")
    with pytest.raises(ModelError, match="SOME_KEY contains characters that no key has") as caught:
        Key.optional("SOME_KEY")
    assert "abc" not in str(caught.value)


@pytest.mark.parametrize("code", [400, 401, 403, 429, 500, 503])
def test_a_server_that_repeats_the_key_is_not_repeated(service, code, caplog):
    caplog.set_level(logging.DEBUG)
    reply = Reply(code, {"message": f"the key {KEY} is no good", "error": f"{KEY}!"}, {"X-Key": KEY})
    service.server.always = lambda handler, _: handler.send(reply)
    said = ""
    try:
        said = repr(service.translate("One.", options=("concurrency=1", "tries=2")))
    except ModelError as error:
        said = whole(error)
    assert service.imitated.kind in said
    assert KEY not in said
    assert "httpcore" in {record.name.partition(".")[0] for record in caplog.records}
    assert KEY not in caplog.text
    assert KEY not in repr([record.__dict__ for record in caplog.records])


def test_the_log_of_good_requests_holds_no_key(service, caplog):
    caplog.set_level(logging.DEBUG)
    service.open().fingerprint  # noqa: B018 - it may ask for the version
    service.translate("One.", "Two.")
    assert caplog.records
    assert KEY not in caplog.text
    assert KEY not in repr([record.__dict__ for record in caplog.records])


def test_nothing_that_is_kept_between_requests_shows_the_key(service):
    backend = service.open()
    backend.translate(["One."])
    held = [repr(value) for value in (*vars(backend).values(), *vars(backend._service).values())]
    assert KEY not in "".join([repr(backend), backend.fingerprint, backend.provider, *held])


def test_the_address_holds_no_key(service):
    service.translate("One.")
    for asked in service.server.asked:
        assert KEY not in asked.path + repr(asked.query)


def test_a_bug_in_a_plugin_shows_a_traceback_without_the_key(service, monkeypatch):
    backend = service.open()
    monkeypatch.setattr(type(backend._service), "read", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError) as caught:
        backend.translate(["One."])
    assert KEY not in whole(caught.value)


def test_a_bug_below_shows_its_words_without_the_key(start, monkeypatch):
    service = start(DEEPL)

    async def broken(_self: object, request: httpx.Request, **_: object) -> None:
        headers = dict(request.headers)
        raise ValueError(f"cannot send {headers['authorization']}")

    monkeypatch.setattr(httpx.AsyncClient, "send", broken)
    with pytest.raises(
        RuntimeError, match=r"ValueError: cannot send DeepL-Auth-Key \[hidden key\]"
    ) as caught:
        service.translate("One.")
    assert KEY not in whole(caught.value)


def test_a_key_without_encryption_is_warned_of(start, notices):
    service = start(DEEPL)
    service.server.address = "http://no-such-host.invalid"
    with pytest.raises(ModelError, match="cannot be reached"):
        service.translate("One.")
    assert notices()[0] == "deepl: the key is sent to http://no-such-host.invalid without encryption"
