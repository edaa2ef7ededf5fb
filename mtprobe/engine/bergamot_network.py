"""A Bergamot model, ready to run: its network and the vocabularies that belong to it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mtprobe.backends.device import Device, Dtype
from mtprobe.engine.checkpoints.bergamot.folder import ModelFiles
from mtprobe.engine.graphs.definition import NetworkDefinition, SsruDimensions
from mtprobe.engine.runtime.ssru_network import SsruNetwork
from mtprobe.engine.runtime.transformer_network import TransformerNetwork
from mtprobe.engine.tokenizers.sentencepiece_vocabulary import SentencePieceVocabulary
from mtprobe.errors import ModelError


@dataclass(frozen=True, slots=True)
class BergamotNetwork:
    network: SsruNetwork | TransformerNetwork
    source: SentencePieceVocabulary
    target: SentencePieceVocabulary
    start: int  # the decoder's start token


def bergamot_definition(files: ModelFiles, longest: int, dtype: Dtype = "fp32") -> NetworkDefinition:
    """Builds the network from the weights; `longest` is the maximum length of a sentence, EOS included."""
    from mtprobe.engine.build import ssru_definition, transformer_definition
    from mtprobe.engine.checkpoints.bergamot.architecture import read_model
    from mtprobe.engine.graphs.ssru import SsruModel

    model = read_model(files.weights, files.config, longest)
    if isinstance(model, SsruModel):
        return ssru_definition(model, longest, dtype)
    return transformer_definition(model, dtype)


def load_bergamot(
    files: ModelFiles, definition: NetworkDefinition, device: Device, threads: int | None
) -> BergamotNetwork:
    """Reads the vocabularies; raises `ModelError` if one is damaged or does not fit the network."""
    dimensions, graphs = definition.dimensions, definition.graphs
    source = SentencePieceVocabulary(files.source_vocabulary)
    shared = files.target_vocabulary == files.source_vocabulary
    target = source if shared else SentencePieceVocabulary(files.target_vocabulary)
    _check_size(files.source_vocabulary, source.size, files.weights, dimensions.source_vocabulary)
    _check_size(files.target_vocabulary, target.size, files.weights, dimensions.target_vocabulary)
    if isinstance(dimensions, SsruDimensions):
        ssru = SsruNetwork(dimensions, graphs, device, threads)
        return BergamotNetwork(ssru, source, target, start=target.end)
    transformer = TransformerNetwork(dimensions, graphs, device, threads)
    # The row after the last word; see `attention_decoder.py`.
    return BergamotNetwork(transformer, source, target, start=dimensions.target_vocabulary)


def _check_size(vocabulary: Path, size: int, weights: Path, expected: int) -> None:
    if size != expected:
        raise ModelError(
            f"{vocabulary}: the vocabulary has {size} entries but {weights.name} has {expected}; "
            "they belong to different models"
        )
