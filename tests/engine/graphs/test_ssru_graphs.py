"""SSRU models of other sizes, written by the test: they are read as written and give the right numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mtprobe.backends.device import Device
from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.scorer import ScorePair
from mtprobe.engine.build import ssru_definition
from mtprobe.engine.checkpoints.bergamot.binary import read_bergamot
from mtprobe.engine.checkpoints.bergamot.ssru_decoder import ssru_model
from mtprobe.engine.engines import open_network
from mtprobe.engine.firefox import open_firefox
from mtprobe.engine.runtime.ssru_network import SsruNetwork
from mtprobe.engine.search.greedy import translate_batch
from mtprobe.engine.tokenizers.sentencepieces import SentencePieceVocabulary
from tests.engine.reference import Reference
from tests.engine.tiny import (
    FLOAT16,
    FLOAT32,
    INTGEMM8,
    INTGEMM16,
    Shape,
    random_tensors,
    train_vocabulary,
    write_bin,
)

END = 0
SHAPES = [
    Shape(),
    Shape(vocabulary=101, width=32, hidden=48, heads=2, encoder=1, decoder=1),
    Shape(vocabulary=640, width=24, hidden=96, heads=3, encoder=3, decoder=4),
    Shape(vocabulary=53, width=8, hidden=8, heads=1, encoder=4, decoder=2),
    Shape(vocabulary=1000, width=48, hidden=64, heads=8, encoder=12, decoder=1),
]


def load(path: Path, longest: int = 60) -> SsruNetwork:
    return open_network(ssru_definition(ssru_model(read_bergamot(path)), longest), Device("cpu"), threads=2)


def random_sentences(shape: Shape, count: int, seed: int) -> list[tuple[int, ...]]:
    random = np.random.default_rng(seed)
    return [
        (*random.integers(1, shape.vocabulary, random.integers(0, 30)).tolist(), END) for _ in range(count)
    ]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize(
    "kind", [FLOAT32, INTGEMM8, INTGEMM16, FLOAT16], ids=["fp32", "int8", "int16", "fp16"]
)
def test_a_model_of_any_size_scores_like_the_reference(tmp_path, shape, kind):
    path = tmp_path / "model.xxyy.bin"
    stored = write_bin(path, random_tensors(shape), shape.config(), kind)
    network, reference = load(path), Reference(stored, shape.heads)
    sources, targets = random_sentences(shape, 9, seed=1), random_sentences(shape, 9, seed=2)
    for source, target, scores in zip(sources, targets, network.score(sources, targets), strict=True):
        expected, _ = reference.judge(source, target)
        np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-4)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_model_of_any_size_translates_like_the_reference(tmp_path, shape):
    path = tmp_path / "model.xxyy.bin"
    stored = write_bin(path, random_tensors(shape, seed=3), shape.config())
    reference, sources = Reference(stored, shape.heads), random_sentences(shape, 7, seed=4)
    outputs = translate_batch(load(path), sources, END, limit=20)
    assert outputs == [tuple(reference.greedy(source, END, limit=20)) for source in sources]


def test_weights_come_back_as_they_were_stored(tmp_path):
    path = tmp_path / "model.xxyy.bin"
    stored = write_bin(path, random_tensors(Shape()), Shape().config(), INTGEMM8)
    read = read_bergamot(path)
    assert set(read.tensors) == set(stored)
    for name, values in stored.items():
        np.testing.assert_allclose(read.tensors[name], values, rtol=1e-6, err_msg=name)
    assert read.config["transformer-heads"] == Shape().heads


def test_eight_heads_are_assumed_where_the_file_does_not_say(tmp_path):
    path = tmp_path / "model.xxyy.bin"
    write_bin(path, random_tensors(Shape(heads=8)), config=None)
    model = ssru_model(read_bergamot(path))
    assert (model.heads, model.encoder_layers, model.decoder_layers) == (8, 2, 2)
    assert (model.width, model.target_vocabulary) == (16, 37)


def test_probabilities_add_up_to_one(tmp_path):
    shape, path = Shape(), tmp_path / "model.xxyy.bin"
    write_bin(path, random_tensors(shape), shape.config())
    source, start = (5, 6, 7, END), (8, 9)
    targets = [(*start, token) for token in range(shape.vocabulary)]
    scores = load(path).score([source] * len(targets), targets)
    assert np.exp([score[-1] for score in scores]).sum() == pytest.approx(1, abs=1e-5)


def test_a_translation_without_an_end_stops_at_the_limit(tmp_path):
    shape, path = Shape(), tmp_path / "model.xxyy.bin"
    tensors = random_tensors(shape)
    tensors["decoder_ff_logit_out_b"][0, END] = -1000  # it never ends
    write_bin(path, tensors, shape.config())
    outputs = translate_batch(load(path), random_sentences(shape, 5, seed=1), END, limit=17)
    assert [len(output) for output in outputs] == [17] * 5


def test_a_whole_model_needs_nothing_but_its_own_two_files(tmp_path):
    shape = Shape(vocabulary=60, heads=8)
    stored = write_bin(tmp_path / "model.xxyy.bin", random_tensors(shape), config=None, kind=INTGEMM8)
    train_vocabulary(tmp_path / "vocab.xxyy.spm", shape.vocabulary)
    model, pieces = (
        open_firefox(str(tmp_path), OpenRequest()),
        SentencePieceVocabulary(tmp_path / "vocab.xxyy.spm"),
    )
    reference = Reference(stored, shape.heads)

    source, target = ((*pieces.encode(text), END) for text in ("bab dek", "mil"))
    (scores,) = model.score([ScorePair("bab dek", "mil")])
    np.testing.assert_allclose(scores, reference.judge(source, target)[0], rtol=0, atol=1e-4)
    assert model.translate(["bab dek"]) == [pieces.decode(reference.greedy(source, END, limit=256))]
