"""--mt-device"""

from __future__ import annotations

import pytest

from mtprobe.backends.device import parse_device
from mtprobe.errors import ModelError


def test_an_unknown_device_is_a_usage_error(project):
    result = project.pytest("--mt-model=demo", "--mt-device=tpu", model=None)
    assert result.ret == 4
    result.stderr.fnmatch_lines(['*unknown device "tpu"; choose auto, cpu, cuda or cuda:N'])


def test_the_cpu_may_be_asked_for(project):
    result = project.pytest("-v", "--mt-model=demo", "--mt-device=cpu", "--mt-take=4", model=None)
    result.stdout.fnmatch_lines(["*CPUExecutionProvider*"])


def test_cuda_that_is_not_there_is_an_error_that_says_what_is_missing(project, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    result = project.pytest("-v", "--mt-model=demo", "--mt-device=cuda", "--mt-take=4", model=None)
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(["CUDA was asked for, but CUDA_VISIBLE_DEVICES hides every device*"])
    assert "Traceback" not in result.stdout.str()
    assert "mtprobe/nets" not in result.stdout.str()


@pytest.mark.parametrize("text", ["auto", "cpu", "cuda", "cuda:1"])
def test_devices_are_read(text):
    parse_device(text)


@pytest.mark.parametrize("text", ["", "gpu", "cuda:", "cuda:-1", "cuda:x", "CPU "])
def test_what_is_no_device_is_told(text):
    with pytest.raises(ModelError, match="unknown device"):
        parse_device(text)
