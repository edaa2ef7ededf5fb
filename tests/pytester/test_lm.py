"""Suites on a language model, as a user runs them."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from tests.engine.lm.models import make

OCCUPATIONS = "suites/occupations.mt.yaml"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return make(tmp_path_factory.mktemp("lm") / "small", "grouped queries").folder


def test_a_run_shows_the_prompt_and_finds_that_random_answers_are_no_translations(project, folder):
    spec = f"lm:{folder}?source=en&target=pt&max_new_tokens=6"
    project.pytest(f"--mt-model={spec}", "--mt-take=6", OCCUPATIONS, model=None)
    record = project.record()
    head = next(line for line in record if line["kind"] == "suite")
    assert head["model"]["name"] == "lm-small"
    assert "greedy, max 6 tokens, prompt chat (" in head["model"]["decoding"]
    outcomes = [line["verdict"]["outcome"] for line in record if line["kind"] == "sample"]
    assert len(outcomes) == 6
    assert set(outcomes) == {"degenerate"}


def test_a_prompt_with_a_typo_is_a_usage_error_with_its_place(project, folder):
    (project.path / "mine.yaml").write_text("instruction: '{source}'\nstile: plain\n", encoding="utf-8")
    spec = f"lm:{folder}?source=en&target=pt&prompt=mine.yaml"
    result = project.pytest(f"--mt-model={spec}", OCCUPATIONS, model=None)
    assert result.ret == 4
    assert 'mine.yaml:2:1: stile: unknown key; did you mean "style"?' in str(result.stderr)
