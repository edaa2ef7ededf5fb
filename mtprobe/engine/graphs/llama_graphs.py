"""Graphs of a decoder-only transformer: read given texts, take one decoding step.

Neither contains the vocabulary: they return hidden states, which `projection.py` turns into probabilities. All texts of
a batch may share a beginning, such as an instruction with examples: its keys and values are given as `shared_…`,
[1, key heads, shared, head width], and have at least one position, which masks may exclude.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mtprobe.backends.device import Dtype
from mtprobe.engine.graphs.attention import attention_mask
from mtprobe.engine.graphs.builder import INT32, INT64, GraphBuilder, PackedSide
from mtprobe.engine.graphs.definition import Graph
from mtprobe.engine.graphs.llama import LlamaLayer, LlamaModel
from mtprobe.engine.graphs.llama_layers import KeysAndValues, LlamaLayers


@dataclass(frozen=True, slots=True)
class _Masks:
    """The masks of layers that attend to everything, and of those that attend to the latest tokens."""

    by_window: Mapping[bool, str]

    @classmethod
    def inputs(cls, graph: GraphBuilder, model: LlamaModel, *axes: int | str) -> _Masks:
        """`mask` and `window_mask`, as far as there are such layers."""
        kinds = sorted({layer.attention.slides for layer in model.layers})
        return cls(
            {
                slides: attention_mask(
                    graph, graph.input("window_mask" if slides else "mask", INT32, ["sentences", *axes]), 1
                )
                for slides in kinds
            }
        )

    def of(self, layer: LlamaLayer) -> str:
        return self.by_window[layer.attention.slides]


def read_graph(model: LlamaModel, dtype: Dtype = "fp32") -> Graph:
    """Reads texts: `hidden` [wanted, width], the state of each wanted token, and `cache`.

    `cache` has the keys and values of every token, [tokens, layers × (keys, values) × key heads × head width].
    A sentence of the batch has the tokens that a text adds to those before it, and a path from the text's first token,
    [sentences, path longest]; `mask` [sentences, longest, shared + path longest] is 1 where a token attends to another.
    """
    graph = GraphBuilder("read", dtype)
    layers = LlamaLayers(model, graph)
    tokens, side = graph.input("text", INT64, ["text_tokens"]), PackedSide.inputs(graph, "text")
    rotation = layers.rotation(graph.input("text_depths", INT64, ["text_tokens"]))
    path = graph.input("path_unpack", INT64, ["sentences", "path_longest"])
    wanted = graph.input("wanted", INT64, ["wanted"])
    masks = _Masks.inputs(graph, model, "text_longest", "attended")
    x = layers.embed(tokens)
    cache: list[str] = []
    for number, layer in enumerate(model.layers):
        query, key, value = layers.projections(x, layer.attention, rotation)
        cache += [key, value]
        own = KeysAndValues(*(layers.split_keys(packed, path) for packed in (key, value)))
        mixed = layers.attend(query, side, _shared(graph, model, number), own, masks.of(layer))
        x = layers.leave(x, mixed, layer.attention)
        x = layers.feed_forward(x, layer.feed_forward)
    x = layers.norm(graph("Gather", x, wanted, axis=0), model.norm)
    graph.output(x, "hidden", graph.floating, ["wanted", model.width])
    size = len(cache) * model.key_heads * model.head_width
    graph.output(graph("Concat", *cache, axis=1), "cache", graph.floating, ["text_tokens", size])
    return graph.build()


def step_graph(model: LlamaModel, dtype: Dtype = "fp32") -> Graph:
    """One more token per row: `hidden` [rows, width], and the keys and values extended by it.

    A row is a hypothesis. Its past after the shared beginning is given as `keys_N` and `values_N`,
    [old rows, key heads, length, head width], and `parents` gives the old row that each new one continues.
    `mask` is [rows, 1, shared + length + 1].
    """
    graph = GraphBuilder("step", dtype)
    layers = LlamaLayers(model, graph)
    tokens, parents = (graph.input(name, INT64, ["sentences"]) for name in ("tokens", "parents"))
    rotation = layers.rotation(graph.input("places", INT64, ["sentences"]))
    side = PackedSide.inputs(graph, "row")
    masks = _Masks.inputs(graph, model, "row_longest", "attended")

    def shape(rows: str, length: str) -> list[int | str]:
        return [rows, model.key_heads, length, model.head_width]

    x = layers.embed(tokens)
    for number, layer in enumerate(model.layers):
        query, key, value = layers.projections(x, layer.attention, rotation)
        grown = []
        for what, new in (("keys", key), ("values", value)):
            past = graph.input(f"{what}_{number}", graph.floating, shape("old_rows", "length"))
            by_head = graph("Reshape", new, graph.numbers(-1, model.key_heads, 1, model.head_width))
            grown.append(graph("Concat", graph("Gather", past, parents, axis=0), by_head, axis=2))
            graph.output(
                grown[-1], f"next_{what}_{number}", graph.floating, shape("sentences", "length_after")
            )
        mixed = layers.attend(
            query, side, _shared(graph, model, number), KeysAndValues(*grown), masks.of(layer)
        )
        x = layers.leave(x, mixed, layer.attention)
        x = layers.feed_forward(x, layer.feed_forward)
    graph.output(layers.norm(x, model.norm), "hidden", graph.floating, ["sentences", model.width])
    return graph.build()


def _shared(graph: GraphBuilder, model: LlamaModel, number: int) -> KeysAndValues:
    shape: list[int | str] = [1, model.key_heads, "shared", model.head_width]
    return KeysAndValues(
        *(graph.input(f"shared_{what}_{number}", graph.floating, shape) for what in ("keys", "values"))
    )
