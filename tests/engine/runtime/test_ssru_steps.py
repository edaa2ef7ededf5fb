"""Steps of an SSRU decoder: any rows, any tokens, and the likeliest next tokens."""

from __future__ import annotations

import numpy as np
import pytest

from mtprobe.backends.device import Device
from mtprobe.engine.build import ssru_definition
from mtprobe.engine.checkpoints.bergamot.binary import read_bergamot
from mtprobe.engine.checkpoints.bergamot.ssru_decoder import ssru_model
from mtprobe.engine.engines import open_network
from mtprobe.engine.runtime.ssru_network import SsruNetwork
from mtprobe.engine.runtime.ssru_steps import SsruSteps
from tests.engine.tiny import Shape, random_tensors, write_bin

END, TOP = 0, 5


@pytest.fixture(scope="module")
def network(tmp_path_factory) -> SsruNetwork:
    path = tmp_path_factory.mktemp("ssru") / "model.xxyy.bin"
    write_bin(path, random_tensors(Shape()), Shape().config())
    return open_network(ssru_definition(ssru_model(read_bergamot(path)), 40), Device("cpu"), threads=1)


def test_steps_follow_any_rows(network):
    random, steps = np.random.default_rng(0), SsruSteps(network)
    sources = [(*random.integers(1, 37, size).tolist(), END) for size in (3, 9, 1, 17)]
    state = steps.start(sources, [(END,)] * 4)
    rows, tokens = np.arange(4), np.zeros(4, np.int64)
    histories, origins = [()] * 4, list(range(4))
    for time in range(6):
        state, logprobs, words = steps.step(state, rows, tokens, TOP)
        if time:
            histories = [(*histories[row], int(token)) for row, token in zip(rows, tokens, strict=True)]
            origins = [origins[row] for row in rows]
        for row, (history, origin) in enumerate(zip(histories, origins, strict=True)):
            targets = [(*history, token) for token in range(37)]
            expected = np.array([s[-1] for s in network.score([sources[origin]] * 37, targets)])
            np.testing.assert_allclose(logprobs[row], -np.sort(-expected)[:TOP], rtol=0, atol=1e-5)
            np.testing.assert_allclose(expected[words[row]], logprobs[row], rtol=0, atol=1e-5)
        rows = random.integers(0, len(rows), random.integers(2, 9))
        tokens = random.integers(1, 37, len(rows))


def test_a_prefix_is_one_token(network):
    with pytest.raises(ValueError, match="one token"):
        SsruSteps(network).start([(5, END)], [(END, 3)])
    with pytest.raises(ValueError, match="one token"):
        network.score([(5, END)], [(6, END)], [(END, 3)])
    (scores,) = network.score([(5, END)], [(6, END)], [(END,)])
    assert (scores == network.score([(5, END)], [(6, END)])[0]).all()
