"""Services that misbehave: no translation is wrong or lost, nothing hangs, and the user reads what it was"""

from __future__ import annotations

import re
import socket
import time
from pathlib import Path

import pytest

from mtprobe.errors import Failure, ModelError
from tests.plugins.faults import CASES, Case, table
from tests.plugins.imitations import made
from tests.plugins.loopback import Handler, Reply, status

SOURCES = ["One sentence.", "Another sentence.", "A third one.", "And a fourth."]
TRUTH = [made(source) for source in SOURCES]


@pytest.fixture(params=CASES, ids=lambda case: case.name.replace(" ", "-"))
def case(request) -> Case:
    return request.param


@pytest.mark.slow
def test_what_comes_of_each_fault(service, case, notices):
    fault = case.fault(service.imitated)
    if case.always:
        service.server.always = fault
    else:
        service.server.plan = [fault]
    began, before = time.monotonic(), service.clock.now()
    if case.comes_of_it == "stops":
        with pytest.raises(ModelError, match=case.says) as caught:
            service.translate(*SOURCES, options=("concurrency=1", *case.options))
        assert str(caught.value).startswith(f"{service.imitated.kind}: ")
    else:
        given = service.translate(*SOURCES, options=("concurrency=1", *case.options))
        if case.comes_of_it == "translated":
            assert given == TRUTH
            said = notices()
        else:
            assert all(isinstance(one, Failure) for one in given)
            said = [one.reason for one in given]
        assert any(re.search(case.says, line) for line in said), said
    if case.waits is not None:
        assert tuple(service.clock.waits) == pytest.approx(case.waits)
    assert service.clock.now() - before <= 300, "the deadline"
    assert time.monotonic() - began < 20


def test_the_table_in_the_docs_is_what_is_tested():
    page = Path(__file__).parents[2] / "docs" / "howto" / "services.md"
    assert table() in page.read_text(encoding="utf-8")


def poisonous(reply: Reply):
    """A fault of every request that holds one sentence."""

    def fault(handler: Handler, truth) -> None:
        honest = truth()
        handler.send(reply if b"poison" in honest.body else honest)

    return fault


@pytest.mark.parametrize("code", [400, 413, 500])
def test_one_bad_sentence_costs_no_other_its_translation(service, code):
    sources = [f"Sentence {number}." for number in range(30)]
    sources[17] = "The poison was in the glass."
    service.server.always = poisonous(Reply(code, {"message": "cannot translate that"}))
    given = service.translate(*sources, options=("concurrency=1",))
    failed = [place for place, one in enumerate(given) if isinstance(one, Failure)]
    assert failed == [17]
    assert given[17].reason == f"{service.imitated.kind}: HTTP {code}: cannot translate that"
    assert given[:17] == [made(source) for source in sources[:17]]


def test_what_was_translated_before_the_key_expired_is_handed_over(service):
    sources = [f"Sentence {number}." for number in range(6)]
    service.server.plan = [lambda handler, honest: handler.send(honest())] * 3
    service.server.always = lambda handler, _: handler.send(service.imitated.wrong_key)
    stream = service.open("concurrency=1", "batch=1").stream(sources)
    handed_over = {**next(stream), **next(stream), **next(stream)}
    with pytest.raises(ModelError, match=service.imitated.key):
        next(stream)
    assert handed_over == {place: made(sources[place]) for place in range(3)}


def test_nobody_there(service):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        service.server.address = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(ModelError, match=r"cannot be reached \(.*refused") as caught:
        service.open("version=1").translate(SOURCES)
    assert service.server.address in str(caught.value)
    assert len(service.clock.waits) <= 4 * 3


@pytest.mark.slow
def test_a_name_that_nobody_knows(service):
    service.server.address = "http://no-such-host.invalid"
    with pytest.raises(ModelError, match="cannot be reached"):
        service.open("version=1").translate(SOURCES)


def test_a_service_that_is_busy_for_one_request_only_fails_that_request(service):
    service.server.always = poisonous(Reply(429, {"message": "not this"}))
    sources = ["The poison was in the glass.", "Good one.", "Good two."]
    given = service.translate(*sources, options=("batch=1", "concurrency=2"))
    assert given == [
        Failure(f"{service.imitated.kind}: HTTP 429: not this"),
        made(sources[1]),
        made(sources[2]),
    ]


def test_a_pause_holds_for_all_requests(service):
    service.server.plan = [status(429, retry_after="20")]
    sources = [f"Sentence {number}." for number in range(8)]
    given = service.translate(*sources, options=("batch=1", "concurrency=1", "per_second=100"))
    assert given == [made(source) for source in sources]
    assert max(service.clock.waits) == pytest.approx(20, abs=0.1)


def test_an_interrupted_stream_ends_at_once(service):
    service.server.always = lambda handler, honest: (time.sleep(0.2), handler.send(honest()))
    stream = service.open("batch=1", "concurrency=1").stream(SOURCES)
    assert next(stream) == {0: TRUTH[0]}
    began = time.monotonic()
    stream.close()
    assert time.monotonic() - began < 1
    assert len(service.server.translations()) <= 2
