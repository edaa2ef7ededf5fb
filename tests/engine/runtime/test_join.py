"""Sentences that enter a batch at different times are translated as if they were alone."""

from __future__ import annotations

import pytest

from mtprobe.engine.runtime.lanes import SINGLE_LANE, Lanes
from mtprobe.engine.search.beam import search
from mtprobe.engine.search.decoding import Decoding
from mtprobe.engine.search.greedy import translate_batch
from tests.engine.runtime.test_ssru_steps import END, SsruSteps, network

__all__ = ["network"]


def sentences(count: int, words: int, end: int) -> list[tuple[int, ...]]:
    """Of many lengths, so that they finish at different times."""
    return [
        (*((7 * number + place) % words + 1 for place in range(1 + number % 9)), end)
        for number in range(count)
    ]


def translate(network, sources, prefix, end, rows, beams, lanes=SINGLE_LANE):
    settings = Decoding(ends=(end,), max_new_tokens=15, beams=beams, n_best=beams, batch_rows=rows)
    return [
        [(hypothesis.tokens, pytest.approx(hypothesis.score, abs=1e-4)) for hypothesis in best]
        for best in search(network, sources, [prefix] * len(sources), settings, lanes)
    ]


@pytest.mark.parametrize("beams", [1, 3])
def test_an_ssru_model(network, beams):
    sources = sentences(24, 30, END)
    together = translate(SsruSteps(network), sources, (END,), END, 10_000, beams)
    for rows in (beams, 4 * beams, 7 * beams):
        assert translate(SsruSteps(network), sources, (END,), END, rows, beams) == together


def test_greedy_search_is_the_greedy_loop(network):
    sources = sentences(24, 30, END)
    searched = [best[0][0] for best in translate(SsruSteps(network), sources, (END,), END, 8, 1)]
    assert searched == translate_batch(network, sources, END, 15)


@pytest.mark.parametrize("beams", [1, 3])
def test_an_attention_decoder(beams):
    pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from mtprobe.engine.checkpoints.huggingface.families import marian_model
    from tests.engine.torch_models import make_pair

    config = transformers.MarianConfig(
        vocab_size=60, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
        decoder_attention_heads=4, encoder_ffn_dim=48, decoder_ffn_dim=48, max_position_embeddings=40,
        pad_token_id=59, eos_token_id=0, decoder_start_token_id=59,
    )  # fmt: skip
    pair = make_pair(transformers.MarianMTModel, config, marian_model, (59,))
    sources = sentences(24, 50, 0)
    together = translate(pair.ours, sources, (59,), 0, 10_000, beams)
    for rows in (beams, 4 * beams):
        assert translate(pair.ours, sources, (59,), 0, rows, beams) == together
    # Lanes take their sentences from a common queue.
    pair.ours.open_for_search()
    many = sources * 4
    assert translate(pair.ours, many, (59,), 0, 4 * beams, beams, Lanes(3)) == together * 4
