"""The graphs of the demo model compared with the reference, on every sentence."""

from __future__ import annotations

import numpy as np
import pytest

from mtprobe.engine.engines import FirefoxEngine
from tests.engine.reference import Reference

TIE = 1e-5


@pytest.fixture(scope="module")
def judged(reference: Reference, sources, translations) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each translation, the reference's scores of its tokens and of the likeliest ones."""
    return [reference.judge(*pair) for pair in zip(sources, translations, strict=True)]


def test_there_are_enough_sentences_to_speak_of_agreement(sentences):
    assert len(set(sentences)) >= 200


def test_every_translation_is_the_greedy_output_of_the_reference(sentences, judged):
    # If each token of a translation, EOS included, is the likeliest after the tokens before it, then by induction
    # it is the translation of the reference.
    for sentence, (emitted, likeliest) in zip(sentences, judged, strict=True):
        assert (emitted >= likeliest - TIE).all(), sentence


def test_token_log_probabilities_are_those_of_the_reference(alone, judged):
    for scores, (expected, _) in zip(alone, judged, strict=True):
        np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-4)


def test_unlikely_targets_are_scored_like_the_reference_too(
    engine: FirefoxEngine, reference: Reference, sources
):
    sources = sources[:-3:10]
    shifted = [*sources[1:], sources[0]]
    for source, target, scores in zip(sources, shifted, engine.network.score(sources, shifted), strict=True):
        expected, _ = reference.judge(source, target)
        np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-4)


def test_a_step_says_of_its_token_what_scoring_says(engine: FirefoxEngine, sources, translations):
    sources, translations = sources[:20], translations[:20]
    state, logprobs_by_step = engine.network.start(sources), []
    for _ in range(max(map(len, translations))):
        _, logprobs, state = engine.network.step(state)
        logprobs_by_step.append(logprobs)
    for row, scored in enumerate(engine.network.score(sources, translations)):
        np.testing.assert_allclose(np.array(logprobs_by_step)[: len(scored), row], scored, rtol=0, atol=1e-5)
