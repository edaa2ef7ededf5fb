"""Models other than the students of Firefox: self-attention decoders, separate vocabularies, pre-norm.

Each is written by the test in the file format of Bergamot and compared with the reference.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mtprobe.backends.device import Device
from mtprobe.engine.build import ssru_definition, transformer_definition
from mtprobe.engine.checkpoints.bergamot.architecture import read_model
from mtprobe.engine.engines import open_network
from mtprobe.engine.graphs.ssru import SsruModel
from mtprobe.engine.runtime.ssru_network import SsruNetwork
from mtprobe.engine.runtime.ssru_steps import SsruSteps
from mtprobe.engine.runtime.transformer_network import TransformerNetwork
from mtprobe.engine.search.beam import search
from mtprobe.engine.search.decoding import Decoding
from mtprobe.engine.search.greedy import translate_batch
from tests.engine.reference import Reference
from tests.engine.tiny import FLOAT32, INTGEMM8, Shape, random_tensors, write_bin, write_npz

END, LONGEST, LIMIT = 0, 60, 9
NEWER = "v1.12.14 2d067afb 2024-02-16"
KINDS = {
    "own vocabularies": Shape(source_vocabulary=51),
    "own vocabularies, own output": Shape(source_vocabulary=29, tied_output=False),
    "one table, own output": Shape(tied_output=False, output="decoder_ff_logit_out_W", bias=False),
    "tied layers": Shape(tied_layers=(1, 2, 1)),
    "other inner width in the decoder": Shape(decoder_hidden=40),
    "teacher": Shape(attends=True, encoder=3, decoder=2, vocabulary=83, width=24, heads=3),
    "teacher, swish, own vocabularies": Shape(
        attends=True, activation="swish", source_vocabulary=61, decoder_hidden=40, heads=2
    ),
    "teacher, nothing tied": Shape(
        attends=True, source_vocabulary=61, tied_output=False, output="decoder_ff_logit_out_W"
    ),
    "teacher, norms everywhere": Shape(attends=True, embedding_norm=True, top_norm=True, bias=False),
    "teacher, tied layers, no projection": Shape(attends=True, tied_layers=(2, 2, 1), projection=False),
    "pre-norm": Shape(attends=True, norm_first=True, top_norm=True, activation="gelu"),
    "pre-norm of newer Marian": Shape(
        attends=True, norm_first=True, top_norm=True, activation="gelu", version=NEWER
    ),
    "pre-norm, nothing tied": Shape(
        attends=True, norm_first=True, source_vocabulary=45, tied_output=False, encoder=1, decoder=4
    ),
}


@pytest.fixture(params=list(KINDS))
def shape(request) -> Shape:
    return KINDS[request.param]


def load(path: Path) -> tuple[SsruNetwork | TransformerNetwork, tuple[int, ...]]:
    """The network in a file, and the prefix of its translations."""
    model = read_model(path, None, LONGEST)
    if isinstance(model, SsruModel):
        return open_network(ssru_definition(model, LONGEST), Device("cpu"), threads=1), (END,)
    return open_network(transformer_definition(model), Device("cpu"), threads=1), (model.target_vocabulary,)


def reference_of(stored: dict[str, np.ndarray], shape: Shape) -> Reference:
    return Reference(stored, shape.heads, shape.activation, shape.tied_layers, old=shape.version != NEWER)


def random_sentences(vocabulary: int, count: int, seed: int, longest: int = 30) -> list[tuple[int, ...]]:
    random = np.random.default_rng(seed)
    return [
        (*random.integers(1, vocabulary, random.integers(0, longest)).tolist(), END) for _ in range(count)
    ]


def sources_for(shape: Shape, count: int, seed: int, longest: int = 30) -> list[tuple[int, ...]]:
    return random_sentences(shape.source_vocabulary or shape.vocabulary, count, seed, longest)


def until(output: tuple[int, ...], end: int) -> tuple[int, ...]:
    return output[: output.index(end)] if end in output else output


@pytest.mark.parametrize("kind", [FLOAT32, INTGEMM8], ids=["fp32", "int8"])
def test_a_model_of_any_kind_scores_like_the_reference(tmp_path, shape, kind):
    path = tmp_path / "model.xxyy.bin"
    stored = write_bin(path, random_tensors(shape), shape.config(), kind)
    reference, (network, prefix) = reference_of(stored, shape), load(path)
    sources, targets = sources_for(shape, 9, seed=1), random_sentences(shape.vocabulary, 9, seed=2)
    scored = network.score(sources, targets, [prefix] * 9)
    for source, target, scores in zip(sources, targets, scored, strict=True):
        expected, _ = reference.judge(source, target)
        np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-4)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *((name, FLOAT32) for name in KINDS),
        ("own vocabularies", INTGEMM8),
        ("teacher", INTGEMM8),
        ("pre-norm, nothing tied", INTGEMM8),
    ],
)
def test_a_model_of_any_kind_translates_like_the_reference(tmp_path, name, kind):
    shape = KINDS[name]
    path, tensors = tmp_path / "model.xxyy.bin", random_tensors(shape, seed=3)
    for each in tensors:  # so that the source matters and outputs vary
        tensors[each] *= (
            2 if each.endswith(("context_Wv", "context_Wo")) else 0.1 if "_ln_bias" in each else 1
        )
    stored = write_bin(path, tensors, shape.config(), kind)
    reference, sources = reference_of(stored, shape), sources_for(shape, 104, seed=4, longest=12)
    endless = [tuple(reference.greedy(source, end=-1, limit=LIMIT)) for source in sources]
    assert len(set(endless)) > 8
    # A random network hardly ever ends a sentence: EOS is the word that makes the most difference.
    end = max(range(shape.vocabulary), key=lambda word: len({len(until(output, word)) for output in endless}))
    expected = [until(output, end) for output in endless]
    assert len({len(output) for output in expected}) > 2

    network, prefix = load(path)
    if isinstance(network, SsruNetwork):
        assert translate_batch(network, sources, end, LIMIT) == expected
    steps = SsruSteps(network) if isinstance(network, SsruNetwork) else network
    best = search(steps, sources, [prefix] * len(sources), Decoding(ends=(end,), max_new_tokens=LIMIT))
    assert [one.tokens for (one,) in best] == expected


def test_a_score_does_not_depend_on_its_batch(tmp_path, shape):
    path = tmp_path / "model.xxyy.bin"
    write_bin(path, random_tensors(shape), shape.config())
    network, prefix = load(path)
    sources, targets = sources_for(shape, 6, seed=5), random_sentences(shape.vocabulary, 6, seed=6)
    together = network.score(sources, targets, [prefix] * 6)
    for source, target, scores in zip(sources, targets, together, strict=True):
        (alone,) = network.score([source], [target], [prefix])
        np.testing.assert_allclose(scores, alone, rtol=0, atol=1e-5)


def test_the_start_is_never_said(tmp_path):
    """The row of zeros from which a decoder starts is not a word and has no probability."""
    shape, path = KINDS["teacher"], tmp_path / "model.xxyy.bin"
    write_bin(path, random_tensors(shape), shape.config())
    network, prefix = load(path)
    state = network.start([(5, 6, END)], [prefix])
    _, logprobs, words = network.step(state, np.zeros(1, np.int64), np.array(prefix), top=1000)
    assert sorted(words[0].tolist()) == list(range(shape.vocabulary))
    assert np.exp(logprobs).sum() == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("name", ["teacher", "own vocabularies"])
def test_weights_as_marian_trains_them_are_the_same_model(tmp_path, name):
    shape = KINDS[name]
    write_bin(tmp_path / "model.bin", random_tensors(shape), shape.config())
    write_npz(tmp_path / "model.npz", random_tensors(shape), shape.config())
    sources, targets = sources_for(shape, 4, seed=7), random_sentences(shape.vocabulary, 4, seed=8)
    (one, prefix), (other, _) = load(tmp_path / "model.bin"), load(tmp_path / "model.npz")
    for first, second in zip(
        one.score(sources, targets, [prefix] * 4), other.score(sources, targets, [prefix] * 4), strict=True
    ):
        assert (first == second).all()
