from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from mtprobe.engine.engines import Engine
from mtprobe.engine.runtime.cuda import CUDA
from mtprobe.engine.runtime.session import Session
from mtprobe.engine.selftest import memory as memories


@pytest.fixture(autouse=True)
def memory(tmp_path, monkeypatch):
    """The folder of the self-tests that were passed: empty. Converted models are shared with other tests."""
    monkeypatch.setattr(memories, "cache_folder", lambda: tmp_path / "cache" / "graphs")
    return tmp_path / "cache" / "selftests"


@pytest.fixture
def ignoring(monkeypatch):
    """Makes the runtime ignore masks: padded positions count as tokens, as in ONNX Runtime 1.20."""

    def ignore(*names: str) -> None:
        right = Session.run_with_device_outputs

        def wrong(self, outputs, device_outputs, inputs):
            ones = {name: np.ones_like(inputs[name]) for name in names if name in inputs}
            return right(self, outputs, device_outputs, {**inputs, **ones})

        in_place = Session.run_in_place

        def wrong_in_place(self, output, inputs, updated):
            ones = {name: np.ones_like(inputs[name]) for name in names if name in inputs}
            return in_place(self, output, {**inputs, **ones}, updated)

        monkeypatch.setattr(Session, "run_with_device_outputs", wrong)
        monkeypatch.setattr(Session, "run_in_place", wrong_in_place)

    return ignore


@pytest.fixture
def probed(monkeypatch) -> Counter[str]:
    """Counts the runs of self-tests by kind of work."""
    counts: Counter[str] = Counter()
    right = Engine.probe

    def counting(self, work, pairs):
        counts[work] += 1
        return right(self, work, pairs)

    monkeypatch.setattr(Engine, "probe", counting)
    return counts


@pytest.fixture
def as_on_cuda(monkeypatch):
    """Sessions say that they run on CUDA, and pass arrays as they do there; they compute on the CPU."""
    right = Session.__init__

    def opened(self, graph, device, threads):
        right(self, graph, device, threads)
        self.provider, self.bound = CUDA, True

    monkeypatch.setattr(Session, "__init__", opened)
