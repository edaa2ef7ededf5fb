"""The device that a model runs on, and errors if it cannot run there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mtprobe.backends.device import Device, device_for, parse_device, parse_dtype
from mtprobe.engine.graphs.builder import FLOAT, GraphBuilder
from mtprobe.engine.runtime import cuda
from mtprobe.engine.runtime.cuda import CUDA
from mtprobe.engine.runtime.session import CPU, Session
from mtprobe.errors import ModelError


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


def as_if_there_were(monkeypatch, count: int, visible: str | None = None):
    monkeypatch.setattr(cuda, "_devices", lambda: count)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    if visible is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)


class Runtime:
    """An ONNX Runtime that was built for CUDA."""

    @staticmethod
    def get_available_providers():
        return [CUDA, CPU]


def test_auto_takes_the_cpu_quietly_where_there_is_no_gpu(monkeypatch, capfd):
    without_device(monkeypatch)
    assert Session(doubling(), Device("auto"), threads=1).provider == CPU
    assert capfd.readouterr() == ("", "")


def test_cuda_by_name_is_an_error_where_there_is_none(monkeypatch):
    without_device(monkeypatch)
    with pytest.raises(ModelError, match=r"^CUDA was asked for, but .* hides every device; `device=auto`"):
        Session(doubling(), Device("cuda"), threads=1)


def test_a_runtime_without_cuda_is_reported():
    class Without:
        @staticmethod
        def get_available_providers():
            return [CPU]

    assert 'pip install "mtprobe[onnx]"' in cuda.missing(Without, 0)


@pytest.mark.parametrize("hidden", ["", "-1"])
def test_hidden_devices_are_reported(monkeypatch, hidden):
    as_if_there_were(monkeypatch, 2, hidden)
    assert "CUDA_VISIBLE_DEVICES hides every device" in cuda.missing(Runtime, 0)


def test_a_machine_without_devices_is_reported(monkeypatch):
    as_if_there_were(monkeypatch, 0)
    assert "no NVIDIA device is present" in cuda.missing(Runtime, 0)


@pytest.mark.parametrize(
    ("count", "visible", "index", "message"),
    [
        (2, None, 7, "there is no cuda:7: this machine has cuda:0 to cuda:1"),
        (1, None, 1, "there is no cuda:1: this machine has cuda:0"),
        (8, "3,5", 2, "there is no cuda:2: CUDA_VISIBLE_DEVICES=3,5 shows cuda:0 to cuda:1"),
        (2, None, 1, None),
        (8, "3,5", 1, None),
        (cuda.UNKNOWN_COUNT, None, 7, None),
    ],
)
def test_a_device_beyond_those_that_there_are_is_reported(monkeypatch, count, visible, index, message):
    as_if_there_were(monkeypatch, count, visible)
    assert cuda.missing(Runtime, index) == message


def pretending(monkeypatch, providers: list[str], failing: str | None = None) -> list[list[Any]]:
    """Makes the runtime return these providers for CUDA, or fail; returns the requested providers."""
    import onnxruntime

    real, requested = onnxruntime.InferenceSession, []

    def opened(graph, options, *, providers, **_):
        requested.append(providers)
        if failing and providers != [CPU]:
            raise RuntimeError(failing)
        session = real(graph, options, providers=[CPU])
        session.get_providers = lambda: given if providers != [CPU] else [CPU]
        return session

    given = providers
    monkeypatch.setattr(cuda, "missing", lambda *_: None)
    monkeypatch.setattr(onnxruntime, "InferenceSession", opened)
    return requested


def test_cuda_by_name_is_an_error_when_the_runtime_falls_back(monkeypatch):
    # As with a device but no libraries: the runtime then silently uses the CPU.
    pretending(monkeypatch, [CPU])
    with pytest.raises(
        ModelError, match=r"CUDA was asked for, but ONNX Runtime [\d.]+ could not start it: .*(CUDA|cu)"
    ):
        Session(doubling(), Device("cuda"), threads=1)
    assert Session(doubling(), Device("auto"), threads=1).provider == CPU


def test_the_library_that_cannot_be_loaded_is_named(monkeypatch, capfd):
    """With the real runtime, if it was built for CUDA and there is no device."""
    import onnxruntime

    if CUDA not in onnxruntime.get_available_providers():
        pytest.skip("this ONNX Runtime was built without CUDA")
    monkeypatch.setattr(cuda, "missing", lambda *_: None)
    try:
        opened = Session(doubling(), Device("auto"), threads=1)
    except ModelError:
        pytest.fail("auto takes the CPU where CUDA does not start")
    if opened.provider == CUDA:
        pytest.skip("CUDA works here")
    with pytest.raises(
        ModelError, match=r"could not start it: .*lib\w+\.so[\d.]*: cannot open shared object file"
    ):
        Session(doubling(), Device("cuda"), threads=1)
    assert capfd.readouterr() == ("", "")  # what the runtime would print is in the error


def test_what_cuda_says_when_it_fails_is_reported(monkeypatch):
    requested = pretending(monkeypatch, [CUDA, CPU], failing="CUDA failure 101: invalid device ordinal")
    with pytest.raises(ModelError, match="invalid device ordinal"):
        Session(doubling(), Device("cuda", 5), threads=1)
    assert Session(doubling(), Device("auto"), threads=1).provider == CPU
    assert requested[-1] == [CPU]


def test_cuda_is_asked_for_without_the_shortcuts_that_round(monkeypatch):
    requested = pretending(monkeypatch, [CUDA, CPU])
    opened = Session(doubling(), Device("cuda", 2), threads=1)
    (((name, options), fallback),) = requested
    assert (name, fallback, opened.provider) == (CUDA, CPU, CUDA)
    assert options == {"device_id": 2, "use_tf32": "0"}
    assert opened.bound


def test_fp16_says_why_it_wants_cuda(monkeypatch):
    without_device(monkeypatch)
    with pytest.raises(ModelError, match=r"^fp16 runs on CUDA only, but .* hides every device; `dtype=fp32`"):
        Session(doubling(), device_for("fp16", Device("auto")), threads=1)


def test_what_fails_on_cuda_while_running_is_the_users_to_know(monkeypatch):
    pretending(monkeypatch, [CUDA, CPU])
    opened = Session(doubling(), Device("cuda"), threads=1)

    def out_of_memory(*_):
        raise RuntimeError("Failed to allocate memory for requested buffer")

    monkeypatch.setattr(opened, "_run_bound", out_of_memory)
    with pytest.raises(ModelError, match=r"CUDA failed: Failed to allocate memory.*the device cpu"):
        opened.run(["y"], {"x": np.ones((3, 512), np.float32)})


# -- number formats and devices --


@pytest.mark.parametrize("text", ["fp32", "fp16", "int8"])
def test_number_formats_are_named_like_this(text):
    assert parse_dtype(text) == text


@pytest.mark.parametrize("text", ["", "float32", "FP16", "int4", "bf16"])
def test_an_unknown_number_format_is_refused_with_those_that_there_are(text):
    with pytest.raises(ModelError, match=r"unknown number format.*fp32, fp16 or int8"):
        parse_dtype(text)


def test_fp32_runs_anywhere():
    for device in (Device("auto"), Device("cpu"), Device("cuda", 1)):
        assert device_for("fp32", device) == device


def test_fp16_is_refused_on_the_cpu():
    with pytest.raises(ModelError, match="fp16 runs on CUDA only: on the CPU it would be slower"):
        device_for("fp16", Device("cpu"))
    assert device_for("fp16", Device("cuda", 3)) == Device("cuda", 3)
    assert device_for("fp16", Device("auto")).name == "cuda"


def test_int8_takes_the_cpu_and_is_refused_on_cuda():
    assert device_for("int8", Device("auto")) == device_for("int8", Device("cpu")) == Device("cpu")
    with pytest.raises(ModelError, match="int8 runs on the CPU only"):
        device_for("int8", Device("cuda"))
