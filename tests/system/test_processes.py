"""Work that an interruption waits for"""

import os
import signal
import threading

import pytest

from mtprobe.system.processes import interruption_waits


def test_an_interruption_is_heard_behind_the_work():
    done = []
    with pytest.raises(KeyboardInterrupt), interruption_waits():  # noqa: PT012 - both lines are the work
        os.kill(os.getpid(), signal.SIGINT)
        done.append("all of it")
    assert done == ["all of it"]


def test_so_is_one_that_another_thread_was_told():
    done, may_tell = [], threading.Event()

    def tell():
        may_tell.wait()
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)

    other = threading.Thread(target=tell)
    other.start()
    with pytest.raises(KeyboardInterrupt), interruption_waits():  # noqa: PT012
        may_tell.set()
        other.join()
        done.append("all of it")
    assert done == ["all of it"]


def test_without_one_nothing_happens():
    before = signal.getsignal(signal.SIGINT)
    with interruption_waits():
        pass
    assert signal.getsignal(signal.SIGINT) is before
