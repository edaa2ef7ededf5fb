"""Graphs that read several tokens per sentence after those already read.

A sentence has a slot, in which the network keeps what it has read. The tokens of all slots are packed; `block_…`
arranges them by slot.
"""

from __future__ import annotations

from mtprobe.backends.device import Dtype
from mtprobe.engine.graphs.attention import attention_mask
from mtprobe.engine.graphs.builder import CONTRIB, INT32, INT64, GraphBuilder, PackedSide
from mtprobe.engine.graphs.definition import Graph
from mtprobe.engine.graphs.ssru import SsruModel
from mtprobe.engine.graphs.ssru_layers import SsruLayers
from mtprobe.engine.graphs.transformer import Attention, TransformerModel
from mtprobe.engine.graphs.transformer_layers import TransformerLayers


def transformer_block_graph(model: TransformerModel, dtype: Dtype = "fp32") -> Graph:
    """`hidden` [tokens, width], and the `next_keys_N` and `next_values_N` of the tokens, [tokens, width].

    The keys and values of earlier tokens are `keys_N` and `values_N`, [slots, heads, past, head width], at the places
    where `past_filled` [slots, past] is 1; those of the source are `cross_keys_N` and `cross_values_N`.
    """
    graph, decoder = GraphBuilder("block", dtype), model.decoder
    layers = TransformerLayers(model, graph)
    tokens, places = (graph.input(name, INT64, ["block_tokens"]) for name in ("tokens", "places"))
    side = PackedSide.inputs(graph, "block")
    masks = _Masks(graph)

    def stored(name: str, length: str) -> str:
        shape: list[int | str] = ["slots", decoder.heads, length, model.width // decoder.heads]
        return graph.input(name, graph.floating, shape)

    x = layers.embed(decoder.embedding, tokens, places)
    for number, layer in enumerate(decoder.layers):
        past = (stored(f"keys_{number}", "past"), stored(f"values_{number}", "past"))
        x, (key, value) = _self_attention(layers, x, layer.attention, side, past, masks)
        graph.output(key, f"next_keys_{number}", graph.floating, ["block_tokens", model.width])
        graph.output(value, f"next_values_{number}", graph.floating, ["block_tokens", model.width])
        keys, values = (stored(f"cross_{what}_{number}", "source_longest") for what in ("keys", "values"))
        x = layers.cross_attention(x, layer.cross, side, (keys, values), masks.source)
        x = layers.feed_forward(x, layer.feed_forward)
    graph.output(layers.norm(x, decoder.norm), "hidden", graph.floating, ["block_tokens", model.width])
    return graph.build()


class _Masks:
    """The tokens that a block attends to: the past, earlier tokens of the block, and the source."""

    def __init__(self, graph: GraphBuilder) -> None:
        self.past = attention_mask(graph, graph.input("past_filled", INT32, ["slots", "past"]), 1, 2)
        self.block = attention_mask(
            graph, graph.input("block_mask", INT32, ["block_longest", "block_longest"]), 0, 1
        )
        self.source = attention_mask(
            graph, graph.input("source_mask", INT32, ["slots", "source_longest"]), 1, 2
        )


def _self_attention(
    layers: TransformerLayers,
    x: str,
    layer: Attention,
    side: PackedSide,
    past: tuple[str, str],
    masks: _Masks,
) -> tuple[str, tuple[str, str]]:
    """The output of the block of layers, and the keys and values of its tokens.

    Keys of the past and of the block are multiplied separately: to put them into one array would copy the past.
    """
    graph, model = layers.graph, layers.model
    normed = layers.enter(x, layer.norm)
    attended = normed if model.norms_keys else x
    query = layers.linear(normed, layer.query)
    key, value = layers.linear(attended, layer.key), layers.linear(attended, layer.value)
    heads = layers.heads(side.unpack, model.decoder.heads)
    queries, scale = heads.split(query), float((model.width // model.decoder.heads) ** -0.5)
    scores = [
        graph(
            "Add",
            graph("FusedMatMul", queries, keys, domain=CONTRIB, transB=1, alpha=scale),
            mask,
        )
        for keys, mask in ((past[0], masks.past), (heads.split(key), masks.block))
    ]
    weights = graph("Softmax", graph("Concat", *scores, axis=-1), axis=-1)
    lengths = graph(
        "Concat", *(graph("Shape", part, start=axis, end=axis + 1) for part, axis in ((past[0], 2), (side.unpack, 1))), axis=0
    )  # fmt: skip
    of_past, of_block = graph.several("Split", 2, weights, lengths, axis=-1)
    mixed = graph("Add", graph("MatMul", of_past, past[1]), graph("MatMul", of_block, heads.split(value)))
    output = layers.linear(heads.merge(mixed, side), layer.output)
    return layers.leave(output, x, layer.norm), (key, value)


def ssru_block_graph(model: SsruModel, longest: int, dtype: Dtype = "fp32") -> Graph:
    """`hidden` [tokens, width], and the cells after each token, `next_cells_N` [tokens, width].

    `cells_N` [slots, width] are the cells before the block; it attends to `keys_N` and `values_N` of the source.
    """
    graph = GraphBuilder("block", dtype)
    layers = SsruLayers(model, graph, longest)
    tokens, places = (graph.input(name, INT64, ["block_tokens"]) for name in ("tokens", "places"))
    side = PackedSide.inputs(graph, "block")
    mask = graph.input("source_mask", INT32, ["slots", "source_longest"])
    head: list[int | str] = ["slots", model.heads, "source_longest", model.width // model.heads]

    x = layers.embed_previous(tokens, places)
    for layer in range(1, model.decoder_layers + 1):
        before = graph.input(f"cells_{layer}", graph.floating, ["slots", model.width])
        prefix = f"decoder_l{layer}_rnn"
        cells = layers.recurrent_cells(x, side, prefix, before)
        graph.output(cells, f"next_cells_{layer}", graph.floating, ["block_tokens", model.width])
        x = layers.recurrent_output(cells, x, prefix)
        query = layers.unpack(layers.cross_query(x, layer), side.unpack)
        key, value = (graph.input(f"{what}_{layer}", graph.floating, head) for what in ("keys", "values"))
        mixed = layers.pack(layers.attend(query, key, value, mask), side.rows, side.places)
        x = layers.after_attention(mixed, x, layer)
    graph.output(x, "hidden", graph.floating, ["block_tokens", model.width])
    return graph.build()
