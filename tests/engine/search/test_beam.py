"""Beam search on small networks, however its batches are filled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtprobe.engine.search.beam import search, stream
from mtprobe.engine.search.decoding import Decoding, Hypothesis
from mtprobe.errors import ModelError
from tests.engine.search.step_networks import END, START, HistoryNetwork, TableNetwork


def best(network: Any, decoding: Decoding) -> Hypothesis:
    return search(network, [[7]], [[START]], decoding)[0][0]


# -- small networks, whose best translation is known --


GARDEN_PATH = {
    (): {2: 0.6, 3: 0.4},
    (2,): {2: 0.3, 3: 0.3, 4: 0.3, END: 0.1},
    (3,): {4: 0.9, END: 0.1},
}


def test_greedy_search_takes_the_garden_path_and_beams_do_not():
    network = TableNetwork(5, GARDEN_PATH)
    greedy = best(network, Decoding(ends=(END,), max_length=9))
    assert (greedy.tokens, greedy.finished) == ((2, 2), True)
    assert greedy.score == pytest.approx(np.log(0.6 * 0.3) / 3)
    hypothesis = best(network, Decoding(ends=(END,), max_length=9, beams=2))
    assert hypothesis.tokens == (3, 4)
    assert hypothesis.score == pytest.approx(np.log(0.4 * 0.9) / 3)


def test_equal_scores_keep_the_order_of_parents_and_of_the_network():
    network = TableNetwork(6, {(): {2: 0.5, 3: 0.5}, (2,): {4: 0.5, 5: 0.5}, (3,): {4: 0.5, 5: 0.5}})
    results = search(network, [[7]], [[START]], Decoding(ends=(END,), max_length=9, beams=4, n_best=4))
    assert [hypothesis.tokens for hypothesis in results[0]] == [(2, 4), (2, 5), (3, 4), (3, 5)]


def test_a_search_as_wide_as_the_language_finds_the_best_of_all():
    network, length = HistoryNetwork(5), 4
    for source in range(20):
        everything = {}
        for tokens in (each for n in range(length) for each in product(range(2, 5), repeat=n)):
            path = (*tokens, END)
            everything[tokens] = sum(
                float(network.logprobs((source,), (START, *path[:place]))[token])
                for place, token in enumerate(path)
            )
        decoding = Decoding(
            ends=(END,),
            max_new_tokens=length,
            beams=100,
            n_best=5,
            length_penalty=0.0,
            early_stopping="never",
            suppressed=(START,),
            batch_rows=1,
        )
        (hypotheses,) = search(network, [[source]], [[START]], decoding)
        best_first = sorted(everything, key=lambda tokens: -everything[tokens])
        ended = [hypothesis for hypothesis in hypotheses if hypothesis.finished]
        assert ended
        assert [hypothesis.tokens for hypothesis in ended] == best_first[: len(ended)]
        assert [hypothesis.score for hypothesis in ended] == pytest.approx(
            [everything[tokens] for tokens in best_first[: len(ended)]], abs=1e-5
        )


def test_a_translation_that_does_not_end_is_marked():
    network = TableNetwork(4, {(2,) * length: {2: 1.0} for length in range(20)})
    for beams in (1, 3):
        hypothesis = best(network, Decoding(ends=(END,), max_length=6, beams=beams))
        assert hypothesis == Hypothesis((2,) * 5, 0.0, finished=False)
        hypothesis = best(network, Decoding(ends=(END,), max_length=6, beams=beams, forced_end=END))
        assert hypothesis == Hypothesis((2,) * 4, 0.0, finished=False)


def test_there_are_no_more_translations_than_the_network_allows():
    network = TableNetwork(4, {(): {2: 0.7, END: 0.3}})
    results = search(network, [[7]], [[START]], Decoding(ends=(END,), max_length=6, beams=4, n_best=4))
    assert [hypothesis.tokens for hypothesis in results[0]] == [(2,), ()]


def test_a_sentence_that_nothing_may_follow_is_named():
    network = TableNetwork(4, {(): {2: 1.0}})
    with pytest.raises(ModelError, match=r"sentence 1 .* no finite log-probability"):
        best(network, Decoding(ends=(END,), max_length=6, beams=2, suppressed=(2,)))


@pytest.mark.slow
@given(
    lengths=st.lists(st.integers(1, 9), max_size=12),
    rows=st.integers(1, 40),
    beams=st.integers(1, 4),
    early_stopping=st.sampled_from([False, True, "never"]),
    forced_end=st.sampled_from([None, END]),
    no_repeat=st.integers(0, 2),
    order=st.randoms(use_true_random=False),
)
@settings(max_examples=60, deadline=None)
def test_neither_the_batch_nor_the_order_changes_a_translation(
    lengths, rows, beams, early_stopping, forced_end, no_repeat, order
):
    sentences = [
        ([place, *range(length)], [START, 2, 3][: 1 + length % 3]) for place, length in enumerate(lengths)
    ]
    decoding = Decoding(
        ends=(END,),
        max_length=10,
        beams=beams,
        n_best=beams,
        early_stopping=early_stopping,
        forced_end=forced_end,
        no_repeat_ngram_size=no_repeat,
        batch_rows=10_000,
    )

    def translated(sentences: Sequence[Any], decoding: Decoding) -> list[list[Hypothesis]]:
        network = HistoryNetwork(12)
        results = search(network, [s for s, _ in sentences], [p for _, p in sentences], decoding)
        assert network.most_rows <= max(decoding.batch_rows, beams)
        return results

    alone = [translated([sentence], decoding)[0] for sentence in sentences]
    assert translated(sentences, decoding) == alone
    places = [*range(len(sentences))]
    order.shuffle(places)
    shuffled = translated([sentences[place] for place in places], replace(decoding, batch_rows=rows))
    assert shuffled == [alone[place] for place in places]
    for hypotheses in alone:
        scores = [hypothesis.score for hypothesis in hypotheses]
        assert scores == sorted(scores, reverse=True)


# -- streaming --


def test_sentences_enter_as_others_leave():
    network, taken = HistoryNetwork(8, sharpness=0.5), 0

    def endless() -> Iterator[list[int]]:
        nonlocal taken
        for taken in count(1):
            yield [taken]

    decoding = Decoding(ends=(END,), max_length=8, beams=2, batch_rows=16)
    results = stream(network, endless(), ([START] for _ in count()), decoding)
    for given_back in range(1, 301):
        assert next(results)
        assert taken <= given_back + 3 * 8  # running ones, and finished ones that wait for an earlier one
    assert network.most_rows == 16
    assert network.started[0] == 8
    assert np.mean(network.started) < 6  # not all at once, when the last is done


@pytest.mark.slow
def test_ten_thousand_sentences():
    network = TableNetwork(4, {(): {2: 0.9, END: 0.1}})
    sources = ([place] for place in range(10_000))
    results = search(network, sources, ([START] for _ in range(10_000)), Decoding(ends=(END,), max_length=5))
    assert len(results) == 10_000
    assert {hypotheses[0].tokens for hypotheses in results} == {(2,)}


def test_nothing_to_translate():
    assert search(HistoryNetwork(5), [], [], Decoding(ends=(END,), max_length=5)) == []


# -- mistakes --


@pytest.mark.parametrize(
    "wrong, message",
    [
        ({"beams": 0, "n_best": 0}, "beams = 0"),
        ({"beams": 2, "n_best": 3}, "2 beams finds 1 to 2"),
        ({"early_stopping": "always"}, '"never"'),
        ({"max_length": None}, "needs max_length or max_new_tokens"),
    ],
)
def test_settings_that_make_no_sense(wrong, message):
    with pytest.raises(ModelError, match=message):
        Decoding(**{"ends": (END,), "max_length": 5} | wrong)


@pytest.mark.parametrize(
    "prefix, options, message",
    [
        ([], {}, "must contain the decoder's start token"),
        ([START], {"forced_prefix": 1}, "and 1 forced tokens"),
        ([START, 2, 3], {}, "max_length = 3: no token is left"),
        ([START, 2], {"forced_prefix": 1, "max_new_tokens": 1}, "max_new_tokens = 1: no token is left"),
    ],
)
def test_a_prefix_that_leaves_no_room(prefix, options, message):
    with pytest.raises(ModelError, match=message):
        search(HistoryNetwork(5), [[2]], [prefix], Decoding(ends=(END,), max_length=3, **options))
