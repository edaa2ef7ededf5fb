"""The graphs of an SSRU model: encode sources, score given targets, take one step of greedy or beam search."""

from __future__ import annotations

from mtprobe.backends.device import Dtype
from mtprobe.engine.graphs.builder import FLOAT, INT32, INT64, GraphBuilder
from mtprobe.engine.graphs.graph import Graph
from mtprobe.engine.graphs.packed_side import PackedSide
from mtprobe.engine.graphs.ssru import SsruModel
from mtprobe.engine.graphs.ssru_layers import SsruLayers


def encode_graph(model: SsruModel, longest: int, dtype: Dtype = "fp32", *, without: bool = False) -> Graph:
    """Source tokens → `memory` [tokens, width] and `cross`: what each decoder layer attends to.

    `cross` is [tokens, decoder layers × (keys, values) × width], so that one index unpacks all of it.
    `without` gives a graph that occludes the source tokens whose `source_kept` is 0.
    """
    graph = GraphBuilder("encode_without" if without else "encode", dtype)
    layers = SsruLayers(model, graph, longest)
    tokens, side = graph.input("source", INT64, ["source_tokens"]), PackedSide.inputs(graph, "source")
    mask = graph.input("source_mask", INT32, ["sentences", "source_longest"])
    kept = graph.input("source_kept", graph.floating, ["source_tokens"]) if without else None
    x = layers.embed_source(tokens, side.places, kept)
    for layer in range(1, model.encoder_layers + 1):
        prefix = f"encoder_l{layer}_self"
        query, key, value = (
            layers.unpack(layers.linear(x, (f"{prefix}_W{letter}", f"{prefix}_b{letter}")), side.unpack)
            for letter in "qkv"
        )
        mixed = layers.pack(layers.attend(query, key, value, mask), side.rows, side.places)
        x = layers.add_and_norm(layers.linear(mixed, (f"{prefix}_Wo", f"{prefix}_bo")), x, f"{prefix}_Wo")
        x = layers.feed_forward(x, f"encoder_l{layer}_ffn")
    graph.output(x, "memory", graph.floating, ["source_tokens", model.width])
    cross = layers.linear(x, *_cross_weights(model))
    graph.output(cross, "cross", graph.floating, ["source_tokens", 2 * model.decoder_layers * model.width])
    return graph.build()


def _cross_weights(model: SsruModel) -> list[tuple[str, str]]:
    prefixes = [f"decoder_l{layer}_context" for layer in range(1, model.decoder_layers + 1)]
    return [(f"{prefix}_W{letter}", f"{prefix}_b{letter}") for prefix in prefixes for letter in "kv"]


def score_graph(model: SsruModel, longest: int, dtype: Dtype = "fp32") -> Graph:
    """Scores given targets: `logprobs` [tokens], one per target token."""
    graph = GraphBuilder("score", dtype)
    layers = SsruLayers(model, graph, longest)
    cross = graph.input("cross", graph.floating, ["source_tokens", 2 * model.decoder_layers * model.width])
    unpack_source = graph.input("source_unpack", INT64, ["sentences", "source_longest"])
    mask = graph.input("source_mask", INT32, ["sentences", "source_longest"])
    previous = graph.input("previous", INT64, ["target_tokens"])
    target = graph.input("target", INT64, ["target_tokens"])
    side = PackedSide.inputs(graph, "target")

    attended = graph.split(layers.unpack(cross, unpack_source), 2 * model.decoder_layers, axis=2)
    x = layers.embed_previous(previous, side.places)
    for layer in range(1, model.decoder_layers + 1):
        x = layers.recur(x, side, f"decoder_l{layer}_rnn")
        query = layers.unpack(layers.cross_query(x, layer), side.unpack)
        key, value = attended[2 * layer - 2 : 2 * layer]
        mixed = layers.pack(layers.attend(query, key, value, mask), side.rows, side.places)
        x = layers.after_attention(mixed, x, layer)
    logprobs = layers.log_probabilities(x)
    axis = graph.numbers(1)
    chosen = graph("GatherElements", logprobs, graph("Unsqueeze", target, axis), axis=1)
    graph.output(graph("Squeeze", chosen, axis), "logprobs", FLOAT, ["target_tokens"])
    return graph.build()


