"""The graphs of fp16, which are for CUDA, on the CPU: slow, but the numbers can be checked."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import onnx
import onnxruntime
import pytest

from mtprobe.engine.build import transformer_definition
from mtprobe.engine.engines import open_network
from mtprobe.engine.graphs.builder import FLOAT16, GraphBuilder
from mtprobe.engine.graphs.definition import Graph
from mtprobe.engine.graphs.projection import project_graph
from mtprobe.engine.graphs.weights import Linear
from mtprobe.engine.runtime.session import Session
from mtprobe.engine.runtime.ssru_steps import SsruSteps
from mtprobe.engine.search.beam import search
from mtprobe.engine.search.decoding import Decoding
from mtprobe.engine.search.greedy import translate_batch
from mtprobe.errors import ModelError
from tests.engine.random_models import CPU, END, scores, sentences, ssru, transformer, transformer_model

# Half precision has 11 bits, so each of about twenty roundings on the way to a logit adds an error of 0.05 %;
# logits are about ±10 here.
TOLERANCE = 0.1


@pytest.fixture(scope="module", params=["transformer", "transformer, norm first", "ssru"])
def networks(request):
    if request.param == "ssru":
        return ssru("fp32"), ssru("fp16")
    first = "norm first" in request.param
    return transformer("fp32", norm_first=first), transformer("fp16", norm_first=first)


def test_scores_are_near_those_of_fp32(networks):
    sources, targets = sentences(12, seed=3), sentences(12, seed=4)
    exact, near = (np.concatenate(scores(network, sources, targets)) for network in networks)
    moved = np.abs(exact - near)
    assert near.dtype == np.float32
    assert 1e-5 < moved.max() < TOLERANCE
    assert moved.mean() < TOLERANCE / 10


def types_of(graph: Graph, operator: str) -> set[str]:
    """The types of the first inputs of all nodes with an operator, as in the runtime."""
    model = onnx.load_from_string(graph.serialized)
    names = {node.input[0] for node in model.graph.node if node.op_type == operator}
    del model.graph.output[:]
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in sorted(names))
    options = onnxruntime.SessionOptions()
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(weight) for weight in graph.weights.values()]
    options.add_external_initializers(list(graph.weights), values)
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    return {output.type for output in session.get_outputs()}


def test_log_probabilities_are_computed_in_single_precision(networks):
    graphs: Mapping[str, Graph] = networks[1].graphs
    seen = 0
    for graph in graphs.values():
        for operator in ("LogSoftmax", "ReduceLogSumExp", "TopK"):
            types = types_of(graph, operator) - {"tensor(int64)"}  # places, which are sorted, too
            assert types <= {"tensor(float)"}
            seen += len(types)
    assert seen >= 3


def test_layers_are_computed_in_half_precision(networks):
    for name, graph in networks[1].graphs.items():
        assert types_of(graph, "Gemm") == {"tensor(float16)"}
        if name not in ("judge", "project"):
            assert types_of(graph, "LayerNormalization") == {"tensor(float16)"}


def test_states_travel_in_half_precision():
    network = transformer("fp16")
    state = network.start(sentences(3, seed=5), [(END,), (END, 4), (END,)])
    state, _, _ = network.step(state, np.arange(3), np.array([4, 5, 6]), top=2)
    kinds = {values.dtype for values in (*state.cache, *state.attended.keys_and_values)}
    assert kinds == {np.dtype(np.float16)}


@pytest.mark.parametrize("beams", [1, 3])
def test_it_translates(beams):
    sources, settings = (
        sentences(8, seed=6),
        Decoding(ends=(END,), max_new_tokens=10, beams=beams, batch_rows=9),
    )
    for network in (transformer("fp16"), SsruSteps(ssru("fp16"))):
        results = search(network, sources, [(END,)] * len(sources), settings)
        assert [len(best) for best in results] == [1] * len(sources)
        assert all(np.isfinite(best[0].score) for best in results)


def test_the_greedy_loop_runs():
    assert len(translate_batch(ssru("fp16"), sentences(5, seed=7), END, 10)) == 5


def test_a_weight_that_half_precision_does_not_reach_is_refused():
    graph = GraphBuilder("large", "fp16")
    assert graph.floating == FLOAT16
    with pytest.raises(ModelError, match="too large for fp16"):
        graph.weight(np.array([1.0, 70_000.0]))


def test_what_has_become_no_number_is_refused():
    """On the CPU sums do not overflow, because the runtime adds in single precision: a NaN is inserted."""
    model = transformer_model()
    model.decoder.output.bias[3] = np.nan
    network = open_network(transformer_definition(model, "fp16"), CPU, 1)
    with pytest.raises(ModelError, match="the range of fp16 is too small"):
        scores(network, [(5, END)], [(6, END)])
    state = network.start([(5, END)], [(END,)])
    with pytest.raises(ModelError, match="the range of fp16 is too small"):
        network.step(state, np.zeros(1, np.int64), np.array([END]), top=2)


def test_a_bias_that_rules_a_word_out_may_be_beyond_half_precision():
    random = np.random.default_rng(0)
    bias = np.zeros(50, np.float32)
    bias[7] = -1e9
    output = Linear(random.standard_normal((50, 16)).astype(np.float32), bias)
    hidden = random.standard_normal((4, 16)).astype(np.float16)
    logprobs, words = Session(project_graph(output, "fp16"), CPU, 1).run(
        ["top_logprobs", "top_words"],
        {"hidden": hidden, "top": np.array([49])},
    )
    assert not (words == 7).any()
    np.testing.assert_allclose(np.exp(logprobs).sum(axis=1), 1, rtol=1e-4)
