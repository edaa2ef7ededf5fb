"""Attention to the source, compared with the reference; transformers' own models are compared with torch elsewhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.scorer import ScorePair, SpanPair
from mtprobe.engine.demo import open_demo
from mtprobe.engine.graphs.attention_graphs import GUIDED_HEAD, aligning_layers
from mtprobe.engine.runtime.ssru_network import SsruNetwork
from mtprobe.errors import Failure, ModelError
from tests.engine.checkpoints.test_bergamot_kinds import KINDS, load, reference_of
from tests.engine.random_models import END, sentences, ssru, transformer
from tests.engine.tiny import FLOAT32, random_tensors, write_bin

NETWORKS = {"ssru": ssru, "transformer": transformer}
REQUEST = OpenRequest(device="cpu", threads=1)


def attention(network, sources, targets):
    return network.attention(sources, targets, [(END,)] * len(sources))


@pytest.mark.parametrize("kind", KINDS)
def test_the_numbers_are_those_of_the_reference(tmp_path, kind):
    shape = KINDS[kind]
    stored = random_tensors(shape)
    path = tmp_path / "model.xxyy.bin"
    write_bin(path, stored, shape.config(), FLOAT32)
    network, prefix = load(path)
    reference = reference_of(stored, shape)
    random = np.random.default_rng(4)
    source = (*random.integers(1, len(reference.source), 9).tolist(), END)
    target = (*random.integers(1, shape.vocabulary, 6).tolist(), END)
    [weights] = network.attention([source], [target], [prefix])
    by_layer = reference.cross_attention(source, target)  # [layers, heads, target, source]
    if isinstance(network, SsruNetwork):
        expected = by_layer[-1, GUIDED_HEAD]
    else:
        expected = by_layer[list(aligning_layers(len(by_layer)))].mean(axis=(0, 1))
    np.testing.assert_allclose(weights, expected, rtol=0, atol=1e-4)


@pytest.mark.parametrize("dtype", ["fp32", "int8"])
@pytest.mark.parametrize("kind", NETWORKS)
def test_attention_is_shared_out_whatever_the_batch(kind, dtype):
    network = NETWORKS[kind](dtype)
    sources, targets = sentences(8, seed=3), sentences(8, seed=4)
    for source, target, weights in zip(sources, targets, attention(network, sources, targets), strict=True):
        assert weights.shape == (len(target), len(source))
        np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=0, atol=1e-3)
        [alone] = attention(network, [source], [target])
        np.testing.assert_allclose(weights, alone, rtol=0, atol=1e-4)


def test_a_model_exported_by_an_earlier_version_says_what_to_do():
    network = ssru()
    old = {name: graph for name, graph in network.graphs.items() if name != "attend"}
    network = replace(network, graphs=old)
    with pytest.raises(ModelError, match="without the graph for focus scoring: export it again"):
        attention(network, sentences(1, seed=1), sentences(1, seed=2))


def test_the_demo_model_knows_which_words_translate_a_word():
    model = open_demo("", REQUEST)
    source = "The doctor asked the nurse to help her."
    target = "O médico pediu à enfermeira para ajudá-la."
    tokens = [target[slice(*span)] if span else "" for span in model.target_spans(target)]
    for word, expected in {"doctor": "médico", "nurse": "enfermeira", "help": "ajudá"}.items():
        start = source.index(word)
        [weights] = model.attention([SpanPair(source, target, start, start + len(word))])
        [scores] = model.score([ScorePair(source, target)])
        assert len(weights) == len(scores) == len(tokens)
        assert expected.startswith(tokens[int(np.argmax(weights))].strip("▁")[:3])
        assert max(weights) > 0.5


def test_all_spans_of_a_pair_share_one_pass_and_a_bad_pair_harms_no_other(monkeypatch):
    model = open_demo("", REQUEST)
    pairs = [
        SpanPair("The nurse slept.", "A enfermeira dormiu.", 4, 9),
        SpanPair("The nurse \ud800", "A enfermeira dormiu.", 4, 9),
        SpanPair("The nurse slept.", "A enfermeira dormiu.", 10, 15),
    ]
    alone = [model.attention([pair])[0] for pair in pairs]
    read = []
    run = model.engine.attention
    monkeypatch.setattr(model.engine, "attention", lambda pairs: read.append(len(pairs)) or run(pairs))
    nurse, bad, slept = model.attention(pairs)
    assert (nurse, slept) == (alone[0], alone[2])
    assert isinstance(bad, Failure)
    assert read == [1]
    assert int(np.argmax(nurse)) < int(np.argmax(slept))
