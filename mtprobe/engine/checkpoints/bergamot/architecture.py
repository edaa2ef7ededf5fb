"""Reads a Marian model, whatever kind of file it is in and whatever kind of decoder it has."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from mtprobe.engine.checkpoints.bergamot.attention_decoder import attention_model
from mtprobe.engine.checkpoints.bergamot.binary import BergamotFile, parse_config, read_bergamot
from mtprobe.engine.checkpoints.bergamot.npz import read_npz
from mtprobe.engine.graphs.ssru import SsruModel, ssru_model
from mtprobe.engine.graphs.transformer import TransformerModel
from mtprobe.errors import ModelError

RECURRENT, ATTENDING, AVERAGING = "rnn", "self-attention", "average-attention"


def read_model(weights: Path, config: Path | None, longest: int) -> SsruModel | TransformerModel:
    """The model in a file; `longest` is how many tokens a sentence may have, its end included.

    What the weights do not say of themselves may stand in a configuration beside them.
    """
    file = read_npz(weights) if weights.suffix == ".npz" else read_bergamot(weights)
    if config is not None:
        file = replace(file, config={**_beside(config), **file.config})
    kind = file.config.get("transformer-decoder-autoreg", _decoder_of(file))
    if kind == RECURRENT:
        return ssru_model(file)
    if kind == ATTENDING:
        return attention_model(file, longest)
    raise ModelError(
        f"{weights}: the decoder of the model is of the kind {kind!r}, which is not supported; "
        f"known is {RECURRENT} (SSRU) and {ATTENDING}"
    )


def _decoder_of(file: BergamotFile) -> str:
    for start, kind in (("decoder_l1_self_", ATTENDING), ("decoder_l1_aan_", AVERAGING)):
        if any(name.startswith(start) for name in file.tensors):
            return kind
    return RECURRENT


def _beside(config: Path) -> dict[str, object]:
    try:
        text = config.read_bytes()
    except OSError as error:
        raise ModelError(f"{config}: cannot be read: {error.strerror}") from None
    return dict(parse_config(text, str(config)))
