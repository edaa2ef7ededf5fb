"""States that stay on the device, as on CUDA; here the device is the CPU, with the same numbers."""

from __future__ import annotations

import numpy as np
import pytest

from mtprobe.backends.device import Device
from mtprobe.engine.runtime.session import DeviceArray, on_host
from mtprobe.engine.runtime.ssru_steps import SsruSteps
from mtprobe.engine.search.beam import search
from mtprobe.engine.search.decoding import Decoding
from mtprobe.engine.search.greedy import translate_batch
from tests.engine.random_models import END, scores, sentences, ssru, transformer

BOUND = Device("cpu", bind=True)
SOURCES, TARGETS = sentences(20, seed=1), sentences(20, seed=2)


@pytest.fixture(scope="module", params=["fp32", "fp16", "int8"])
def dtype(request):
    return request.param


@pytest.mark.parametrize("make", [transformer, ssru])
def test_scores_are_the_same(make, dtype):
    plain, bound = (scores(make(dtype, device), SOURCES, TARGETS) for device in (Device("cpu"), BOUND))
    for expected, actual in zip(plain, bound, strict=True):
        np.testing.assert_allclose(expected, actual, rtol=0, atol=1e-6)


@pytest.mark.parametrize("beams", [1, 4])
def test_searches_with_joins_and_pruning_find_the_same(beams, dtype):
    settings = Decoding(ends=(END,), max_new_tokens=12, beams=beams, n_best=beams, batch_rows=3 * beams)
    for make in (transformer, lambda *given: SsruSteps(ssru(*given))):
        plain, bound = (
            search(make(dtype, device), SOURCES, [(END,)] * len(SOURCES), settings)
            for device in (Device("cpu"), BOUND)
        )
        assert [[hypothesis.tokens for hypothesis in best] for best in plain] == [
            [hypothesis.tokens for hypothesis in best] for best in bound
        ]
        assert [best[0].score for best in plain] == pytest.approx([best[0].score for best in bound], abs=1e-5)


def test_the_greedy_loop_finds_the_same(dtype):
    plain, bound = (
        translate_batch(ssru(dtype, device), SOURCES, END, 20) for device in (Device("cpu"), BOUND)
    )
    assert plain == bound


def test_what_a_transformer_attends_to_is_carried_over_once_and_stays():
    network = transformer("fp32", BOUND)
    state = network.start(SOURCES[:4], [(END,)] * 4)
    first, _, _ = network.step(state, np.arange(4), np.full(4, 3), top=2)
    second, _, _ = network.step(first, np.array([3, 0, 1, 2]), np.full(4, 5), top=2)
    for before, after in zip(
        (*first.attended.keys_and_values, *first.cache),
        (*second.attended.keys_and_values, *second.cache),
        strict=True,
    ):
        assert isinstance(before, DeviceArray)
        assert before is after
    assert second.seen.sum(axis=1).tolist() == [2] * 4


def test_what_an_ssru_decoder_attends_to_is_carried_over_once_and_stays():
    steps = SsruSteps(ssru("fp32", BOUND))
    first, _, _ = steps.step(steps.start(SOURCES[:4], [(END,)] * 4), np.arange(4), np.full(4, 3), top=2)
    second, _, _ = steps.step(first, np.array([2, 0]), np.full(2, 5), top=2)
    assert all(isinstance(values, DeviceArray) for values in (*second.cells, *second.cross))
    assert all(before is after for before, after in zip(first.cross, second.cross, strict=True))
    network = ssru("fp32", BOUND)
    _, _, state = network.step(network.start(SOURCES[:4]))
    assert all(isinstance(values, DeviceArray) for values in (*state.cells, *state.cross))
    assert all(isinstance(values, np.ndarray) for values in state.keep(np.array([1, 2])).cross)


def test_nothing_is_held_where_nothing_is_gained():
    network = transformer("fp32")
    state, _, _ = network.step(network.start(SOURCES[:2], [(END,)] * 2), np.arange(2), np.full(2, 3), top=2)
    assert all(isinstance(on_host(values), np.ndarray) for values in state.cache)
    assert not any(
        isinstance(values, DeviceArray) for values in (*state.cache, *state.attended.keys_and_values)
    )
