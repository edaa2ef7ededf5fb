"""From hidden vectors to log-probabilities, whatever the size of the vocabulary."""

from __future__ import annotations

import numpy as np
import pytest

from mtprobe.backends.device import Device
from mtprobe.engine.graphs.projection import CHUNK, judge_graph, project_graph
from mtprobe.engine.graphs.projection import PROJECT_BLOCK as BLOCK
from mtprobe.engine.graphs.weights import Linear
from mtprobe.engine.runtime.session import Session

SIZES = [5, BLOCK, BLOCK + 1, 3 * BLOCK + 17]


def opened(graph, size: int, bias: bool, ruled_out: bool = False):
    random = np.random.default_rng(size)
    matrix = random.standard_normal((size, 16)).astype(np.float32)
    vector = random.standard_normal(size).astype(np.float32) if bias else None
    if ruled_out:
        vector[::3] = -1e9
    hidden = random.standard_normal((9, 16)).astype(np.float32)
    logits = hidden.astype(np.float64) @ matrix.T + (0 if vector is None else vector)
    most = logits.max(axis=1, keepdims=True)
    expected = logits - most - np.log(np.exp(logits - most).sum(axis=1, keepdims=True))
    session = Session(graph(Linear(matrix, vector)), Device("cpu"), threads=1)
    return session, hidden, expected


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("bias", [True, False])
def test_given_words_have_their_log_probabilities(size, bias):
    session, hidden, expected = opened(judge_graph, size, bias)
    rows, words = np.array([0, 3, 3, 8, 8]), np.array([0, size - 1, 1, 2, 2])
    (logprobs,) = session.run(
        ["logprobs"],
        {"hidden": hidden, "asked_rows": rows, "target": words},
    )
    np.testing.assert_allclose(logprobs, expected[rows, words], rtol=0, atol=1e-5)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("top", [1, 5, "all"])
def test_the_likeliest_words_come_best_first(size, top):
    session, hidden, expected = opened(project_graph, size, bias=True)
    top = size if top == "all" else top
    logprobs, words = session.run(
        ["top_logprobs", "top_words"],
        {"hidden": hidden, "top": np.array([top])},
    )
    assert logprobs.shape == words.shape == (9, top)
    np.testing.assert_allclose(logprobs, -np.sort(-expected, axis=1)[:, :top], rtol=0, atol=1e-5)
    np.testing.assert_allclose(np.take_along_axis(expected, words, axis=1), logprobs, rtol=0, atol=1e-5)


def test_words_that_are_ruled_out_do_not_blur_the_others():
    session, hidden, expected = opened(project_graph, 2 * BLOCK, bias=True, ruled_out=True)
    logprobs, words = session.run(
        ["top_logprobs", "top_words"],
        {"hidden": hidden, "top": np.array([4])},
    )
    np.testing.assert_allclose(logprobs, -np.sort(-expected, axis=1)[:, :4], rtol=0, atol=1e-5)
    assert (words % 3 != 0).all()


def test_equal_words_come_by_rising_id():
    matrix = np.tile(np.eye(4, 16, dtype=np.float32), (BLOCK, 1))
    session = Session(project_graph(Linear(matrix, None)), Device("cpu"), threads=1)
    inputs = {
        "hidden": np.eye(1, 16, dtype=np.float32),
        "top": np.array([6]),
    }
    _, words = session.run(["top_logprobs", "top_words"], inputs)
    assert words.tolist() == [[0, 4, 8, 12, 16, 20]]


@pytest.mark.parametrize("size", [CHUNK - 1, CHUNK, 3 * CHUNK + 5, BLOCK, 2 * BLOCK + CHUNK + 1])
@pytest.mark.parametrize("top", [1, 10, CHUNK + 8])
def test_of_many_equal_words_the_first_are_found(size, top):
    random = np.random.default_rng(size)
    matrix = random.integers(-2, 3, (size, 4)).astype(np.float32)
    hidden = random.integers(-1, 2, (7, 4)).astype(np.float32)
    session = Session(project_graph(Linear(matrix, None)), Device("cpu"), threads=1)
    inputs = {"hidden": hidden, "top": np.array([min(top, size)])}
    _, words = session.run(["top_logprobs", "top_words"], inputs)
    by_rank = np.argsort(-(hidden @ matrix.T), axis=1, kind="stable")
    assert words.tolist() == by_rank[:, :top].tolist()
