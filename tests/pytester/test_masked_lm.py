"""Suites for masked language models, as a user runs them."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

pytest.importorskip("tokenizers")

from tests.engine import masked_models
from tests.engine.lm.models import START, make

VOICES = {"cat": "meows", "dog": "barks", "bird": "sings", "frog": "croaks"}
SUITE = """
mtprobe: 1
name: voices
about: Does the language model know who says what?
languages: {source: en, targets: en}
method: masked-lm
variants: {legs: [2, 4]}
cluster: pair
gates:
  accuracy: ">= 0.90"
  pair_accuracy: ">= 0.90"
  bias[legs]: "<= 0.10"
samples:
"""
SAMPLE = """\
  - id: {right}-not-{wrong}
    source: "the _ {voice} here ."
    attributes: {{pair: {pair}}}
    fillers:
      correct: {right}
      incorrect: {wrong}
      variants: {{legs: {{correct: {right_legs}, incorrect: {wrong_legs}}}}}
"""
LEGS = {"cat": 4, "dog": 4, "bird": 2, "frog": 4}


def samples(*pairs):
    text = ""
    for one, other in pairs:
        for right, wrong in ((one, other), (other, one)):
            text += SAMPLE.format(
                voice=VOICES[right],
                pair=f"{one}-{other}",
                right=right,
                wrong=wrong,
                right_legs=LEGS[right],
                wrong_legs=LEGS[wrong],
            )
    return text


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mlm") / "voices"
    model, tokenizer = masked_models.make(folder, sharp=False)
    masked_models.train(
        model,
        tokenizer,
        [f"the {who} {voice} {when} ." for who, voice in VOICES.items() for when in ("today", "here")],
    )
    masked_models.save(folder, model, tokenizer)
    return folder


@pytest.fixture
def voices(project):
    (project.path / "suites" / "occupations.mt.yaml").unlink()
    project.suite("voices", SUITE + samples(("cat", "bird"), ("dog", "bird"), ("frog", "cat")))
    return project


def test_a_language_model_that_has_learned_it_passes_with_pairs_and_without_bias(voices, trained):
    result = voices.pytest(f"--mt-model=mlm:{trained}", "--mt-target=en", model=None)
    result.assert_outcomes(passed=3)
    record = voices.record()
    first = next(line for line in record if line["kind"] == "sample")
    assert [one["text"] for one in first["verdict"]["evidence"]] == [
        "the cat meows here .",
        "the bird meows here .",
    ]
    assert first["translation"] is None
    (suite,) = (line for line in record if line["kind"] == "suite")
    assert (suite["source"], suite["target"], suite["method"]) == ("en", "en", "masked-lm")


def test_the_language_must_be_that_of_the_suite(voices, trained):
    result = voices.pytest(
        f"--mt-model=mlm:{trained}", "--mt-target=de", "--mt-allow-skips", "-rs", model=None
    )
    result.assert_outcomes(skipped=3)
    result.stdout.fnmatch_lines(["*the suite is for en→en*"])


def test_a_model_that_translates_is_skipped_with_the_reason(voices):
    result = voices.pytest(
        "-rs", "--mt-allow-skips", "--mt-target=en", "--mt-model=python:toys:fair", model=None
    )
    result.assert_outcomes(skipped=3)
    result.stdout.fnmatch_lines(
        ["*masked-lm is for language models that read no source, but python-*fair is not one*mlm:*"]
    )


def test_a_language_model_is_no_evaluator(project, trained):
    result = project.pytest(f"--mt-evaluator=lm=mlm:{trained}")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*lm is a language model that does not read the source*"])


def test_a_language_model_cannot_judge_translations(project, trained):
    result = project.pytest(
        f"--mt-model=lm=mlm:{trained}", "--mt-target=pt", "--mt-allow-skips", "-rs", model=None
    )
    result.assert_outcomes(skipped=4)
    result.stdout.fnmatch_lines(["*lm cannot translate*"])


@pytest.mark.parametrize("way", ["mean", "sum"])
def test_a_causal_model_scores_sentences_by_mean_or_sum(voices, tmp_path, way):
    model = make(tmp_path / "causal", "grouped queries")
    suite = SUITE.replace("method: masked-lm", f"method: masked-lm\nsentence_score: {way}")
    voices.suite("voices", suite + samples(("cat", "bird"), ("dog", "bird")))
    voices.pytest(f"--mt-model=lm:{model.folder}?prompt=none", "--mt-target=en", model=None)
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(model.folder / "tokenizer.json"))
    judged = [line for line in voices.record() if line["kind"] == "sample"]
    assert len(judged) == 4
    for line in judged:
        right, wrong = (one["score"] for one in line["verdict"]["evidence"])
        assert line["verdict"]["outcome"] == ("correct" if right > wrong else "incorrect")
        for one in line["verdict"]["evidence"]:
            logprobs = model.logprobs((START,), tokenizer.encode(one["text"]).ids)
            assert one["score"] == pytest.approx(getattr(logprobs, way)(), abs=1e-4 * len(logprobs))


def test_a_model_with_a_prompt_is_told_to_do_without(voices, tmp_path):
    model = make(tmp_path / "causal", "grouped queries")
    result = voices.pytest(f"--mt-model=lm:{model.folder}", "--mt-source=en", "--mt-target=en", model=None)
    assert "lm:NAME_OR_PATH?prompt=none" in str(result.stdout) + str(result.stderr)
