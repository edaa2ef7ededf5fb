"""Where a model runs, and what is said when it cannot run there."""

from __future__ import annotations

import numpy as np
import pytest

from mtprobe.errors import ModelError
from mtprobe.nets import session
from mtprobe.nets.builder import FLOAT, GraphBuilder
from mtprobe.nets.session import CPU, CUDA, Device, Session, parse_device


def doubling():
    graph = GraphBuilder("double")
    x = graph.input("x", FLOAT, ["n", 512])
    graph.output(graph("Mul", x, graph.weight(np.full(512, 2.0))), "y", FLOAT, ["n", 512])
    return graph.build()


@pytest.mark.parametrize(
    ("text", "device"),
    [
        ("auto", Device("auto")),
        ("cpu", Device("cpu")),
        ("cuda", Device("cuda")),
        ("cuda:3", Device("cuda", 3)),
    ],
)
def test_devices_are_named_like_this(text, device):
    assert parse_device(text) == device


@pytest.mark.parametrize("text", ["gpu", "CUDA", "cuda:", "cuda:x", "cpu:1", "auto:0", ""])
def test_an_unknown_device_is_refused_with_those_that_there_are(text):
    with pytest.raises(ModelError, match=r"unknown device.*auto, cpu, cuda"):
        parse_device(text)


def test_a_session_runs_and_says_on_what(capfd):
    opened = Session(doubling(), Device("cpu"), threads=1)
    (doubled,) = opened.run(["y"], {"x": np.ones((3, 512), np.float32)})
    assert (doubled == 2).all()
    assert opened.provider == CPU
    assert capfd.readouterr() == ("", "")


def without_device(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")


def test_auto_takes_the_cpu_quietly_where_there_is_no_gpu(monkeypatch, capfd):
    without_device(monkeypatch)
    assert Session(doubling(), Device("auto"), threads=1).provider == CPU
    assert capfd.readouterr() == ("", "")


def test_cuda_by_name_is_an_error_where_there_is_none(monkeypatch):
    without_device(monkeypatch)
    with pytest.raises(ModelError, match="CUDA was asked for"):
        Session(doubling(), Device("cuda"), threads=1)


def test_cuda_by_name_is_an_error_when_the_runtime_falls_back(monkeypatch):
    # As if a device were there and the libraries were not: the runtime then takes the CPU without asking.
    monkeypatch.setattr(session, "_providers", lambda *_: [CPU])
    with pytest.raises(ModelError, match="cuDNN"):
        Session(doubling(), Device("cuda"), threads=1)


def test_what_cuda_lacks_is_said(monkeypatch):
    class Runtime:
        @staticmethod
        def get_available_providers():
            return [CPU]

    with pytest.raises(ModelError, match="onnxruntime-gpu"):
        session._providers(Runtime, Device("cuda"))
    Runtime.get_available_providers = staticmethod(lambda: [CUDA, CPU])
    without_device(monkeypatch)
    with pytest.raises(ModelError, match="CUDA_VISIBLE_DEVICES"):
        session._providers(Runtime, Device("cuda"))
    assert session._providers(Runtime, Device("auto")) == [CPU]


def test_cuda_is_asked_for_without_the_shortcuts_that_round(monkeypatch):
    class Runtime:
        @staticmethod
        def get_available_providers():
            return [CUDA, CPU]

    monkeypatch.setattr(session, "_missing_for_cuda", lambda _: None)
    (name, options), fallback = session._providers(Runtime, Device("cuda", 2))
    assert (name, fallback) == (CUDA, CPU)
    assert options == {"device_id": 2, "use_tf32": "0"}
