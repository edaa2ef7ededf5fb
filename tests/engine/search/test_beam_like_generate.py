"""Beam search finds what transformers' `generate` finds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mtprobe.engine.search.beam import search
from mtprobe.engine.search.decoding import Decoding, Hypothesis
from tests.engine.search.step_networks import TorchNetwork

VOCABULARY, PAD, FRENCH, GERMAN = 60, 59, 57, 58
NEAR = 1e-4


def sharpened(model: Any, end: int, bias: float) -> Any:
    """Makes random weights decisive, so that translations end at many lengths."""
    import torch

    torch.nn.init.normal_(model.lm_head.weight, std=0.35)
    if not hasattr(model, "final_logits_bias"):
        model.lm_head.bias = torch.nn.Parameter(torch.zeros(VOCABULARY))
        model.lm_head.bias.data[end] = bias
    else:
        model.final_logits_bias[0, end] = bias
    return model.eval()


@pytest.fixture(scope="module")
def transformers() -> Iterator[Any]:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    transformers.utils.logging.set_verbosity_error()
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    yield transformers
    torch.set_num_threads(threads)


SMALL = {
    "vocab_size": VOCABULARY,
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64,
    "init_std": 0.2,
    "scale_embedding": True,
    "tie_word_embeddings": False,
}


@pytest.fixture(scope="module")
def marian(transformers) -> Any:
    config = transformers.MarianConfig(
        **SMALL, pad_token_id=PAD, decoder_start_token_id=PAD, eos_token_id=0, forced_eos_token_id=None
    )
    return sharpened(transformers.MarianMTModel(config), end=0, bias=2.8)


@pytest.fixture(scope="module")
def m2m(transformers) -> Any:
    config = transformers.M2M100Config(
        **SMALL, pad_token_id=1, bos_token_id=0, decoder_start_token_id=2, eos_token_id=2
    )
    return sharpened(transformers.M2M100ForConditionalGeneration(config), end=2, bias=2.5)


def random_sources(count: int, end: int) -> list[list[int]]:
    generator = np.random.default_rng(5)
    return [[*generator.integers(3, 57, generator.integers(1, 14)).tolist(), end] for _ in range(count)]


def generated(
    model: Any, sources: Sequence[Sequence[int]], decoding: Decoding, **options: Any
) -> list[list[Hypothesis]]:
    """The results of `generate`, with NaN for the scores that greedy search does not report."""
    tokens, mask = TorchNetwork(model).padded(sources)
    output = model.generate(
        tokens,
        attention_mask=mask,
        num_beams=decoding.beams,
        do_sample=False,
        num_return_sequences=decoding.n_best,
        length_penalty=decoding.length_penalty,
        early_stopping=decoding.early_stopping,
        max_length=decoding.max_length,
        max_new_tokens=decoding.max_new_tokens,
        min_length=decoding.min_length,
        eos_token_id=list(decoding.ends),
        forced_eos_token_id=decoding.forced_end,
        bad_words_ids=[[token] for token in decoding.suppressed] or None,
        no_repeat_ngram_size=decoding.no_repeat_ngram_size,
        return_dict_in_generate=True,
        output_scores=True,
        **options,
    )
    prefix = options["decoder_input_ids"].shape[1] if "decoder_input_ids" in options else 1
    prefix += decoding.forced_prefix
    scores = output.sequences_scores.tolist() if decoding.beams > 1 else [np.nan] * len(sources)
    results = [
        hypothesis_of(row[prefix:], score, decoding, decoding.limit(prefix) - prefix)
        for row, score in zip(output.sequences.tolist(), scores, strict=True)
    ]
    return [results[first : first + decoding.n_best] for first in range(0, len(results), decoding.n_best)]


def hypothesis_of(row: list[int], score: float, decoding: Decoding, room: int) -> Hypothesis:
    length = next((place for place, token in enumerate(row) if token in decoding.ends), None)
    if length is None:
        assert len(row) == room
        return Hypothesis(tuple(row), score, finished=False)
    forced = decoding.forced_end is not None and length == room - 1
    return Hypothesis(tuple(row[:length]), score, finished=not forced)


def assert_same(ours: list[list[Hypothesis]], theirs: list[list[Hypothesis]]) -> None:
    """Equal except for the order of hypotheses with nearly equal scores, which may depend on the machine."""
    assert [len(hypotheses) for hypotheses in ours] == [len(hypotheses) for hypotheses in theirs]
    different = 0
    for our, their in zip(ours, theirs, strict=True):
        for rank, (mine, other) in enumerate(zip(our, their, strict=True)):
            assert np.isnan(other.score) or mine.score == pytest.approx(other.score, rel=1e-6, abs=NEAR), rank
            if (mine.tokens, mine.finished) != (other.tokens, other.finished):
                assert not np.isnan(other.score), (mine, other)
                different += 1
    assert different <= len(ours) / 100


def check(model: Any, decoding: Decoding, sentences: int = 100) -> list[list[Hypothesis]]:
    sources = random_sources(sentences, end=model.config.eos_token_id)
    start = [model.config.decoder_start_token_id]
    ours = search(TorchNetwork(model), sources, [start] * sentences, decoding)
    assert_same(ours, generated(model, sources, decoding))
    return ours


@pytest.mark.parametrize("early_stopping", [False, True, "never"])
@pytest.mark.parametrize("length_penalty", [0.6, 1.0, 2.0])
@pytest.mark.parametrize("beams, n_best", [(2, 1), (5, 5)])
def test_it_finds_what_generate_finds(marian, beams, n_best, length_penalty, early_stopping):
    decoding = Decoding(
        ends=(0,),
        max_length=14,
        beams=beams,
        n_best=n_best,
        length_penalty=length_penalty,
        early_stopping=early_stopping,
        suppressed=(PAD,),
    )
    check(marian, decoding)


def test_the_models_of_these_tests_end_at_many_lengths(marian):
    results = check(marian, Decoding(ends=(0,), max_length=14, beams=5, n_best=5, suppressed=(PAD,)))
    lengths = {len(hypothesis.tokens) for hypotheses in results for hypothesis in hypotheses}
    assert len(lengths) > 12
    assert {hypothesis.finished for hypotheses in results for hypothesis in hypotheses} == {True, False}


@pytest.mark.parametrize("suppressed", [(), (PAD,), (*range(20, 50),)])
@pytest.mark.parametrize("beams, n_best", [(1, 1), (3, 2)])
def test_suppressed_tokens_do_not_occur(marian, beams, n_best, suppressed):
    results = check(
        marian, Decoding(ends=(0,), max_length=14, beams=beams, n_best=n_best, suppressed=suppressed)
    )
    tokens = {token for hypotheses in results for hypothesis in hypotheses for token in hypothesis.tokens}
    assert not tokens & {*suppressed}


def test_an_end_cannot_be_suppressed(marian):
    check(marian, Decoding(ends=(0,), max_length=12, beams=2, suppressed=(0, PAD)))


@pytest.mark.parametrize("forced_end", [None, 0])
@pytest.mark.parametrize("max_length", [3, 6])
@pytest.mark.parametrize("beams, early_stopping", [(1, False), (4, False), (4, "never")])
def test_the_greatest_length_cuts_off_as_in_generate(marian, beams, early_stopping, max_length, forced_end):
    decoding = Decoding(
        ends=(0,),
        max_length=max_length,
        beams=beams,
        n_best=beams,
        early_stopping=early_stopping,
        forced_end=forced_end,
        suppressed=(PAD,),
    )
    results = check(marian, decoding)
    assert {hypothesis.finished for hypotheses in results for hypothesis in hypotheses} == {True, False}


def test_a_forced_end_at_once_leaves_one_empty_translation(marian):
    decoding = Decoding(ends=(0,), max_length=2, beams=3, n_best=3, forced_end=0)
    results = search(TorchNetwork(marian), random_sources(2, 0), [[PAD]] * 2, decoding)
    assert results == [[Hypothesis((), 0.0, finished=False)]] * 2
    firsts = [hypotheses[:1] for hypotheses in generated(marian, random_sources(2, 0), decoding)]
    assert_same(results, firsts)  # generate adds copies with a score of -1e9


@pytest.mark.parametrize("beams", [1, 4])
@pytest.mark.parametrize("options", [{"max_new_tokens": 7}, {"max_new_tokens": 7, "max_length": 3}])
def test_new_tokens_can_be_counted_instead(marian, beams, options):
    check(marian, Decoding(ends=(0,), beams=beams, suppressed=(PAD,), **options))


@pytest.mark.parametrize("min_length, max_length", [(5, 15), (10, 10)])
@pytest.mark.parametrize("beams", [1, 2, 4])
def test_no_translation_is_shorter_than_the_least_length(marian, beams, min_length, max_length):
    decoding = Decoding(
        ends=(0,), max_length=max_length, min_length=min_length, beams=beams, n_best=beams, suppressed=(PAD,)
    )
    results = check(marian, decoding)
    assert all(len(hypothesis.tokens) >= min_length - 1 for each in results for hypothesis in each)


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("beams", [1, 3])
def test_no_n_gram_is_repeated(marian, beams, size):
    check(
        marian,
        Decoding(
            ends=(0,), max_length=14, beams=beams, n_best=beams, no_repeat_ngram_size=size, min_length=9
        ),
    )


@pytest.mark.parametrize("ends", [(0, 12, 31), (0, *range(20, 50))])
@pytest.mark.parametrize("beams", [1, 3])
def test_any_of_several_ends_ends(marian, beams, ends):
    check(marian, Decoding(ends=ends, max_length=12, beams=beams, n_best=beams, suppressed=(PAD,)))


@pytest.mark.parametrize("length_penalty", [0.0, -0.5])
@pytest.mark.parametrize("early_stopping", [False, "never"])
def test_no_or_a_negative_length_penalty(marian, early_stopping, length_penalty):
    decoding = Decoding(
        ends=(0,),
        max_length=14,
        beams=4,
        n_best=4,
        length_penalty=length_penalty,
        early_stopping=early_stopping,
    )
    check(marian, decoding)


def test_the_score_of_greedy_search_is_the_mean_log_probability(marian):
    import torch

    sources = random_sources(20, end=0)
    decoding = Decoding(ends=(0,), max_length=14)
    results = search(TorchNetwork(marian), sources, [[PAD]] * 20, decoding)
    for source, (hypothesis,) in zip(sources, results, strict=True):
        target = [*hypothesis.tokens, *([0] if hypothesis.finished else [])]
        with torch.inference_mode():
            logits = marian(
                torch.tensor([source]), decoder_input_ids=torch.tensor([[PAD, *target[:-1]]])
            ).logits
        logprobs = torch.log_softmax(logits[0], dim=-1)[range(len(target)), target]
        assert hypothesis.score == pytest.approx(float(logprobs.mean()), abs=NEAR)


@pytest.mark.parametrize("forced_end", [None, 2])
@pytest.mark.parametrize("beams, length_penalty", [(1, 1.0), (4, 2.0)])
def test_a_forced_language_counts_as_generated(m2m, beams, length_penalty, forced_end):
    decoding = Decoding(
        ends=(2,),
        max_length=12,
        beams=beams,
        n_best=beams,
        length_penalty=length_penalty,
        forced_end=forced_end,
        forced_prefix=1,
        suppressed=(1,),
    )
    sources = random_sources(100, end=2)
    for limits in ({"max_length": 12}, {"max_length": None, "max_new_tokens": 12}):
        limited = replace(decoding, **limits)
        ours = search(TorchNetwork(m2m), sources, [[2, FRENCH]] * 100, limited)
        assert_same(ours, generated(m2m, sources, limited, forced_bos_token_id=FRENCH))


@pytest.mark.parametrize("limits", [{"max_length": 12}, {"max_new_tokens": 12}])
def test_a_prefix_that_is_given_does_not_count(m2m, limits):
    import torch

    sources = random_sources(100, end=2)
    prefixes = [[2, language, 9] for language in (FRENCH, GERMAN)] * 50
    decoding = Decoding(ends=(2,), beams=4, n_best=3, suppressed=(1,), no_repeat_ngram_size=2, **limits)
    ours = search(TorchNetwork(m2m), sources, prefixes, decoding)
    assert_same(ours, generated(m2m, sources, decoding, decoder_input_ids=torch.tensor(prefixes)))
