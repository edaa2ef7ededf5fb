"""Whole runs: the summary in the terminal, the Markdown, and what a failing gate of each metric says."""

from __future__ import annotations

import re

import pytest

MODELS = {
    "fair": ["--mt-model=python:golden_toys:fair", "--mt-target=pt"],
    "cliche": ["--mt-model=python:golden_toys:cliche", "--mt-target=pt"],
    "silent": ["--mt-model=python:golden_toys:silent", "--mt-target=pt"],
    "judged": [
        "--mt-model=one=python:golden_toys:cliche",
        "--mt-model=other=python:golden_toys:fair",
        "--mt-evaluator=python:golden_toys:fair",
        "--mt-target=pt",
        "--mt-take=6",
        "--mt-undecided=skip",
        "--mt-set=people:gap=<= 1",
    ],
    "demo": ["--mt-model=demo", "--mt-salience=4"],
}
_SECTION = re.compile(r"^=+ (.+?) =+$")


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("args", "name"), [(["-v"], "{}.txt"), (["-ra"], "{}.screen.txt")])
def test_a_run_ends_with_the_words_that_it_ended_with(model, args, name, project, golden):
    """`demo`, and toys that are right, wrong by cliché, silent, and judged by another; with -v, and on one screen."""
    result = project.runpytest_inprocess(
        "-p",
        "no:hypothesispytest",
        "-rsxX",
        *args,
        *MODELS[model],
        "--mt-no-store",
        "--mt-record=run.jsonl",
        "--mt-markdown=run.md",
        "--mt-report=run.html",
        f"--mt-baseline={'none' if model == 'demo' else 'baseline.jsonl'}",
        "suites",
    )
    golden(
        f"runs/{name.format(model)}", _any_runtime("".join(f"{line}\n" for line in _told(result.outlines)))
    )
    golden(f"runs/{model}.md", _any_runtime((project.path / "run.md").read_bytes().decode()))


def _any_runtime(text):
    """Without the version of ONNX Runtime, which is not mtprobe's to say."""
    return re.sub(r"onnxruntime(-gpu)? [0-9.]+", "onnxruntime …", text)


def _told(lines):
    """Failures, the summary, and why gates were skipped; not what versions are installed, nor progress."""
    wanted = False
    for line in lines:
        if heading := _SECTION.match(line):
            wanted = heading[1] in ("FAILURES", "ERRORS", "mtprobe", "short test summary info")
            if heading[1] != "warnings summary":  # they depend on how mtprobe is installed
                yield f"== {re.sub(r'(, [0-9]+ warnings?)? in [0-9.]+s.*', '', heading[1])} =="
        elif wanted or line.startswith("mtprobe: "):
            yield _plain(line)


def _plain(line):
    """Without the width of the terminal, and without the module that skipped."""
    titled = re.sub(r"^_+ (.+?) _+$", r"__ \1 __", line.rstrip())
    return re.sub(r"^(SKIPPED \[\d+\]) \S+\.py:\d+:", r"\1", titled)
