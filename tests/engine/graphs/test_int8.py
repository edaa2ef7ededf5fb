"""int8: close to fp32, and identical to the last bit alone and in any batch."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtprobe.backends.device import Device
from mtprobe.engine.build import bergamot_definition
from mtprobe.engine.engines import FirefoxEngine
from mtprobe.engine.firefox import FirefoxSearch
from mtprobe.engine.graphs.builder import FLOAT, GraphBuilder
from mtprobe.engine.graphs.linear import linear, quantise
from mtprobe.engine.graphs.projection import PROJECT_BLOCK, judge_graph, project_graph
from mtprobe.engine.graphs.weights import Linear
from mtprobe.engine.runtime import int8_overflow
from mtprobe.engine.runtime.session import Session
from mtprobe.engine.runtime.ssru_steps import SsruSteps
from mtprobe.engine.search.beam import search
from mtprobe.engine.search.decoding import Decoding
from mtprobe.engine.search.greedy import translate_batch
from mtprobe.errors import ModelError
from tests.engine.random_models import CPU, END, scores, sentences, ssru, transformer

PAIRS = 40
SOURCES, TARGETS = sentences(PAIRS, seed=1), sentences(PAIRS, seed=2)
SOURCES[:3], TARGETS[2:5] = [(END,), (5, END), (6, END)], [(END,), (7, END), (END,)]  # the shortest there are
batches = st.lists(st.integers(0, PAIRS - 1), min_size=1, max_size=24)
matrices = st.tuples(st.integers(1, 9), st.integers(1, 33), st.integers(0, 99))


@pytest.fixture(scope="module", params=["transformer", "transformer, norm first", "ssru"])
def network(request):
    if request.param == "ssru":
        return ssru("int8")
    return transformer("int8", norm_first="norm first" in request.param)


@pytest.fixture(scope="module")
def alone(network):
    return [scores(network, [source], [target])[0] for source, target in zip(SOURCES, TARGETS, strict=True)]


@settings(max_examples=25, deadline=None)
@given(batch=batches)
def test_a_score_in_a_batch_is_the_score_alone_bit_for_bit(network, alone, batch):
    together = scores(network, [SOURCES[i] for i in batch], [TARGETS[i] for i in batch])
    for index, actual in zip(batch, together, strict=True):
        np.testing.assert_array_equal(actual, alone[index])


def test_targets_that_share_a_beginning_are_scored_as_if_alone_bit_for_bit():
    network, source = transformer("int8"), SOURCES[7]
    targets = [(*TARGETS[9][:cut], word, END) for cut in (0, 2, 5) for word in (3, 4)]
    for target, actual in zip(targets, scores(network, [source] * len(targets), targets), strict=True):
        np.testing.assert_array_equal(actual, scores(network, [source], [target])[0])


def test_steps_of_an_ssru_decoder_do_not_depend_on_other_rows():
    steps, rows = SsruSteps(ssru("int8")), np.array([0, 1, 1, 2, 5])
    tokens = np.array([3, 8, 9, 4, 7])
    started = steps.start(SOURCES[:6], [(END,)] * 6)
    state, _, _ = steps.step(started, np.arange(6), np.zeros(6, np.int64), top=4)
    _, together, _ = steps.step(state, rows, tokens, top=4)
    for row, token, expected in zip(rows, tokens, together, strict=True):
        state = steps.start([SOURCES[row]], [(END,)])
        state, _, _ = steps.step(state, np.zeros(1, np.int64), np.zeros(1, np.int64), top=4)
        _, actual, _ = steps.step(state, np.zeros(1, np.int64), np.array([token]), top=4)
        np.testing.assert_array_equal(actual[0], expected)


@pytest.mark.slow
@pytest.mark.parametrize("beams", [1, 4])
def test_a_search_does_not_depend_on_its_batch_bit_for_bit(beams):
    """Sentences join a batch that is under way, and take the places of finished ones."""
    network = transformer("int8")
    # A random network hardly ever ends a sentence by EOS.
    decoding = Decoding(ends=(END, *range(10, 26)), max_new_tokens=25, beams=beams, n_best=beams)

    def found(sources, rows):
        return search(network, sources, [(END,)] * len(sources), replace(decoding, batch_rows=rows))

    together = found(SOURCES, 1000)
    assert len({len(hypotheses[0].tokens) for hypotheses in together}) > 3
    assert [found([source], beams)[0] for source in SOURCES] == together
    for rows in (3 * beams, 8 * beams):
        assert found(SOURCES, rows) == together
        assert found(SOURCES[::-1], rows) == together[::-1]


def test_greedy_translations_do_not_depend_on_their_batch():
    network = ssru("int8")
    together = translate_batch(network, SOURCES, END, 30)
    assert together == [translate_batch(network, [source], END, 30)[0] for source in SOURCES]


# -- quantisation --


@given(matrices)
def test_a_weight_is_at_most_half_a_step_off(drawn):
    rows, columns, seed = drawn
    matrix = np.random.default_rng(seed).standard_normal((rows, columns)).astype(np.float32)
    quantised = quantise(matrix)
    again = quantised.integers * quantised.steps[:, None]
    assert (np.abs(again - matrix) <= quantised.steps[:, None] * 0.5001).all()


@given(matrices)
def test_weights_that_were_stored_as_integers_lose_nothing(drawn):
    rows, columns, seed = drawn
    integers = np.random.default_rng(seed).integers(-127, 128, (rows, columns))
    integers[0, 0] = 127
    matrix = integers.astype(np.float32) / np.float32(381.7)
    quantised = quantise(matrix)
    np.testing.assert_array_equal(quantised.integers, integers)
    np.testing.assert_allclose(quantised.integers * quantised.steps[:, None], matrix, rtol=1e-6)


def test_rows_of_zeros_stay_zeros():
    matrix = np.zeros((3, 8), np.float32)
    matrix[1] = 1
    graph = GraphBuilder("zeros", "int8")
    x = graph.input("x", FLOAT, ["rows", 8])
    graph.output(linear(graph, x, Linear(matrix, None)), "y", FLOAT, ["rows", 3])
    inputs = np.array([[0] * 8, [2] * 8], np.float32)
    (actual,) = Session(graph.build(), CPU, threads=1).run(["y"], {"x": inputs})
    np.testing.assert_allclose(actual, [[0, 0, 0], [0, 16, 0]], rtol=1e-6)


def test_an_input_of_zeros_gives_the_bias_among_others():
    drawn = np.random.default_rng(5)
    matrix, bias = drawn.standard_normal((2, 5, 8)).astype(np.float32), np.arange(5, dtype=np.float32)
    graph = GraphBuilder("zeros", "int8")
    x = graph.input("x", FLOAT, ["rows", 8])
    outputs = [
        linear(graph, x, Linear(matrix[0], bias)),
        linear(graph, graph("Neg", x), Linear(matrix[1], bias)),
    ]
    graph.output(graph("Add", *outputs), "sum", FLOAT, ["rows", 5])
    rows = np.stack([np.zeros(8), drawn.standard_normal(8), np.zeros(8)]).astype(np.float32)
    (actual,) = Session(graph.build(), CPU, 1).run(["sum"], {"x": rows})
    np.testing.assert_array_equal(actual[[0, 2]], [2 * bias] * 2)
    assert np.abs(actual[1] - (rows[1] @ (matrix[0] - matrix[1]).T + 2 * bias)).max() < 0.1


@pytest.mark.parametrize("size", [5, PROJECT_BLOCK + 1])
def test_given_words_have_the_log_probabilities_that_the_likeliest_have(size):
    random = np.random.default_rng(size)
    output = Linear(
        random.standard_normal((size, 16)).astype(np.float32), np.linspace(-1, 1, size, dtype=np.float32)
    )
    hidden, rows = random.standard_normal((3, 16)).astype(np.float32), np.repeat(np.arange(3), size)
    judge, project = (Session(make(output, "int8"), CPU, threads=1) for make in (judge_graph, project_graph))
    (given_words,) = judge.run(
        ["logprobs"], {"hidden": hidden, "asked_rows": rows, "target": np.tile(np.arange(size), 3)}
    )
    likeliest, words = project.run(["top_logprobs", "top_words"], {"hidden": hidden, "top": np.array([size])})
    by_word = np.take_along_axis(likeliest, np.argsort(words, axis=1), axis=1)
    np.testing.assert_allclose(given_words.reshape(3, size), by_word, rtol=0, atol=1e-5)
    np.testing.assert_allclose(np.exp(given_words.reshape(3, size)).sum(axis=1), 1, rtol=1e-5)


def test_the_demo_model_loses_little(demo_files, engine: FirefoxEngine, sources, translations):
    """Its weights are integers already; over all sentences, the score of a token changes by 0.008 on average."""
    rounded = FirefoxEngine(
        demo_files, bergamot_definition(demo_files, 513, "int8"), Device("cpu"), None, FirefoxSearch()
    )
    exact, near = (each.network.score(sources[:60], translations[:60]) for each in (engine, rounded))
    moved = np.abs(np.concatenate(exact) - np.concatenate(near))
    assert 0 < moved.mean() < 0.02
    for index in (0, 17, 42):
        (actual,) = rounded.network.score([sources[index]], [translations[index]])
        np.testing.assert_array_equal(actual, near[index])


@pytest.fixture
def asked_anew():
    int8_overflow.needs_workaround.cache_clear()
    yield
    int8_overflow.needs_workaround.cache_clear()


@pytest.mark.parametrize(("rows", "inside", "out"), [(1, 64, 64), (9, 33, 70), (64, 512, 96)])
def test_the_workaround_gives_the_same_numbers_bit_for_bit(rows, inside, out):
    """It is for processors without VNNI but works on all."""
    random = np.random.default_rng(rows)
    x, matrix = (
        random.standard_normal(shape).astype(np.float32) for shape in ((rows, inside), (out, inside))
    )
    if not int8_overflow.largest_products_are_exact(workaround=False):
        pytest.skip("this processor has no VNNI")
    plain, workaround = (
        int8_overflow.products(x, quantise(matrix), workaround) for workaround in (False, True)
    )
    np.testing.assert_array_equal(plain, workaround)


@pytest.mark.usefixtures("asked_anew")
def test_the_workaround_is_enabled_only_where_products_overflow(monkeypatch):
    calls = []

    def exact(workaround: bool) -> bool:
        calls.append(workaround)
        return workaround

    assert int8_overflow.largest_products_are_exact(workaround=True)
    monkeypatch.setattr(int8_overflow, "largest_products_are_exact", exact)
    assert int8_overflow.needs_workaround()
    actual = scores(transformer("int8"), SOURCES[:4], TARGETS[:4])  # with the workaround
    assert calls == [False, True]
    int8_overflow.needs_workaround.cache_clear()
    monkeypatch.setattr(int8_overflow, "largest_products_are_exact", lambda _: True)
    assert not int8_overflow.needs_workaround()
    for one, other in zip(actual, scores(transformer("int8"), SOURCES[:4], TARGETS[:4]), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.usefixtures("asked_anew")
def test_products_that_overflow_either_way_are_refused(monkeypatch):
    monkeypatch.setattr(int8_overflow, "products", lambda *_: np.full((1, int8_overflow.SIZE), 2.0**15))
    with pytest.raises(ModelError, match="int8 would give wrong numbers on this processor"):
        scores(transformer("int8"), SOURCES[:1], TARGETS[:1])
    scores(transformer("fp32"), SOURCES[:1], TARGETS[:1])
