"""Nodes and workers that are lost in the middle of a run: it goes on, and gives what a run here gives"""

from __future__ import annotations

import logging
import threading
from contextlib import closing
from pathlib import Path

import pytest
import ray
from mtprobe_ray import open_ray
from mtprobe_ray.pool import TRIES

import mtprobe
from mtprobe.backends.scorer import ScorePair
from mtprobe.backends.stored import score_all, translate_all
from mtprobe.errors import ModelError
from mtprobe.progress import Silent
from mtprobe.store import Store
from tests.conftest import ROOT
from tests.plugins.ray.conftest import Telling, kill, sentences
from tests.soak import times

pytestmark = pytest.mark.slow

SUITE = ROOT / "suites" / "gender" / "occupations.mt.yaml"


@pytest.fixture
def store(tmp_path: Path):
    with Store(tmp_path / "store.sqlite") as opened:
        yield opened


def judged(run: mtprobe.Run) -> dict:
    return {result.id: (result.translation, result.verdict.outcome) for result in run.suites[0].results}


def scores(run: mtprobe.Run) -> list[float]:
    found = [one.score for result in run.suites[0].results for one in result.verdict.evidence]
    return [score for score in found if score is not None]


def test_a_node_that_dies_in_the_middle_of_a_run_changes_no_result(nodes, second):
    asked = {"method": "contrastive-conditioning", "take": times(60, 1200)}
    here = mtprobe.run(SUITE, "demo", **asked)
    lost = Telling(1, lambda: nodes.kill(second))
    there = mtprobe.run(SUITE, "demo", executor=f"ray:{nodes.address}", progress=lost, **asked)
    assert lost.steps <= 0
    assert judged(there) == judged(here)
    assert scores(there) == pytest.approx(scores(here), abs=1e-5)
    assert len(scores(here)) > 100
    assert there.suites[0].model == here.suites[0].model


def test_nothing_that_was_stored_is_made_again_when_a_node_dies(nodes, second, toys, executor, store):
    model = toys.open("slow", executor)
    asked = sentences(times(300, 3000))
    stored = {}

    def die() -> None:
        stored.update(store.translations(model.backend.fingerprint, asked))
        nodes.kill(second)

    made = translate_all(model.runner, asked, store, Telling(len(asked) // 4, die))
    assert made == {source: source.upper() for source in asked}
    assert len(stored) >= len(asked) // 4
    calls = toys.calls("translate")
    assert all(calls[source] == 1 for source in stored)
    assert set(calls) == set(asked)
    assert sum(calls.values()) < 1.5 * len(asked)


@pytest.mark.parametrize("work", ["translate", "score"])
def test_a_worker_that_is_killed_is_replaced(toys, executor, store, work):
    model = toys.open("slow", executor)
    asked = sentences(times(120, 1200))
    pairs = [ScorePair(source, target) for source in asked[:60] for target in ("a b c", "d e")]
    stored = set()

    def die() -> None:
        (process,) = executor.pool.processes()
        stored.update(store.translations(model.backend.fingerprint, asked))
        kill(process[1])

    progress = Telling(1, die)
    if work == "translate":
        made = translate_all(model.runner, asked, store, progress)
        assert made == {source: source.upper() for source in asked}
        assert all(toys.calls("translate")[source] == 1 for source in stored)
    else:
        here = score_all(toys.open("slow").runner, pairs, None, Silent())
        assert score_all(model.runner, pairs, store, progress) == here
    assert progress.steps <= 0


def test_a_sentence_that_kills_every_worker_is_named_and_the_others_are_kept(toys, executor, store):
    model = toys.open("quick", executor)
    asked = [*sentences(100), "deadly"]
    with pytest.raises(ModelError, match=rf"^quick: workers died {TRIES} times on “.*“deadly”"):
        translate_all(model.runner, asked, store, Silent())
    assert toys.calls("translate")["deadly"] == TRIES
    kept = store.translations(model.backend.fingerprint, asked)
    assert len(kept) >= 50
    assert translate_all(model.runner, asked[:-1], store, Silent()).keys() == set(asked[:-1])


def test_a_run_waits_until_others_leave_it_room_and_says_so(nodes, toys, caplog, monkeypatch):
    monkeypatch.setattr("mtprobe_ray.pool._NOTIFY", 0.5)
    caplog.set_level(logging.INFO, logger="mtprobe")
    node = nodes.add(num_cpus=2)
    other = ray.remote(num_cpus=2)(Other).remote()
    ray.get(other.is_here.remote())
    timer = threading.Timer(1.0, lambda: ray.kill(other))
    timer.start()
    try:
        with closing(open_ray(f"{nodes.address}?threads=2")) as executor:  # the head has one core
            made = translate_all(toys.open("quick", executor).runner, ["a"], None, Silent())
    finally:
        timer.join()
        nodes.cluster.remove_node(node)
    assert made == {"a": "A"}
    assert "ray: waiting for the cluster to have room for a worker (2 CPUs)" in caplog.messages


class Other:
    """Somebody else's work."""

    def is_here(self) -> bool:
        return True
