"""Builds the graphs of a network from the weights of a model."""

from __future__ import annotations

from collections.abc import Callable

from mtprobe.backends.device import Dtype
from mtprobe.engine.checkpoints.bergamot.architecture import read_model
from mtprobe.engine.checkpoints.bergamot.folder import ModelFiles
from mtprobe.engine.graphs import llama_graphs, ssru_graphs, transformer_graphs
from mtprobe.engine.graphs.attention_graphs import ssru_attention_graph, transformer_attention_graph
from mtprobe.engine.graphs.block_graphs import ssru_block_graph, transformer_block_graph
from mtprobe.engine.graphs.definition import (
    BuiltGraphs,
    CausalDimensions,
    Graph,
    NetworkDefinition,
    SsruDimensions,
    TransformerDimensions,
)
from mtprobe.engine.graphs.llama import LlamaModel
from mtprobe.engine.graphs.projection import judge_graph, project_graph
from mtprobe.engine.graphs.screening import SMALLEST, screen_graph
from mtprobe.engine.graphs.ssru import SsruModel
from mtprobe.engine.graphs.transformer import TransformerModel
from mtprobe.engine.graphs.weights import Linear


def ssru_definition(model: SsruModel, longest: int, dtype: Dtype = "fp32") -> NetworkDefinition:
    """`longest` is the maximum number of tokens of a sentence, EOS included."""
    dimensions = SsruDimensions(
        decoder_layers=model.decoder_layers,
        heads=model.heads,
        width=model.width,
        source_vocabulary=model.source_vocabulary,
        target_vocabulary=model.target_vocabulary,
        longest=longest,
        dtype=dtype,
    )
    graphs = BuiltGraphs(
        {
            "encode": lambda: ssru_graphs.encode_graph(model, longest, dtype),
            "encode_without": lambda: ssru_graphs.encode_graph(model, longest, dtype, without=True),
            "score": lambda: ssru_graphs.score_graph(model, longest, dtype),
            "attend": lambda: ssru_attention_graph(model, longest, dtype),
            "greedy_step": lambda: ssru_graphs.greedy_step_graph(model, longest, dtype),
            "step": lambda: ssru_graphs.step_graph(model, longest, dtype),
            "project": lambda: project_graph(model.output, dtype),
            **_for_drafts(lambda: ssru_block_graph(model, longest), model.output, dtype),
        }
    )
    return NetworkDefinition(dimensions, graphs)


def transformer_definition(model: TransformerModel, dtype: Dtype = "fp32") -> NetworkDefinition:
    dimensions = TransformerDimensions(
        decoder_layers=len(model.decoder.layers),
        heads=model.decoder.heads,
        width=model.width,
        source_vocabulary=model.source_vocabulary,
        target_vocabulary=model.target_vocabulary,
        longest_source=model.longest_source,
        longest_target=model.longest_target,
        dtype=dtype,
    )
    graphs = BuiltGraphs(
        {
            "encode": lambda: transformer_graphs.encode_graph(model, dtype),
            "encode_without": lambda: transformer_graphs.encode_graph(model, dtype, without=True),
            "read": lambda: transformer_graphs.read_graph(model, dtype),
            "attend": lambda: transformer_attention_graph(model, dtype),
            "step": lambda: transformer_graphs.step_graph(model, dtype),
            "judge": lambda: judge_graph(model.decoder.output, dtype),
            "project": lambda: project_graph(model.decoder.output, dtype),
            **_for_drafts(lambda: transformer_block_graph(model), model.decoder.output, dtype),
        }
    )
    return NetworkDefinition(dimensions, graphs)


def _for_drafts(
    block_graph: Callable[[], Graph], output: Linear, dtype: Dtype
) -> dict[str, Callable[[], Graph]]:
    """The graphs that verify drafts of translations, which is exact in single precision only."""
    if dtype != "fp32":
        return {}
    screen = {"screen": lambda: screen_graph(output)} if len(output.matrix) >= SMALLEST else {}
    return {"block": block_graph, **screen}


def llama_definition(model: LlamaModel, dtype: Dtype = "fp32") -> NetworkDefinition:
    kinds = {layer.attention.slides for layer in model.layers}
    dimensions = CausalDimensions(
        decoder_layers=len(model.layers),
        heads=model.heads,
        key_heads=model.key_heads,
        head_width=model.head_width,
        width=model.width,
        target_vocabulary=model.vocabulary,
        longest=model.longest,
        window=model.window or model.longest,
        attention="mixed" if len(kinds) > 1 else "sliding" if kinds == {True} else "full",
        dtype=dtype,
    )
    graphs = BuiltGraphs(
        {
            "read": lambda: llama_graphs.read_graph(model, dtype),
            "step": lambda: llama_graphs.step_graph(model, dtype),
            "judge": lambda: judge_graph(model.output, dtype),
            "project": lambda: project_graph(model.output, dtype),
        }
    )
    return NetworkDefinition(dimensions, graphs)


def bergamot_definition(files: ModelFiles, longest: int, dtype: Dtype = "fp32") -> NetworkDefinition:
    """`longest` is the maximum length of a sentence, EOS included."""
    model = read_model(files.weights, files.config, longest)
    if isinstance(model, SsruModel):
        return ssru_definition(model, longest, dtype)
    return transformer_definition(model, dtype)
