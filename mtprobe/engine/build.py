"""Builds the graphs of a network from the weights of a model."""

from __future__ import annotations

from mtprobe.backends.device import Device, Dtype
from mtprobe.engine.graphs import ssru_graphs, transformer_graphs
from mtprobe.engine.graphs.definition import NetworkDefinition, SsruDimensions, TransformerDimensions
from mtprobe.engine.graphs.graph import BuiltGraphs
from mtprobe.engine.graphs.projection import judge_graph, project_graph
from mtprobe.engine.graphs.ssru import SsruModel
from mtprobe.engine.graphs.transformer import TransformerModel
from mtprobe.engine.runtime.ssru_network import SsruNetwork
from mtprobe.engine.runtime.transformer_network import TransformerNetwork


def ssru_network(
    model: SsruModel, device: Device, threads: int | None, longest: int, dtype: Dtype = "fp32"
) -> SsruNetwork:
    """`longest` is the maximum number of tokens of a sentence, EOS included."""
    return SsruNetwork(
        _ssru_dimensions(model, longest, dtype), _ssru_graphs(model, longest, dtype), device, threads
    )


def ssru_definition(model: SsruModel, longest: int, dtype: Dtype = "fp32") -> NetworkDefinition:
    return NetworkDefinition(_ssru_dimensions(model, longest, dtype), _ssru_graphs(model, longest, dtype))


def _ssru_dimensions(model: SsruModel, longest: int, dtype: Dtype) -> SsruDimensions:
    return SsruDimensions(
        decoder_layers=model.decoder_layers,
        heads=model.heads,
        width=model.width,
        source_vocabulary=model.source_vocabulary,
        target_vocabulary=model.target_vocabulary,
        longest=longest,
        dtype=dtype,
    )


def _ssru_graphs(model: SsruModel, longest: int, dtype: Dtype) -> BuiltGraphs:
    return BuiltGraphs(
        {
            "encode": lambda: ssru_graphs.encode_graph(model, longest, dtype),
            "encode_without": lambda: ssru_graphs.encode_graph(model, longest, dtype, without=True),
            "score": lambda: ssru_graphs.score_graph(model, longest, dtype),
            "greedy_step": lambda: ssru_graphs.greedy_step_graph(model, longest, dtype),
            "step": lambda: ssru_graphs.step_graph(model, longest, dtype),
            "project": lambda: project_graph(model.output, dtype),
        }
    )


def transformer_network(
    model: TransformerModel, device: Device, threads: int | None, dtype: Dtype = "fp32"
) -> TransformerNetwork:
    return TransformerNetwork(
        _transformer_dimensions(model, dtype), _transformer_graphs(model, dtype), device, threads
    )


def transformer_definition(model: TransformerModel, dtype: Dtype = "fp32") -> NetworkDefinition:
    return NetworkDefinition(_transformer_dimensions(model, dtype), _transformer_graphs(model, dtype))


def _transformer_dimensions(model: TransformerModel, dtype: Dtype) -> TransformerDimensions:
    return TransformerDimensions(
        decoder_layers=len(model.decoder.layers),
        heads=model.decoder.heads,
        width=model.width,
        source_vocabulary=model.source_vocabulary,
        target_vocabulary=model.target_vocabulary,
        longest_source=model.longest_source,
        longest_target=model.longest_target,
        dtype=dtype,
    )


def _transformer_graphs(model: TransformerModel, dtype: Dtype) -> BuiltGraphs:
    return BuiltGraphs(
        {
            "encode": lambda: transformer_graphs.encode_graph(model, dtype),
            "encode_without": lambda: transformer_graphs.encode_graph(model, dtype, without=True),
            "read": lambda: transformer_graphs.read_graph(model, dtype),
            "step": lambda: transformer_graphs.step_graph(model, dtype),
            "judge": lambda: judge_graph(model.decoder.output, dtype),
            "project": lambda: project_graph(model.decoder.output, dtype),
        }
    )
