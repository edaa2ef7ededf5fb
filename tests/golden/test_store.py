"""A store that was written before: everything in it is found again, and nothing is asked of a model a second time.

Without `store.sqlite` beside this file, `MTPROBE_GOLDEN=write` makes it.
"""

from __future__ import annotations

import json
import shutil

import pytest

from mtprobe import read_run
from tests.golden.conftest import HERE, WRITING

STORE = HERE / "store.sqlite"

# Under the toy's own name, since that is part of what its rows are kept under.
FORGETFUL = '''
class Forgetful:
    """Must not be asked: all that it could say is in the store."""

    fingerprint = "fair"

    def __call__(self, sources):
        raise AssertionError(f"translated again: {sources}")

    def score(self, pairs):
        raise AssertionError(f"scored again: {pairs}")


fair = Forgetful()
'''


@pytest.fixture
def stored(project):
    """A project that has a copy of the store."""
    if WRITING and not STORE.exists():
        _run(project, "python:golden_toys:fair", "--mt-target=pt")
        _run(project, "demo")
        shutil.copy(project.path / "store.sqlite", STORE)
    shutil.copy(STORE, project.path / "store.sqlite")
    return project


def _run(project, model, *args):
    return project.runpytest_inprocess(
        "-p",
        "no:hypothesispytest",
        f"--mt-model={model}",
        "--mt-store=store.sqlite",
        "--mt-record=run.jsonl",
        "--mt-baseline=none",
        "--mt-counterfactuals=0",  # which the store does not have
        *args,
        "suites",
    )


def _held(mtprobe_says):
    """Translations and scores in the store, by model; lemmas, languages and alignments of texts belong to no model."""
    said = mtprobe_says("store", "stats", "--store=store.sqlite", "--json").partition("\n")[2]
    models = [one for one in json.loads(said)["models"] if one["translations"] or one["scores"]]
    held = {one["fingerprint"]: (one["translations"], one["scores"]) for one in models}
    return "".join(f"{name}: {counts[0]} translations, {counts[1]} scores\n" for name, counts in held.items())


def _told(project):
    """Each sample with its translation, its verdict and its scores."""
    run = read_run(project.path / "run.jsonl")
    return "".join(
        f"{suite.suite} {suite.method} {one.id}: {one.verdict.outcome} {_scores(one)} {one.translation}\n"
        for suite in run.suites
        for one in suite.results
    )


def _scores(result):
    return " ".join(f"{one.score:.4f}" for one in result.verdict.evidence if one.score is not None) or "–"


def test_a_callable_is_not_asked_again_for_what_the_store_has(stored, mtprobe_says, golden):
    (stored.path / "golden_toys.py").write_text(FORGETFUL, encoding="utf-8")
    before = _held(mtprobe_says)
    result = _run(stored, "python:golden_toys:fair", "--mt-target=pt")
    assert "ed again: " not in result.stdout.str()
    assert _held(mtprobe_says) == before
    golden("store/rows.txt", before)
    golden("store/fair.txt", _told(stored))


def test_the_demo_model_is_not_even_loaded_for_what_the_store_has(stored, mtprobe_says, golden):
    before = _held(mtprobe_says)
    _run(stored, "demo")
    assert _held(mtprobe_says) == before
    run = read_run(stored.path / "run.jsonl")
    assert {suite.model.provider for suite in run.suites} == {"from the store"}
    golden("store/demo.txt", _told(stored))


def test_the_store_is_exported_as_before(stored, mtprobe_says, golden):
    mtprobe_says("store", "export", "--store=store.sqlite", "export.jsonl")
    lines = (stored.path / "export.jsonl").read_text(encoding="utf-8").splitlines()
    golden("store/export.txt", "".join(f"{line}\n" for line in lines[:20]) + f"{len(lines)} lines\n")
