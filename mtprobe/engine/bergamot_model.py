"""A model, ready to run: its network and its vocabularies, which must belong together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mtprobe.backends.device import Device
from mtprobe.backends.dtype import Dtype
from mtprobe.engine.checkpoints.bergamot.folder import ModelFiles
from mtprobe.engine.graphs.facts import SsruFacts
from mtprobe.engine.graphs.network import Parts
from mtprobe.engine.runtime.ssru_network import SsruNetwork
from mtprobe.engine.runtime.transformer_network import TransformerNetwork
from mtprobe.engine.tokenizers.sentencepiece_vocabulary import Pieces
from mtprobe.errors import ModelError


@dataclass(frozen=True, slots=True)
class Engine:
    """What runs, and what turns text into its tokens."""

    network: SsruNetwork | TransformerNetwork
    source: Pieces
    target: Pieces
    start: int  # the token that stands for the nothing from which a translation starts


def bergamot_parts(files: ModelFiles, longest: int, dtype: Dtype = "fp32") -> Parts:
    """The network of a model, built from its weights; `longest` counts the end of a sentence, too."""
    from mtprobe.engine.build import ssru_parts, transformer_parts
    from mtprobe.engine.checkpoints.bergamot.architecture import read_model
    from mtprobe.engine.graphs.ssru import SsruModel

    model = read_model(files.weights, files.config, longest)
    if isinstance(model, SsruModel):
        return ssru_parts(model, longest, dtype)
    return transformer_parts(model, dtype)


def load_engine(files: ModelFiles, parts: Parts, device: Device, threads: int | None) -> Engine:
    """Reads the vocabularies; one that is damaged or does not fit the network is a `ModelError`."""
    facts, source = parts.facts, Pieces(files.source_vocabulary)
    shared = files.target_vocabulary == files.source_vocabulary
    target = source if shared else Pieces(files.target_vocabulary)
    _must_fit(files.source_vocabulary, source.size, files.weights, facts.source_vocabulary)
    _must_fit(files.target_vocabulary, target.size, files.weights, facts.target_vocabulary)
    if isinstance(facts, SsruFacts):
        return Engine(SsruNetwork(facts, parts.graphs, device, threads), source, target, target.end)
    network = TransformerNetwork(facts, parts.graphs, device, threads)
    return Engine(network, source, target, start=facts.target_vocabulary)  # see `bergamot_attention.py`


def _must_fit(vocabulary: Path, size: int, weights: Path, expected: int) -> None:
    if size != expected:
        raise ModelError(
            f"{vocabulary}: the vocabulary has {size} entries where "
            f"{weights.name} has {expected}; they are of different models"
        )
