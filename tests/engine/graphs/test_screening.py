"""The likeliest word by int8: where it claims a lead, it is the likeliest, and at least that far ahead."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtprobe.engine.graphs.screening import BLOCK, CHUNK, SMALLEST, screen_graph
from mtprobe.engine.graphs.weights import Linear
from mtprobe.engine.runtime.session import Session
from tests.engine.random_models import CPU

WIDTH, ROUNDING = 24, 1e-5


def screened(output: Linear, hidden: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    word, lead = Session(screen_graph(output), CPU, 1).run(["word", "lead"], {"hidden": hidden})
    return word, lead


def logits(output: Linear, hidden: np.ndarray) -> np.ndarray:
    products = hidden.astype(np.float64) @ output.matrix.T.astype(np.float64)
    return products if output.bias is None else products + output.bias


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    vocabulary=st.sampled_from(
        [SMALLEST, SMALLEST + 1, 5 * CHUNK - 1, 300, BLOCK + CHUNK, BLOCK + CHUNK + 7]
    ),
    rows=st.integers(1, 9),
    has_bias=st.booleans(),
    spread=st.floats(0, 3),
)
def test_a_lead_is_never_too_large(seed, vocabulary, rows, has_bias, spread):
    random = np.random.default_rng(seed)
    scales = np.exp(spread * random.standard_normal((vocabulary, 1)))
    matrix = (scales * random.standard_normal((vocabulary, WIDTH))).astype(np.float32)
    bias = random.standard_normal(vocabulary).astype(np.float32) if has_bias else None
    hidden = np.exp(spread * random.standard_normal((rows, 1))) * random.standard_normal((rows, WIDTH))
    hidden = hidden.astype(np.float32)
    output = Linear(matrix, bias)
    word, lead = screened(output, hidden)
    exact = logits(output, hidden)
    best = np.sort(exact, axis=1)
    sure = lead > 0
    assert (word[sure] == exact.argmax(axis=1)[sure]).all()
    assert (lead <= best[:, -1] - best[:, -2] + ROUNDING * np.abs(exact).max()).all()


def test_a_clear_winner_has_a_lead():
    random = np.random.default_rng(1)
    matrix = random.standard_normal((500, WIDTH)).astype(np.float32)
    words = [0, 17, 255, 498, 499]
    word, lead = screened(Linear(matrix, None), 2 * matrix[words])
    assert word.tolist() == words
    assert (lead[:3] > 1).all()  # the last chunk overlaps with others, so its words may lead themselves


def test_equal_words_have_no_lead():
    matrix = np.random.default_rng(2).standard_normal((500, WIDTH)).astype(np.float32)
    matrix[400] = matrix[3]
    _, lead = screened(Linear(matrix, None), 2 * matrix[[3]])
    assert lead[0] <= 0


@pytest.mark.parametrize("excluded", [-np.inf, -1e9])
def test_words_that_the_bias_excludes_never_win(excluded):
    matrix = np.random.default_rng(3).standard_normal((500, WIDTH)).astype(np.float32)
    bias = np.zeros(500, np.float32)
    bias[:CHUNK] = excluded
    output = Linear(matrix, bias)
    word, lead = screened(output, 2 * matrix[:CHUNK])
    exact = logits(output, 2 * matrix[:CHUNK])
    assert (word[lead > 0] == exact.argmax(axis=1)[lead > 0]).all()
    assert not np.isnan(lead).any()
    assert (word >= CHUNK).all()
