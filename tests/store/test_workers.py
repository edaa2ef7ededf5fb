"""Eight workers on one store: no lock error, no lost row. Four seconds in `make test`, five minutes in `make soak`"""

from __future__ import annotations

import logging
import multiprocessing
import random
import time
from pathlib import Path

import pytest

from mtprobe.store import Store
from tests.soak import times

pytestmark = pytest.mark.slow

WORKERS = 8
SECONDS = times(4, 300)
ATTEMPTS = times(20, 2000)


def source(worker: int, number: int) -> str:
    return f"worker {worker} says {number}"


def translation(worker: int, number: int) -> str:
    return f"{worker}·{number} " * (1 + number % 40)


def logprobs(worker: int, number: int) -> tuple[float, ...]:
    return tuple(-(worker + 1) / (place + number + 1) for place in range(number % 30))


def _work(path: Path, worker: int, end: float, folder: Path) -> None:
    """Writes chunks of its own, reads its own and those of others, and comes and goes as workers do."""
    logging.basicConfig(filename=folder / f"{worker}.log", format="%(message)s")
    chance = random.Random(worker)
    done = 0
    while time.time() < end:
        with Store(path) as store:
            for _ in range(chance.randrange(1, 60)):
                numbers = range(done, done + chance.randrange(1, 40))
                store.add_translations("m", {source(worker, n): translation(worker, n) for n in numbers})
                store.add_scores("m", {(source(worker, n), "target"): logprobs(worker, n) for n in numbers})
                done = numbers.stop
                looked = [(chance.randrange(WORKERS), chance.randrange(done)) for _ in range(20)]
                found = store.translations("m", [source(*one) for one in looked])
                for one in looked:
                    text = found.get(source(*one))
                    assert (
                        text == translation(*one) if one[0] == worker else text in (None, translation(*one))
                    )
    (folder / f"{worker}.done").write_text(str(done))


def test_eight_workers_lose_nothing_and_never_stand_in_each_others_way(tmp_path):
    path = tmp_path / "store.sqlite"
    context = multiprocessing.get_context("spawn")
    end = time.time() + SECONDS
    workers = [context.Process(target=_work, args=(path, number, end, tmp_path)) for number in range(WORKERS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * WORKERS
    assert [log.read_text() for log in tmp_path.glob("*.log")] == [""] * WORKERS
    with Store(path) as store:
        for worker in range(WORKERS):
            done = int((tmp_path / f"{worker}.done").read_text())
            assert done
            numbers = range(done)
            assert store.translations("m", [source(worker, n) for n in numbers]) == {
                source(worker, n): translation(worker, n) for n in numbers
            }
            assert store.scores("m", [(source(worker, n), "target") for n in numbers]) == {
                (source(worker, n), "target"): logprobs(worker, n) for n in numbers
            }
    assert sorted(found.suffix for found in tmp_path.iterdir()).count(".sqlite") == 1


def _open_many(folder: Path, moment: float, worker: int) -> None:
    """All workers come to each new store at the same moment."""
    for attempt in range(ATTEMPTS):
        while time.time() < moment + attempt * 0.08:
            pass
        with Store(folder / f"{attempt}.sqlite") as store:
            store.add_translations("m", {str(worker): "x"})


def test_workers_may_all_be_the_first_to_open_it(tmp_path):
    context = multiprocessing.get_context("spawn")
    moment = time.time() + 2
    workers = [context.Process(target=_open_many, args=(tmp_path, moment, number)) for number in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 6
    assert {path.name for path in tmp_path.iterdir()} == {f"{attempt}.sqlite" for attempt in range(ATTEMPTS)}
    for attempt in range(ATTEMPTS):
        with Store(tmp_path / f"{attempt}.sqlite") as store:
            assert len(store.translations("m", [str(number) for number in range(6)])) == 6
