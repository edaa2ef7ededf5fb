"""The graphs of a transformer: encode sources, read given targets, take one decoding step.

None of them contains the vocabulary: they return hidden states, which `projection.py` turns into probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass

from mtprobe.backends.device import Dtype
from mtprobe.engine.graphs.attention import attention_mask
from mtprobe.engine.graphs.builder import INT32, INT64, GraphBuilder, PackedSide
from mtprobe.engine.graphs.definition import Graph
from mtprobe.engine.graphs.transformer import TransformerModel
from mtprobe.engine.graphs.transformer_layers import TransformerLayers


@dataclass(frozen=True, slots=True)
class GivenTargets:
    """The inputs of a graph that reads given targets, as names of graph values; targets are prefix trees."""

    cross: str  # [source tokens, decoder layers × (keys, values) × width]
    source_unpack: str
    source_mask: str
    tokens: str
    side: PackedSide
    depths: str  # [target tokens] the position of each token on its path
    target_mask: str  # [trees, longest, longest] 1 where a token attends to another
    wanted: str  # the tokens whose results are returned

    @classmethod
    def inputs(cls, graph: GraphBuilder, model: TransformerModel) -> GivenTargets:
        keys_and_values = 2 * len(model.decoder.layers)
        return cls(
            cross=graph.input("cross", graph.floating, ["source_tokens", keys_and_values * model.width]),
            source_unpack=graph.input("source_unpack", INT64, ["sentences", "source_longest"]),
            source_mask=graph.input("source_mask", INT32, ["sentences", "source_longest"]),
            tokens=graph.input("target", INT64, ["target_tokens"]),
            side=PackedSide.inputs(graph, "target"),
            depths=graph.input("target_depths", INT64, ["target_tokens"]),
            target_mask=graph.input("target_mask", INT32, ["sentences", "target_longest", "target_longest"]),
            wanted=graph.input("wanted", INT64, ["wanted"]),
        )


def encode_graph(model: TransformerModel, dtype: Dtype = "fp32", *, without: bool = False) -> Graph:
    """Source tokens → `cross`: what each decoder layer attends to.

    It is [tokens, decoder layers × (keys, values) × width], so that one index unpacks all of it.
    `without` gives a graph that occludes the source tokens whose `source_kept` is 0.
    """
    graph = GraphBuilder("encode_without" if without else "encode", dtype)
    layers = TransformerLayers(model, graph)
    tokens, side = graph.input("source", INT64, ["source_tokens"]), PackedSide.inputs(graph, "source")
    mask = graph.input("source_mask", INT32, ["sentences", "source_longest"])
    kept = graph.input("source_kept", graph.floating, ["source_tokens"]) if without else None
    source_mask = attention_mask(graph, mask, 1, 2)
    x = layers.embed(model.encoder.embedding, tokens, side.places, kept)
    for layer in model.encoder.layers:
        x = layers.self_attention(x, layer.attention, side, model.encoder.heads, source_mask)
        x = layers.feed_forward(x, layer.feed_forward)
    x = layers.norm(x, model.encoder.norm)
    parts = [part for layer in model.decoder.layers for part in (layer.cross.key, layer.cross.value)]
    graph.output(
        layers.linear(x, *parts), "cross", graph.floating, ["source_tokens", len(parts) * model.width]
    )
    return graph.build()


def read_graph(model: TransformerModel, dtype: Dtype = "fp32") -> Graph:
    """Reads given targets: `hidden` [wanted, width], the state of each wanted token.

    Targets are given as prefix trees; `target_mask` [trees, longest, longest] is 1 where a token attends to another.
    """
    graph, decoder = GraphBuilder("read", dtype), model.decoder
    layers = TransformerLayers(model, graph)
    given = GivenTargets.inputs(graph, model)
    cross, side = given.cross, given.side

    source_heads = layers.heads(given.source_unpack, decoder.heads, parts=2 * len(decoder.layers))
    target_mask, source_mask = (
        attention_mask(graph, given.target_mask, 1),
        attention_mask(graph, given.source_mask, 1, 2),
    )
    x = layers.embed(decoder.embedding, given.tokens, given.depths)
    for number, layer in enumerate(decoder.layers):
        x = layers.self_attention(x, layer.attention, side, decoder.heads, target_mask)
        keys, values = (source_heads.split(cross, part) for part in (2 * number, 2 * number + 1))
        x = layers.cross_attention(x, layer.cross, side, (keys, values), source_mask)
        x = layers.feed_forward(x, layer.feed_forward)
    x = layers.norm(graph("Gather", x, given.wanted, axis=0), decoder.norm)
    graph.output(x, "hidden", graph.floating, ["wanted", model.width])
    return graph.build()


def step_graph(model: TransformerModel, dtype: Dtype = "fp32") -> Graph:
    """One more token per row: `hidden` [rows, width], and the cache with the token.

    A row is a hypothesis, and the hypotheses of a sentence are a tree of tokens. `keys_N` and `values_N`, [sentences,
    heads, slots, head width], hold the tokens of each sentence's tree, in any order; `slots` says where the new ones
    go, and `seen`, [sentences, most rows, slots], is 1 for the tokens of a row's past and its own. So no hypothesis is
    ever copied. With the same memory for `keys_N` and `next_keys_N`, only the new tokens are written.

    The hypotheses of a sentence are padded (`row_…`) and attend together, also to the source: `cross_keys_N` and
    `cross_values_N` have one row per sentence.
    """
    graph, decoder = GraphBuilder("step", dtype), model.decoder
    layers = TransformerLayers(model, graph)
    tokens = graph.input("tokens", INT64, ["rows"])
    places = graph.input("places", INT64, ["rows"])
    slots = graph.input("slots", INT64, ["rows", decoder.heads, 3])
    seen = graph.input("seen", INT32, ["sentences", "most_rows", "slots"])
    mask = graph.input("source_mask", INT32, ["sentences", "source_longest"])
    side = PackedSide.inputs(graph, "row")

    def head(length: str) -> list[int | str]:
        return ["sentences", decoder.heads, length, model.width // decoder.heads]

    source_mask, seen_mask = attention_mask(graph, mask, 1, 2), attention_mask(graph, seen, 1)
    x = layers.embed(decoder.embedding, tokens, places)
    for number, layer in enumerate(decoder.layers):
        cache = [
            graph.input(f"{what}_{number}", graph.floating, head("slots")) for what in ("keys", "values")
        ]
        x = layers.cached_attention(x, layer.attention, side, cache, slots, seen_mask)
        attended = (
            graph.input(f"cross_keys_{number}", graph.floating, head("source_longest")),
            graph.input(f"cross_values_{number}", graph.floating, head("source_longest")),
        )
        x = layers.cross_attention(x, layer.cross, side, attended, source_mask)
        x = layers.feed_forward(x, layer.feed_forward)
    graph.output(layers.norm(x, decoder.norm), "hidden", graph.floating, ["rows", model.width])
    return graph.build()
