"""A model, ready to run: its network and its vocabulary, which must belong together."""

from __future__ import annotations

from dataclasses import dataclass

from mtprobe.errors import ModelError
from mtprobe.nets.facts import SsruFacts
from mtprobe.nets.folder import ModelFiles
from mtprobe.nets.network import SsruNetwork
from mtprobe.nets.parts import Parts
from mtprobe.nets.pieces import Pieces
from mtprobe.nets.session import Device


@dataclass(frozen=True, slots=True)
class Engine:
    """What runs, and what turns text into its tokens."""

    network: SsruNetwork
    pieces: Pieces


def bergamot_parts(files: ModelFiles, longest: int) -> Parts:
    """The network of a model, built from its weights; `longest` counts the end of a sentence, too."""
    from mtprobe.nets.bergamot import read_bergamot
    from mtprobe.nets.built import ssru_parts
    from mtprobe.nets.ssru import ssru_model

    return ssru_parts(ssru_model(read_bergamot(files.weights)), longest)


def load_engine(files: ModelFiles, parts: Parts, device: Device, threads: int | None) -> Engine:
    """Reads the vocabulary; one that is damaged or does not fit the network is a `ModelError`."""
    pieces, facts = Pieces(files.vocabulary), parts.facts
    if not isinstance(facts, SsruFacts):
        raise ModelError(f"{files.weights}: not the network of a Firefox Translations model")
    if pieces.size != facts.vocabulary:
        raise ModelError(
            f"{files.vocabulary}: the vocabulary has {pieces.size} entries where "
            f"{files.weights.name} has {facts.vocabulary}; they are of different models"
        )
    return Engine(SsruNetwork(facts, parts.graphs, device, threads), pieces)
