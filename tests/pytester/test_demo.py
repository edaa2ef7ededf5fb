"""The demo model, for real: weights, graphs, translations, scores, gates"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mtprobe.engine.runtime import installed

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


def test_two_builds_of_onnx_runtime_are_reported_below_the_model(shipped, monkeypatch):
    """The metadata is all that differs: the two packages have the same files."""
    for name in ("onnxruntime", "onnxruntime-gpu"):
        folder = shipped.path / f"{name.replace('-', '_')}-1.31.1.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.31.1\n")
    monkeypatch.syspath_prepend(str(shipped.path))
    installed._warn_of_two.cache_clear()
    result = shipped.runpytest_inprocess(
        "-p", "no:hypothesispytest", "-q", "--mt-model=demo", "--mt-take=2", "suites/gender/occupations.mt.yaml"
    )  # fmt: skip
    installed._warn_of_two.cache_clear()
    result.stdout.fnmatch_lines(
        [
            "mtprobe: model demo (en→pt); evaluator: the model itself",
            "mtprobe: onnxruntime and onnxruntime-gpu are both installed. *Keep one: pip uninstall -y *",
        ]
    )


def test_a_sample_that_two_gates_blame_is_shown_once(shipped):
    """The example of the README: the worst samples of one gate are those of the next, too."""
    readme = (SUITES.parent / "README.md").read_text(encoding="utf-8")
    suite = readme.partition("<!-- file: occupations.mt.yaml -->\n```yaml\n")[2].partition("```")[0]
    (shipped.path / "example.mt.yaml").write_text(suite, encoding="utf-8")
    result = shipped.runpytest_inprocess("-p", "no:hypothesispytest", "--mt-model=demo", "example.mt.yaml")
    lines = [line for line in result.outlines if line.startswith("  example.mt.yaml:")]
    assert len(lines) == len(set(lines)) > 1, lines
