"""How fast a service is asked"""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mtprobe_http.batches import batches, sort_out
from mtprobe_http.limiter import Limiter, Window
from mtprobe_http.service import Limits
from mtprobe_http.waiting import backoff, retry_after

from tests.plugins.conftest import NoTime
from tests.plugins.imitations import DEEPL


@given(
    limit=st.integers(1, 7),
    seconds=st.sampled_from([1.0, 60.0]),
    pauses=st.lists(st.floats(0, 30), min_size=1, max_size=40),
)
def test_no_stretch_of_time_holds_more_than_the_limit(limit, seconds, pauses):
    window, now, taken = Window(limit, seconds), 0.0, []
    for pause in pauses:
        now += pause
        now += window.wait(now, 1)
        assert window.wait(now, 1) <= 1e-9
        window.take(now, 1)
        taken.append(now)
    for start in taken:
        assert sum(start <= when < start + seconds - 1e-6 for when in taken) <= limit


@given(amounts=st.lists(st.integers(1, 500), min_size=1, max_size=30))
def test_characters_a_minute_hold_unless_one_request_alone_is_more(amounts):
    window, now, taken = Window(300, 60.0), 0.0, []
    for amount in amounts:
        now += window.wait(now, amount)
        window.take(now, amount)
        taken.append((now, amount))
    for start, _ in taken:
        inside = [amount for when, amount in taken if start <= when < start + 60.0 - 1e-6]
        assert sum(inside) <= 300 or len(inside) == 1


def test_both_limits_hold_at_once():
    clock, times = NoTime(), []
    limiter = Limiter(Limits(texts=1, size=10, per_second=2, per_minute=5), clock)

    async def ask() -> None:
        for _ in range(12):
            await limiter.admit(1, clock.sleep, lambda _: None)
            times.append(clock.now() - 1000)

    asyncio.run(ask())
    assert times == pytest.approx([0, 0, 1, 1, 2, 60, 60, 61, 61, 62, 120, 120])


def test_a_long_wait_for_our_own_limits_is_said(start, notices):
    service = start(DEEPL)
    service.translate("One.", "Two.", options=("batch=1", "concurrency=1", "per_minute=1"))
    assert notices() == ["deepl: waiting 60 s for the rate limit"]
    assert sum(service.clock.waits) == pytest.approx(60)


@given(tries=st.integers(1, 5000), chance=st.floats(0, 1))
def test_backing_off_grows_to_a_limit_and_is_never_nothing(tries, chance):
    longest = min(30.0, 2.0 ** min(tries - 1, 10))
    assert longest / 2 <= backoff(tries, chance) <= longest


@pytest.mark.parametrize(
    "text, seconds",
    [
        ("120", 120.0),
        (" 3 ", 3.0),
        ("0.5", 0.5),
        ("Thu, 01 Jan 1970 00:01:40 GMT", 40.0),
        ("Thu, 01 Jan 1970 00:00:10 GMT", 0.0),
        ("-5", None),
        ("soon", None),
        ("", None),
        ("١٢", None),
        ("1e9", None),
        ("Thu, 99 Jan 1970 00:00:10 GMT", None),
        (None, None),
    ],
)
def test_retry_after_is_a_number_or_a_date(text, seconds):
    assert retry_after(text, today=60.0) == seconds


@pytest.mark.slow
@given(
    sources=st.lists(st.text(max_size=30), max_size=60),
    texts=st.integers(1, 8),
    size=st.integers(1, 60),
    unit=st.sampled_from(["characters", "bytes"]),
)
def test_batches_lose_nothing_and_keep_to_the_limits(sources, texts, size, unit):
    limits = Limits(texts=texts, size=size, unit=unit)
    sendable, settled = sort_out(sources, limits)
    made = list(batches(sendable, limits))
    assert [one for batch in made for one in batch] == sendable
    assert sorted([text.index for text in sendable] + list(settled)) == list(range(len(sources)))
    for batch in made:
        assert 0 < len(batch) <= texts
        assert sum(limits.measure(one.text) for one in batch) <= size
