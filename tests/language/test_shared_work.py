"""A slow lemmatizer on several cores"""

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from mtprobe.errors import MtprobeError
from mtprobe.language.lemmatizers import Token
from mtprobe.language.lemmatizers import parallel as shared_work
from mtprobe.language.lemmatizers.libraries import open_pymorphy
from mtprobe.language.lemmatizers.parallel import SharedWork

pytest.importorskip("pymorphy3")  # of the extra lemmas
RUSSIAN = partial(open_pymorphy, "ru")
SENTENCES = [f"Врачи сказали медсёстрам о {number} пациентах." for number in range(900)]


@pytest.fixture(autouse=True)
def two_cores(monkeypatch):
    monkeypatch.setattr(shared_work, "share_of_cores", lambda: 2)


class Dies:
    name = "dies"

    def lemmatize(self, sentences):  # noqa: ARG002
        os.kill(os.getpid(), signal.SIGKILL)


class TellsItsProcess:
    name = "tells"

    def lemmatize(self, sentences):
        time.sleep(0.05)
        return [[Token(sentence, str(os.getpid()))] for sentence in sentences]


def processes_of(found):
    return {tokens[0].lemma for tokens in found}


def test_processes_find_what_one_finds():
    assert SharedWork(RUSSIAN, start=0).lemmatize(SENTENCES) == RUSSIAN().lemmatize(SENTENCES)


def test_little_work_stays_in_this_process_and_much_does_not():
    shared = SharedWork(TellsItsProcess, start=0.1)
    assert processes_of(shared.lemmatize(SENTENCES[:150])) == {str(os.getpid())}
    assert len(processes_of(shared.lemmatize(SENTENCES * 2))) > 1


def test_a_sentence_is_looked_at_once():
    asked = []

    class Counts:
        name = "counts"

        def lemmatize(self, sentences):
            asked.extend(sentences)
            return [[Token(sentence, sentence)] for sentence in sentences]

    shared = SharedWork(Counts)
    shared.lemmatize(["eins", "zwei", "eins"])
    assert [tokens[0].text for tokens in shared.lemmatize(["zwei", "drei"])] == ["zwei", "drei"]
    assert asked == ["eins", "zwei", "drei"]


def test_a_process_that_dies_is_told_and_the_next_try_starts_anew():
    shared = SharedWork(Dies, start=0)
    with pytest.raises(MtprobeError, match="dies: a worker process died"):
        shared.lemmatize(SENTENCES)
    shared._open_one = RUSSIAN
    assert len(shared.lemmatize(SENTENCES)) == len(SENTENCES)


def test_processes_end_with_the_one_that_started_them_however_it_ends():
    program = """
import os, signal
from functools import partial
from mtprobe.language.lemmatizers import parallel as shared_work
from mtprobe.language.lemmatizers.libraries import open_pymorphy
if __name__ == "__main__":
    shared_work.share_of_cores = lambda: 2
    shared = shared_work.SharedWork(partial(open_pymorphy, "ru"), start=0)
    shared.lemmatize([f"Врач {number}" for number in range(900)])
    print(*shared._pool._processes, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    started = [int(number) for number in said.stdout.split()]
    assert len(started) == 2, said.stderr
    until = time.monotonic() + 10
    while any(map(_runs, started)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(_runs, started))


def _runs(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
