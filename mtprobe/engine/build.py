"""Networks whose graphs are built from the weights of a model."""

from __future__ import annotations

from mtprobe.backends.device import Device
from mtprobe.backends.dtype import Dtype
from mtprobe.engine.graphs.facts import SsruFacts, TransformerFacts
from mtprobe.engine.graphs.graph import BuiltGraphs
from mtprobe.engine.graphs.network import Parts
from mtprobe.engine.graphs.projection import judge_graph, project_graph
from mtprobe.engine.graphs.ssru import SsruModel
from mtprobe.engine.graphs.ssru_graphs import encode_graph, greedy_step_graph, score_graph, step_graph
from mtprobe.engine.graphs.transformer import TransformerModel
from mtprobe.engine.graphs.transformer_graphs import encode_graph as encode_transformer_graph
from mtprobe.engine.graphs.transformer_graphs import read_graph
from mtprobe.engine.graphs.transformer_graphs import step_graph as step_transformer_graph
from mtprobe.engine.runtime.ssru_network import SsruNetwork
from mtprobe.engine.runtime.transformer_network import TransformerNetwork


def ssru_network(
    model: SsruModel, device: Device, threads: int | None, longest: int, dtype: Dtype = "fp32"
) -> SsruNetwork:
    """`longest` is how many tokens a sentence may have, its end included."""
    return SsruNetwork(
        _ssru_facts(model, longest, dtype), _ssru_graphs(model, longest, dtype), device, threads
    )


def ssru_parts(model: SsruModel, longest: int, dtype: Dtype = "fp32") -> Parts:
    return Parts(_ssru_facts(model, longest, dtype), _ssru_graphs(model, longest, dtype))


def _ssru_facts(model: SsruModel, longest: int, dtype: Dtype) -> SsruFacts:
    return SsruFacts(
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
            "encode": lambda: encode_graph(model, longest, dtype),
            "encode_without": lambda: encode_graph(model, longest, dtype, without=True),
            "score": lambda: score_graph(model, longest, dtype),
            "greedy_step": lambda: greedy_step_graph(model, longest, dtype),
            "step": lambda: step_graph(model, longest, dtype),
            "project": lambda: project_graph(model.output, dtype),
        }
    )


def transformer_network(
    model: TransformerModel, device: Device, threads: int | None, dtype: Dtype = "fp32"
) -> TransformerNetwork:
    return TransformerNetwork(
        _transformer_facts(model, dtype), _transformer_graphs(model, dtype), device, threads
    )


def transformer_parts(model: TransformerModel, dtype: Dtype = "fp32") -> Parts:
    return Parts(_transformer_facts(model, dtype), _transformer_graphs(model, dtype))


def _transformer_facts(model: TransformerModel, dtype: Dtype) -> TransformerFacts:
    return TransformerFacts(
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
            "encode": lambda: encode_transformer_graph(model, dtype),
            "encode_without": lambda: encode_transformer_graph(model, dtype, without=True),
            "read": lambda: read_graph(model, dtype),
            "step": lambda: step_transformer_graph(model, dtype),
            "judge": lambda: judge_graph(model.decoder.output, dtype),
            "project": lambda: project_graph(model.decoder.output, dtype),
        }
    )
