"""Graphs for alignment: how much each token of a given target attends to each token of its source.

They stop where the last attention is known and contain no vocabulary, so they cost less than scoring. Which layers and
heads align was measured on translations of ambiguous words and occupations, by opus-mt-en-fr and the demo model.
"""

from __future__ import annotations

import numpy as np

from mtprobe.backends.device import Dtype
from mtprobe.engine.graphs.attention import Heads, attention_mask
from mtprobe.engine.graphs.builder import FLOAT, INT32, INT64, GraphBuilder, PackedSide
from mtprobe.engine.graphs.definition import Graph
from mtprobe.engine.graphs.ssru import SsruModel
from mtprobe.engine.graphs.ssru_layers import SsruLayers
from mtprobe.engine.graphs.transformer import TransformerModel
from mtprobe.engine.graphs.transformer_graphs import GivenTargets
from mtprobe.engine.graphs.transformer_layers import TransformerLayers

GUIDED_HEAD = (
    0  # Marian's guided alignment trains the first head of the last layer; students are trained with it
)


def aligning_layers(layers: int) -> range:
    """The last two thirds; the others attend to the source of the token that was read last, not of the next one."""
    return range(layers // 3, layers)


def transformer_attention_graph(model: TransformerModel, dtype: Dtype = "fp32") -> Graph:
    """`attention` [wanted, longest source]: the mean over all heads of the aligning layers. Inputs as for `read`."""
    graph, decoder = GraphBuilder("attend", dtype), model.decoder
    layers = TransformerLayers(model, graph)
    given = GivenTargets.inputs(graph, model)
    cross, side = given.cross, given.side

    source_heads = layers.heads(given.source_unpack, decoder.heads, parts=2 * len(decoder.layers))
    target_mask, source_mask = (
        attention_mask(graph, given.target_mask, 1),
        attention_mask(graph, given.source_mask, 1, 2),
    )
    x, attentions = layers.embed(decoder.embedding, given.tokens, given.depths), []
    for number, layer in enumerate(decoder.layers):
        x = layers.self_attention(x, layer.attention, side, decoder.heads, target_mask)
        keys = source_heads.split(cross, 2 * number)
        weights = layers.cross_weights(x, layer.cross, side, keys, source_mask)
        if number in aligning_layers(len(decoder.layers)):
            attentions.append(graph("ReduceMean", weights, graph.numbers(1), keepdims=0))
        if number + 1 < len(decoder.layers):
            values = source_heads.split(cross, 2 * number + 1)
            x = layers.after_attention(x, layer.cross, side, weights, values)
            x = layers.feed_forward(x, layer.feed_forward)
    mean = graph("Mul", graph("Sum", *attentions), graph.weight(1 / len(attentions)))
    return _output(graph, mean, side, given.wanted)


def ssru_attention_graph(model: SsruModel, longest: int, dtype: Dtype = "fp32") -> Graph:
    """`attention` [wanted, longest source]: of the guided head. Inputs as for `score`."""
    graph = GraphBuilder("attend", dtype)
    layers = SsruLayers(model, graph, longest)
    cross = graph.input("cross", graph.floating, ["source_tokens", 2 * model.decoder_layers * model.width])
    unpack_source = graph.input("source_unpack", INT64, ["sentences", "source_longest"])
    mask = graph.input("source_mask", INT32, ["sentences", "source_longest"])
    previous = graph.input("previous", INT64, ["target_tokens"])
    side = PackedSide.inputs(graph, "target")
    wanted = graph.input("wanted", INT64, ["wanted"])

    attended = graph.split(layers.unpack(cross, unpack_source), 2 * model.decoder_layers, axis=2)
    x = layers.embed_previous(previous, side.places)
    for layer in range(1, model.decoder_layers):
        x = layers.recur(x, side, f"decoder_l{layer}_rnn")
        query = layers.unpack(layers.cross_query(x, layer), side.unpack)
        key, value = attended[2 * layer - 2 : 2 * layer]
        mixed = layers.pack(layers.attend(query, key, value, mask), side.rows, side.places)
        x = layers.after_attention(mixed, x, layer)
    x = layers.recur(x, side, f"decoder_l{model.decoder_layers}_rnn")
    heads = Heads.of(graph, side.unpack, model.heads, model.width)
    source_heads = Heads.of(graph, unpack_source, model.heads, model.width, parts=2 * model.decoder_layers)
    query = heads.split(layers.cross_query(x, model.decoder_layers))
    keys = source_heads.split(cross, 2 * model.decoder_layers - 2)
    weights = heads.weights(query, keys, attention_mask(graph, mask, 1, 2))
    guided = graph("Gather", weights, graph.weight(GUIDED_HEAD, np.int64), axis=1)
    return _output(graph, guided, side, wanted)


def _output(graph: GraphBuilder, attention: str, side: PackedSide, wanted: str) -> Graph:
    """[sentences, longest target, longest source] → the rows of the wanted tokens."""
    axis = graph.numbers(1)
    places = [
        graph("Unsqueeze", graph("Gather", index, wanted, axis=0), axis) for index in (side.rows, side.places)
    ]
    rows = graph("GatherND", attention, graph("Concat", *places, axis=1))
    graph.output(graph.single(rows), "attention", FLOAT, ["wanted", "source_longest"])
    return graph.build()