def greedy_step_graph(model: SsruModel, longest: int, dtype: Dtype = "fp32") -> Graph:
    """One step of greedy translation for each sentence: the likeliest next token and its log-probability.

    The decoder's cells are the inputs `cells_N` and the outputs `next_cells_N`; it attends to `keys_N` and
    `values_N`, [sentences, heads, longest source, head width].
    """
    graph = GraphBuilder("greedy_step", dtype)
    layers = SsruLayers(model, graph, longest)
    previous = graph.input("previous", INT64, ["sentences"])
    places = graph.input("places", INT64, ["sentences"])
    mask = graph.input("source_mask", INT32, ["sentences", "source_longest"])
    head: list[int | str] = ["sentences", model.heads, "source_longest", model.width // model.heads]
    axis = graph.numbers(1)

    x = layers.embed_previous(previous, places)
    for layer in range(1, model.decoder_layers + 1):
        before = graph.input(f"cells_{layer}", graph.floating, ["sentences", model.width])
        forget, fresh = layers.gates(x, f"decoder_l{layer}_rnn")
        cells = graph("Add", graph("Mul", forget, before), fresh)
        graph.output(cells, f"next_cells_{layer}", graph.floating, ["sentences", model.width])
        x = layers.recurrent_output(cells, x, f"decoder_l{layer}_rnn")
        query = graph("Unsqueeze", layers.cross_query(x, layer), axis)
        key = graph.input(f"keys_{layer}", graph.floating, head)
        value = graph.input(f"values_{layer}", graph.floating, head)
        mixed = graph("Squeeze", layers.attend(query, key, value, mask), axis)
        x = layers.after_attention(mixed, x, layer)
    token, logprob = layers.likeliest(layers.log_probabilities(x))
    graph.output(token, "token", INT64, ["sentences"])
    graph.output(logprob, "logprob", FLOAT, ["sentences"])
    return graph.build()


def step_graph(model: SsruModel, longest: int, dtype: Dtype = "fp32") -> Graph:
    """One token per row → `hidden` [rows, width] and the cells after it.

    `parents` [rows] gives the row of `cells_N` that each row continues.
    """
    graph = GraphBuilder("step", dtype)
    layers = SsruLayers(model, graph, longest)
    previous, places, parents = (
        graph.input(name, INT64, ["rows"]) for name in ("previous", "places", "parents")
    )
    mask, side = graph.input("source_mask", INT32, ["sentences", "longest"]), PackedSide.inputs(graph, "row")
    head: list[int | str] = ["sentences", model.heads, "longest", model.width // model.heads]

    x = layers.embed_previous(previous, places)
    for layer in range(1, model.decoder_layers + 1):
        before = layers.unpack(
            graph.input(f"cells_{layer}", graph.floating, ["old_rows", model.width]), parents
        )
        forget, fresh = layers.gates(x, f"decoder_l{layer}_rnn")
        cells = graph("Add", graph("Mul", forget, before), fresh)
        graph.output(cells, f"next_cells_{layer}", graph.floating, ["rows", model.width])
        x = layers.recurrent_output(cells, x, f"decoder_l{layer}_rnn")
        query = layers.unpack(layers.cross_query(x, layer), side.unpack)
        key, value = (graph.input(f"{what}_{layer}", graph.floating, head) for what in ("keys", "values"))
        mixed = layers.pack(layers.attend(query, key, value, mask), side.rows, side.places)
        x = layers.after_attention(mixed, x, layer)
    graph.output(x, "hidden", graph.floating, ["rows", model.width])
    return graph.build()
