"""The demo model, for real: weights, graphs, translations, scores, gates"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

SUITES = Path(__file__).parents[2] / "suites"


@pytest.fixture
def shipped(pytester):
    shutil.copytree(SUITES, pytester.path / "suites")
    return pytester


def test_the_gender_suite_fails_for_women_and_passes_for_men(shipped):
    result = shipped.runpytest_inprocess(
        "-p",
        "no:hypothesispytest",
        "-v",
        "--mt-model=demo",
        "--mt-take=80",
        "--mt-report=report.html",
        "suites/gender",
    )
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "mtprobe: model demo (en→pt); evaluator: the model itself",
            "*/neutral.mt.yaml::chosen[[]male] FAILED*",
            "*/neutral.mt.yaml::chosen[[]female] PASSED*",
            "*/occupations.mt.yaml::accuracy[[]male] PASSED*",
            "*/occupations.mt.yaml::accuracy[[]female] FAILED*",
            "*/two-people.mt.yaml::accuracy[[]male] PASSED*",
            "*/two-people.mt.yaml::accuracy[[]female] FAILED*",
            "*demo:*:greedy:*",
            "*fp32, onnxruntime* CPUExecutionProvider*",
            "report: report.html",
        ]
    )
    assert (shipped.path / "report.html").stat().st_size > 10_000


def test_a_second_run_loads_no_model_at_all(shipped):
    (shipped.path / "conftest.py").write_text(
        """
import sys

def pytest_sessionfinish():
    heavy = {"onnxruntime", "onnx", "sentencepiece"} & set(sys.modules)
    print("HEAVY", sorted(heavy))
"""
    )
    suites = ("suites/gender", "suites/lexicon", "suites/minimal_pairs/en-pt")
    args = ("-p", "no:hypothesispytest", "-s", "--mt-model=demo", "--mt-take=3", *suites)
    first = shipped.runpytest_subprocess("-v", *args)
    first.stdout.fnmatch_lines(["*HEAVY*onnxruntime*"])
    second = shipped.runpytest_subprocess("-v", *args)
    second.stdout.fnmatch_lines(["*HEAVY []"])
    numbers = [
        [line for line in run.outlines if "passed " in line or "failed " in line] for run in (first, second)
    ]
    assert [line for line in numbers[0] if ">=" in line] == [line for line in numbers[1] if ">=" in line]
    second.stdout.fnmatch_lines(["*from the store*"])
