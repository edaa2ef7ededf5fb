"""Every variant of the Llama family: the numbers of torch, alone as in a batch, whatever texts begin with."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtprobe.engine.runtime.causal_network import CausalSteps
from mtprobe.engine.runtime.prefix_paths import build_paths
from mtprobe.engine.search.beam import search
from mtprobe.engine.search.decoding import Decoding
from tests.engine.lm.models import END, SmallLm

LIMIT, WORDS = 16, 300
random = np.random.default_rng(1)


def tokens(count: int) -> tuple[int, ...]:
    return tuple(int(token) for token in random.integers(5, WORDS, count))


BEGINNINGS = [(), tokens(1), tokens(13)]
PROMPTS = [tokens(length) for length in (1, 2, 3, 5, 8, 13, 21)]
PAIRS = [
    *((prompt, tokens(length)) for prompt, length in zip(PROMPTS, (9, 1, 2, 14, 3, 7, 5), strict=True)),
    *((PROMPTS[3], tokens(length)) for length in (1, 4, 11)),
]
PAIRS += [(PROMPTS[3], (*PAIRS[3][1][:cut], 7, 8)) for cut in (1, 5)]  # these begin alike


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_scores_are_those_of_torch(variant: SmallLm, beginning):
    network = variant.network()
    prompts, targets = zip(*PAIRS, strict=True)
    scores = network.score(prompts, targets, network.begin(beginning))
    for prompt, target, actual in zip(prompts, targets, scores, strict=True):
        expected = variant.logprobs((*beginning, *prompt), target)
        np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-4)


@pytest.mark.parametrize("dtype", ["fp32", "int8"])
def test_a_score_in_a_batch_is_the_score_alone(variant: SmallLm, dtype):
    network = variant.network(dtype)
    beginning = network.begin(BEGINNINGS[2])
    prompts, targets = zip(*PAIRS, strict=True)
    for prompt, target, together in zip(
        prompts, targets, network.score(prompts, targets, beginning), strict=True
    ):
        (alone,) = network.score([prompt], [target], beginning)
        if dtype == "int8":
            np.testing.assert_array_equal(together, alone)
        else:
            np.testing.assert_allclose(together, alone, rtol=0, atol=1e-5)


@pytest.mark.parametrize("beginning", BEGINNINGS[::2])
def test_greedy_answers_are_those_of_generate(variant: SmallLm, beginning):
    network = variant.network()
    found = search(
        CausalSteps(network, network.begin(beginning)),
        [prompt[:-1] for prompt in PROMPTS],
        [prompt[-1:] for prompt in PROMPTS],
        Decoding(ends=(END,), max_new_tokens=LIMIT, batch_rows=4),  # so that some enter late
    )
    expected = [variant.generate((*beginning, *prompt), LIMIT) for prompt in PROMPTS]
    assert [best[0].tokens for best in found] == expected
    assert len(set(expected)) > 3  # the prompt matters


def test_beams_find_what_generate_finds(small_lm: SmallLm):
    network = small_lm.network()
    for beginning in BEGINNINGS[::2]:
        found = search(
            CausalSteps(network, network.begin(beginning)),
            [prompt[:-1] for prompt in PROMPTS],
            [prompt[-1:] for prompt in PROMPTS],
            Decoding(ends=(END,), max_new_tokens=LIMIT, beams=3),
        )
        expected = [small_lm.generate((*beginning, *prompt), LIMIT, num_beams=3) for prompt in PROMPTS]
        assert [best[0].tokens for best in found] == expected


def test_fp16_is_close(small_lm: SmallLm):
    exact, half = small_lm.network(), small_lm.network("fp16")
    prompts, targets = zip(*PAIRS, strict=True)
    scores = [
        np.concatenate(network.score(prompts, targets, network.begin(BEGINNINGS[2])))
        for network in (exact, half)
    ]
    assert 0 < np.abs(scores[0] - scores[1]).max() < 0.1
    steps = CausalSteps(half, half.begin(BEGINNINGS[2]))
    state, logprobs, _ = steps.step(steps.start([(5, 6)], [(7,)]), np.zeros(1, np.int64), np.array([7]), 4)
    assert np.isfinite(logprobs).all()
    assert state.keys_and_values[0].dtype == np.float16


def test_int8_moves_scores_a_little(small_lm: SmallLm):
    exact, rounded = small_lm.network(), small_lm.network("int8")
    prompts, targets = zip(*PAIRS, strict=True)
    scores = [
        np.concatenate(network.score(prompts, targets, network.begin(()))) for network in (exact, rounded)
    ]
    assert 0 < np.abs(scores[0] - scores[1]).mean() < 0.1


def test_a_text_longer_than_the_model_reads_is_refused(small_lm: SmallLm):
    network = small_lm.network()
    with pytest.raises(ValueError, match="this model reads at most 256"):
        network.score([tokens(250)], [tokens(9)], network.begin(()))


@settings(deadline=None)
@given(texts=st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=6), min_size=1, max_size=8))
def test_paths_hold_every_text_once(texts):
    paths = build_paths(texts)
    for text, path in zip(texts, paths.of_texts, strict=True):
        assert paths.tokens[path].tolist() == text
        assert paths.depths[path].tolist() == list(range(len(text)))
    assert len(paths.tokens) == len({tuple(text[:end]) for text in texts for end in range(1, len(text) + 1)})
    for token, (row, slot) in enumerate(zip(paths.rows, paths.slots, strict=True)):
        assert paths.unpack[row, slot] == token
        assert paths.path_unpack[row, paths.depths[token]] == token
        assert paths.attends()[row, slot].sum() == paths.depths[token] + 1
