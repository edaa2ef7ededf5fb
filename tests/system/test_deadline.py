"""Calls with a deadline"""

from __future__ import annotations

import contextvars
import gc
import threading
import time

import pytest

from mtprobe.system.deadline import TimedCalls, TimedOut, abandoned_calls


def wait_until(happened):
    deadline = time.monotonic() + 10
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_results_and_exceptions_arrive():
    calls = TimedCalls(30)
    assert calls.call(divmod, 7, 3) == (2, 1)
    with pytest.raises(ZeroDivisionError):
        calls.call(divmod, 7, 0)
    with pytest.raises(SystemExit):
        calls.call(exit, 3)


def test_all_calls_are_made_on_one_thread_and_see_the_callers_context():
    calls, variable = TimedCalls(30), contextvars.ContextVar("variable")
    variable.set("here")
    first, second = (calls.call(lambda: (threading.get_ident(), variable.get())) for _ in range(2))
    assert first == second
    assert first[0] != threading.get_ident()
    assert first[1] == "here"


def test_without_a_deadline_the_caller_makes_the_call():
    assert TimedCalls(None).call(threading.get_ident) == threading.get_ident()


def test_a_late_call_is_abandoned_and_nothing_is_called_after_it():
    calls, release = TimedCalls(0.2), threading.Event()
    made = []
    with pytest.raises(TimedOut, match=r"it took longer than 0\.2 s"):
        calls.call(release.wait, 60)
    assert abandoned_calls()
    began = time.monotonic()
    with pytest.raises(TimedOut, match="before and is not called again"):
        calls.call(made.append, 1)
    assert time.monotonic() - began < 0.2
    release.set()
    wait_until(lambda: not abandoned_calls())
    assert made == []


def test_a_late_call_in_python_is_ended():
    def loop():
        while True:
            time.sleep(0.01)

    calls = TimedCalls(0.2)
    with pytest.raises(TimedOut):
        calls.call(loop)
    wait_until(lambda: not abandoned_calls())


@pytest.mark.slow
def test_its_thread_ends_with_it():
    calls = TimedCalls(30)
    thread = calls.call(threading.current_thread)
    del calls
    gc.collect()
    thread.join(10)
    assert not thread.is_alive()
