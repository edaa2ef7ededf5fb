"""Sources with an occluded token, compared with the reference."""

from __future__ import annotations

import numpy as np
import pytest

from mtprobe.engine.runtime.network import kept_mask, optional_graph
from mtprobe.engine.runtime.packing import pack
from mtprobe.engine.runtime.ssru_network import SsruNetwork
from mtprobe.errors import ModelError
from tests.engine.checkpoints.test_bergamot_kinds import KINDS, load, reference_of
from tests.engine.random_models import END, scores, sentences, ssru, transformer
from tests.engine.tiny import FLOAT32, random_tensors, write_bin

NETWORKS = {"ssru": ssru, "transformer": transformer}


def without(network, sources, targets, places):
    return network.score_without(sources, targets, [(END,)] * len(sources), places)


@pytest.mark.parametrize("kind", KINDS)
def test_the_numbers_are_those_of_the_reference(tmp_path, kind):
    shape = KINDS[kind]
    stored = random_tensors(shape)
    path = tmp_path / "model.xxyy.bin"
    write_bin(path, stored, shape.config(), FLOAT32)
    network, prefix = load(path)
    reference = reference_of(stored, shape)
    nothing = len(reference.source)  # an additional word whose embedding is zeros
    reference.source = np.vstack([reference.source, np.zeros(reference.width)])
    random = np.random.default_rng(4)
    source = (*random.integers(1, nothing, 9).tolist(), END)
    target = (*random.integers(1, shape.vocabulary, 6).tolist(), END)
    places = [None, *range(len(source))]
    count = len(places)
    actual = network.score_without([source] * count, [target] * count, [prefix] * count, places)
    for place, numbers in zip(places, actual, strict=True):
        seen = [nothing if at == place else token for at, token in enumerate(source)]
        expected, _ = reference.judge(seen, target)
        np.testing.assert_allclose(numbers, expected, rtol=0, atol=1e-4)


@pytest.mark.parametrize("dtype", ["fp32", "int8"])
@pytest.mark.parametrize("kind", NETWORKS)
def test_without_nothing_is_the_score_itself_to_the_last_bit(kind, dtype):
    network = NETWORKS[kind](dtype)
    sources, targets = sentences(6, seed=1), sentences(6, seed=2)
    plain = scores(network, sources, targets)
    for expected, actual in zip(plain, without(network, sources, targets, [None] * 6), strict=True):
        np.testing.assert_array_equal(expected, actual)


@pytest.mark.parametrize("kind", NETWORKS)
def test_a_score_without_a_token_does_not_depend_on_its_batch(kind):
    network = NETWORKS[kind]()
    sources, targets = sentences(8, seed=3), sentences(8, seed=4)
    places = [number % len(source) for number, source in enumerate(sources)]
    together = without(network, sources, targets, places)
    for source, target, place, numbers in zip(sources, targets, places, together, strict=True):
        (alone,) = without(network, [source], [target], [place])
        np.testing.assert_allclose(numbers, alone, rtol=0, atol=1e-5)


def test_a_place_that_is_not_there_is_refused():
    source = pack([(4, 5, 0), (6, 0)])
    np.testing.assert_array_equal(kept_mask(source, [1, None]), [1, 0, 1, 1, 1])
    with pytest.raises(ValueError, match="a source of 2 tokens has no place 2"):
        kept_mask(source, [None, 2])


def test_a_model_that_was_exported_without_the_graph_says_so():
    network = ssru()
    old = {name: network.graphs[name] for name in ("encode", "score")}
    with pytest.raises(ModelError, match="export it again"):
        optional_graph(old, "encode_without", "salience")
    with pytest.raises(ModelError, match="export it again"):
        without(SsruNetwork(network.dimensions, old, network.device, 1), [(4, 0)], [(5, 0)], [0])
