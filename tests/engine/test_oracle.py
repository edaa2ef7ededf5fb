"""Comparison with the shared oracle, if the shared data is available."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.scorer import ScorePair
from mtprobe.engine.checkpoints.bergamot.folder import ModelFiles
from mtprobe.engine.demo import demo_folder, open_demo
from mtprobe.engine.engines import FirefoxEngine
from mtprobe.engine.graphs.attention_graphs import GUIDED_HEAD
from tests.soak import times


@pytest.fixture(scope="module")
def marian_numpy(shared_data: Path):
    path = shared_data.resolve().parent / "oracles" / "marian_numpy.py"
    assert path.is_file(), f"there is no oracle at {path}"
    spec = importlib.util.spec_from_file_location("marian_numpy", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def oracle(marian_numpy, demo_files: ModelFiles):
    return marian_numpy.Model(demo_files.weights.parent)


def test_greedy_translations_are_those_of_the_oracle(oracle, engine: FirefoxEngine, sentences, translations):
    # The oracle recomputes everything for every token, so long sentences would take too long.
    short = [index for index, tokens in enumerate(translations) if len(tokens) <= 10]
    count = times(8, 25)
    chosen = short[:: len(short) // count][:count]
    assert len(chosen) == count
    for index in chosen:
        assert engine.target.decode(translations[index][:-1]) == oracle.translate(sentences[index])


def test_scores_are_those_of_the_oracle(oracle, engine: FirefoxEngine, sentences, sources, translations):
    chosen = range(3, len(sentences), 8)
    scored = engine.network.score([sources[i] for i in chosen], [translations[i] for i in chosen])
    for index, scores in zip(chosen, scored, strict=True):
        target = engine.target.decode(translations[index][:-1])
        if (*engine.target.encode(target), engine.target.end) != translations[index]:
            continue  # the oracle takes text, which would be segmented differently
        np.testing.assert_allclose(scores, oracle.token_logprobs(sentences[index], target), rtol=0, atol=1e-4)


def test_the_guided_head_is_that_of_the_oracle(oracle, engine: FirefoxEngine, monkeypatch):
    source, target = "The old bank of the river is steep.", "O velho banco do rio é íngreme."
    [weights] = engine.attention([(engine.source_tokens(source), engine.target_tokens(target))])
    heads, attend = [], oracle.attend

    def watched(x, memory, name):
        if name == f"decoder_l{oracle.decoder_layers}_context":
            query, key = (
                values @ oracle.w[f"{name}_W{letter}"] + oracle.w[f"{name}_b{letter}"][0]
                for values, letter in ((x, "q"), (memory, "k"))
            )
            size = oracle.width // oracle.heads
            first = slice(GUIDED_HEAD * size, (GUIDED_HEAD + 1) * size)
            scores = np.exp(query[:, first] @ key[:, first].T / np.sqrt(size))
            heads.append(scores / scores.sum(axis=1, keepdims=True))
        return attend(x, memory, name)

    monkeypatch.setattr(oracle, "attend", watched)
    oracle.token_logprobs(source, target)
    np.testing.assert_allclose(weights, heads[0], rtol=0, atol=1e-4)
    assert source.split()[2] == "bank"
    assert oracle.pieces.encode(source, out_type=str)[int(weights[2].argmax())] == "▁bank"  # at *banco*


def test_the_other_direction_of_the_demo_is_that_of_the_oracle(marian_numpy):
    oracle, model = marian_numpy.Model(demo_folder("pt-en")), open_demo("pt-en", OpenRequest(device="cpu"))
    sources = ["A médica chegou cedo.", "O banco fica na praça.", "Ele apagou a vela.", "Que pena!"]
    translations = model.translate(sources)
    assert translations == [oracle.translate(source) for source in sources]
    pairs = [ScorePair(*pair) for pair in zip(sources, translations, strict=True)]
    for pair, scores in zip(pairs, model.score(pairs), strict=True):
        np.testing.assert_allclose(scores, oracle.token_logprobs(*pair), rtol=0, atol=1e-4)
