"""Servers that misbehave while they score: what comes of each fault is what comes of it for translations"""

from __future__ import annotations

import json
import re
import time

import pytest

from mtprobe.errors import Failure, ModelError
from tests.plugins.faults import CASES, Case
from tests.plugins.imitations import KEY
from tests.plugins.loopback import Reply, status
from tests.plugins.scoring.conftest import PAIRS
from tests.plugins.scoring.imitations import SERVERS
from tests.plugins.test_echoed_keys import every_text, leaks

FOUR = PAIRS[:4]


@pytest.fixture(params=CASES, ids=lambda case: case.name.replace(" ", "-"))
def case(request) -> Case:
    return request.param


@pytest.mark.slow
@pytest.mark.parametrize(
    "server, when", [("vLLM", "first"), ("vLLM", "later"), ("llama-cpp-python", "first")], ids=str
)
def test_what_comes_of_each_fault(start, server, case, notices, when):
    """Of the first request, before a score was confirmed, or later, of a batch."""
    served = start(SERVERS[server])
    truth = served.open().score(FOUR)
    backend = served.open("concurrency=1", *case.options)
    if when == "later":
        backend.score(PAIRS[4:])
    fault = case.fault(served.imitated)
    served.server.plan, served.server.always = ([], fault) if case.always else ([fault], None)
    served.clock.waits.clear()
    began, before = time.monotonic(), served.clock.now()
    if case.comes_of_it == "stops":
        with pytest.raises(ModelError, match=case.says) as caught:
            backend.score(FOUR)
        assert str(caught.value).startswith("openai: ")
    else:
        given = backend.score(FOUR)
        if case.comes_of_it == "translated":
            assert given == truth
            said = notices()
        else:
            assert all(isinstance(one, Failure) for one in given)
            said = [one.reason for one in given]
        assert any(re.search(case.says, line) for line in said), said
    if case.waits is not None:
        assert tuple(served.clock.waits) == pytest.approx(case.waits)
    assert served.clock.now() - before <= 300, "the deadline"
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("code", [400, 413, 500])
@pytest.mark.parametrize("place", [0, 3])
def test_one_bad_pair_costs_no_other_its_score(served, code, place):
    pairs = [*PAIRS, *PAIRS[:2]]
    truth = served.open().score(pairs)
    pairs[place] = pairs[place]._replace(target="The poison was in the glass.")
    truth[place] = Failure(f"openai: HTTP {code}: cannot read that")

    def fault(handler, honest) -> None:
        reply = honest()
        handler.send(Reply(code, {"message": "cannot read that"}) if b"poison" in reply.body else reply)

    backend = served.open("concurrency=1")
    served.server.always = fault
    if served.imitated.more.endswith("logprobs=prompt"):
        served.server.always = None
        honest = served.server.imitation
        served.server.imitation = lambda asked: (
            Reply(code, {"message": "cannot read that"}) if b"poison" in asked.raw else honest(asked)
        )
    assert backend.score(pairs) == truth


def test_what_was_scored_before_the_key_expired_is_handed_over(served):
    truth = served.open().score(FOUR)
    served.server.asked.clear()
    served.open("concurrency=1", "batch=1").score(FOUR[:2])
    requests = len(served.server.translations())
    served.server.plan = [lambda handler, honest: handler.send(honest())] * requests
    served.server.always = lambda handler, _: handler.send(served.imitated.wrong_key)
    stream = served.open("concurrency=1", "batch=1").stream_scores(FOUR)
    handed_over = {**next(stream), **next(stream)}
    with pytest.raises(ModelError, match="the key in OPENAI_API_KEY"):
        next(stream)
    assert handed_over == {place: truth[place] for place in range(2)}


def test_a_quota_that_is_used_up_is_not_waited_for(served):
    error = {"message": "You exceeded your current quota", "code": "insufficient_quota"}
    served.server.always = status(429, {"error": error})
    with pytest.raises(ModelError, match="the quota of the key in OPENAI_API_KEY is used up"):
        served.open().score(FOUR)
    assert served.clock.waits == []


def test_an_interrupted_stream_ends_at_once(served):
    stream = served.open("batch=1", "concurrency=1").stream_scores(PAIRS)
    next(stream)
    served.server.always = lambda handler, honest: (time.sleep(0.2), handler.send(honest()))
    began = time.monotonic()
    stream.close()
    assert time.monotonic() - began < 1


def test_nothing_of_the_key_is_kept(served):
    """A server that repeats the key in the texts of tokens spoils them; the pair fails, and the key is not shown."""

    def fault(handler, honest) -> None:
        content = every_text(json.loads(honest().body), lambda text: f"{text} {KEY}")
        handler.send(Reply(200, content))

    served.server.always = fault
    backend = served.open("tries=1")
    given = backend.score(PAIRS[:1])
    assert isinstance(given[0], Failure)
    assert not leaks(repr([given, backend.provider, backend.scoring_fingerprint]))
