"""The graphs of the demo model against the reference, on every sentence."""

from __future__ import annotations

import numpy as np
import pytest

from mtprobe.nets.engine import Engine

from .reference import Reference

TIE = 1e-5


@pytest.fixture(scope="module")
def expected(reference: Reference, sources, translations) -> list[np.ndarray]:
    """What the reference thinks of every next token, with each translation given to it."""
    return [reference.log_probabilities(*pair) for pair in zip(sources, translations, strict=True)]


def test_there_are_enough_sentences_to_speak_of_agreement(sentences):
    assert len(set(sentences)) >= 200


def test_every_translation_is_the_greedy_output_of_the_reference(sentences, translations, expected):
    # If each token of a translation, its end included, is the likeliest after the ones before, then
    # by induction it is what the reference would have said itself.
    for sentence, tokens, logprobs in zip(sentences, translations, expected, strict=True):
        emitted = logprobs[np.arange(len(tokens)), tokens]
        assert (emitted >= logprobs.max(axis=1) - TIE).all(), sentence


def test_token_log_probabilities_are_those_of_the_reference(engine: Engine, sources, translations, expected):
    for source, tokens, logprobs in zip(sources, translations, expected, strict=True):
        (scored,) = engine.network.score([source], [tokens])
        np.testing.assert_allclose(scored, logprobs[np.arange(len(tokens)), tokens], rtol=0, atol=1e-4)


def test_unlikely_targets_are_scored_like_the_reference_too(engine: Engine, reference: Reference, sources):
    sources = sources[::5]
    shifted = [*sources[1:], sources[0]]
    for source, tokens, scored in zip(sources, shifted, engine.network.score(sources, shifted), strict=True):
        logprobs = reference.log_probabilities(source, tokens)
        np.testing.assert_allclose(scored, logprobs[np.arange(len(tokens)), tokens], rtol=0, atol=1e-4)


def test_a_step_says_of_its_token_what_scoring_says(engine: Engine, sources, translations):
    sources, translations = sources[:20], translations[:20]
    state, said = engine.network.start(sources), []
    for _ in range(max(map(len, translations))):
        _, logprobs, state = engine.network.step(state)
        said.append(logprobs)
    for row, scored in enumerate(engine.network.score(sources, translations)):
        np.testing.assert_allclose(np.array(said)[: len(scored), row], scored, rtol=0, atol=1e-5)


def test_probabilities_add_up_to_one(engine: Engine, sources):
    # Every token of the vocabulary as a target of one token: together they are certain.
    first = np.array([scores[0] for scores in engine.network.score([sources[3]] * 500, [(i,) for i in range(500)])])
    rest = [
        np.exp([scores[0] for scores in engine.network.score([sources[3]] * 500, [(i,) for i in range(start, start + 500)])])
        for start in range(500, engine.pieces.size, 500)
    ]
    assert np.exp(first).sum() + np.sum(rest) == pytest.approx(1, abs=1e-4)
