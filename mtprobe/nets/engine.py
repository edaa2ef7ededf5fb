"""A model, ready to run: its network and its vocabulary, which must belong together."""

from __future__ import annotations

from dataclasses import dataclass

from mtprobe.errors import ModelError
from mtprobe.nets.bergamot import read_bergamot
from mtprobe.nets.built import ssru_network
from mtprobe.nets.folder import ModelFiles
from mtprobe.nets.network import SsruNetwork
from mtprobe.nets.pieces import Pieces
from mtprobe.nets.session import Device
from mtprobe.nets.ssru import ssru_model


@dataclass(frozen=True, slots=True)
class Engine:
    """What runs, and what turns text into its tokens."""

    network: SsruNetwork
    pieces: Pieces


def load_engine(files: ModelFiles, device: Device, threads: int | None, longest: int) -> Engine:
    """Reads the files; damaged ones, and ones that do not fit each other, are a `ModelError`."""
    pieces = Pieces(files.vocabulary)
    model = ssru_model(read_bergamot(files.weights))
    if pieces.size != model.vocabulary:
        raise ModelError(
            f"{files.vocabulary}: the vocabulary has {pieces.size} entries where "
            f"{files.weights.name} has {model.vocabulary}; they are of different models"
        )
    return Engine(ssru_network(model, device, threads, longest), pieces)
