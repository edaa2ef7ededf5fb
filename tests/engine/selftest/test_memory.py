"""A self-test that was passed is not repeated, as long as all that it depends on stays the same."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import onnxruntime
import pytest

from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.scorer import ScorePair
from mtprobe.engine.demo import open_demo
from mtprobe.engine.selftest import memory as memories

REQUEST = OpenRequest(device="cpu", threads=1)
RUNS = 3  # of one test


def score(request=REQUEST):
    model = open_demo("", request)
    model.score([ScorePair("Hello.", "Olá.")])
    return model


def test_it_is_passed_once_per_model(probed, memory):
    for _ in range(3):
        score()
    assert probed["score"] == RUNS
    (path,) = memory.iterdir()
    assert path.read_text().startswith("demo:")


def test_each_kind_of_work_has_its_own(probed, memory):
    model = score()
    for _ in range(2):
        model.translate(["Hello."])
    assert probed == {"score": RUNS, "greedy": RUNS, "drafts": RUNS}
    assert len(list(memory.iterdir())) == 3


def test_another_version_of_the_runtime_is_tested_again(probed, monkeypatch):
    score()
    monkeypatch.setattr(onnxruntime, "__version__", "1.99.0")
    score()
    score()
    assert probed["score"] == 2 * RUNS


def test_another_provider_is_tested_again(probed, request):
    score()
    request.getfixturevalue("as_on_cuda")
    score()
    assert probed["score"] == 2 * RUNS


def test_another_number_format_is_tested_again(probed):
    score()
    score(replace(REQUEST, dtype="int8"))
    assert probed["score"] == 2 * RUNS


def test_another_processor_is_tested_again(probed, monkeypatch):
    score()
    monkeypatch.setattr(memories, "processor", lambda: "another one")
    score()
    assert probed["score"] == 2 * RUNS


@pytest.mark.parametrize("content", [b"", b"demo", b"\xff\xfe\x00"])
def test_a_damaged_memory_is_not_trusted(probed, memory, content):
    score()
    (path,) = memory.iterdir()
    path.write_bytes(content)
    score()
    score()
    assert probed["score"] == 2 * RUNS


def test_without_a_cache_each_model_is_tested(probed, monkeypatch):
    monkeypatch.setattr(memories, "cache_folder", lambda: None)
    score().score([ScorePair("Hello.", "Oi.")])
    score()
    assert probed["score"] == 2 * RUNS


def test_a_cache_that_cannot_be_written_is_no_reason_to_stop(probed, memory):
    memory.parent.mkdir()
    memory.write_text("a file where the folder would be")
    score()
    score()
    assert probed["score"] == 2 * RUNS


def test_old_memories_are_deleted(memory):
    score()
    (old,) = memory.iterdir()
    os.utime(old, (0, 0))
    score(replace(REQUEST, dtype="int8"))
    assert old not in set(memory.iterdir())


def test_the_processor_is_named():
    text = memories.processor()
    assert text
    if Path("/proc/cpuinfo").exists():
        assert "\n" not in text
