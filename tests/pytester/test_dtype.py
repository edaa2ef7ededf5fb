"""--mt-dtype"""

from __future__ import annotations

import pytest

from mtprobe.backends.device import DTYPES
from mtprobe.pytest_plugin import options


def signature(project) -> str:
    (suite,) = (line for line in project.record() if line["kind"] == "suite")
    return f"{suite['model']['fingerprint']} {suite['model']['dtype']}"


def test_the_choice_is_part_of_the_fingerprint_and_of_the_signature(project):
    project.pytest("-v", "--mt-model=demo", "--mt-take=4", model=None)
    exact = signature(project)
    result = project.pytest("-v", "--mt-model=demo", "--mt-take=4", "--mt-dtype=int8", model=None)
    rounded = signature(project)
    assert rounded == exact.replace("fp32:v1", "int8:v2").replace("fp32", "int8")
    result.stdout.fnmatch_lines(["*max 256 tokens, int8, onnxruntime* CPUExecutionProvider*"])


def test_what_was_computed_in_another_format_is_not_reused(project):
    project.pytest("--mt-model=demo", "--mt-take=4", model=None)
    project.pytest("--mt-model=demo", "--mt-take=4", "--mt-dtype=int8", model=None)
    (suite,) = (line for line in project.record() if line["kind"] == "suite")
    assert suite["model"]["provider"] == "CPUExecutionProvider"  # it ran, and came not from the store
    project.pytest("--mt-model=demo", "--mt-take=4", "--mt-dtype=int8", model=None)
    (suite,) = (line for line in project.record() if line["kind"] == "suite")
    assert suite["model"]["provider"] == "from the store"


def test_an_unknown_format_is_a_usage_error(project):
    result = project.pytest("--mt-model=demo", "--mt-dtype=int4", model=None)
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--mt-dtype: invalid choice: 'int4'*fp32*fp16*int8*"])


def test_the_choices_are_the_formats_that_there_are():
    assert options._DTYPES == DTYPES


def test_the_ini_file_may_say_it_and_is_checked(project):
    project.pytester.makeini("[pytest]\nmt_dtype = int8\nmt_model = demo\nmt_take = 4\n")
    project.pytest(model=None)
    assert "int8" in signature(project)
    project.pytester.makeini("[pytest]\nmt_dtype = int4\nmt_model = demo\nmt_take = 4\n")
    result = project.pytest(model=None)
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--mt-dtype: int4 is not fp32, fp16 or int8"])


@pytest.mark.parametrize(
    ("dtype", "device", "said"),
    [
        ("fp16", "cpu", "fp16 runs on CUDA only: on the CPU it would be slower than fp32*"),
        ("int8", "cuda", "int8 runs on the CPU only; on CUDA use --mt-dtype=fp16 for speed"),
    ],
)
def test_a_format_that_the_device_does_not_have_is_a_usage_error(project, dtype, device, said):
    result = project.pytest("--mt-model=demo", f"--mt-dtype={dtype}", f"--mt-device={device}", model=None)
    assert result.ret == 4
    result.stderr.fnmatch_lines([f"*{said}"])


@pytest.mark.slow
def test_fp16_without_cuda_is_an_error_that_says_what_is_missing(project, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    result = project.pytest("-v", "--mt-model=demo", "--mt-dtype=fp16", "--mt-take=4", model=None)
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(
        [
            "fp16 runs on CUDA only, but CUDA_VISIBLE_DEVICES hides every device; --mt-dtype=fp32 uses what is available"
        ]
    )
    assert "Traceback" not in result.stdout.str()


def test_it_does_not_concern_models_that_are_not_ours_to_compute(project):
    result = project.pytest("--mt-dtype=fp16")
    assert "fp16" not in result.stdout.str()
    assert result.ret == 0
