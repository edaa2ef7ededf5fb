"""Reads a Marian model, whatever its file format and decoder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from mtprobe.engine.checkpoints.bergamot.attention_decoder import attention_model
from mtprobe.engine.checkpoints.bergamot.binary import BergamotFile, parse_config, read_bergamot, read_npz
from mtprobe.engine.checkpoints.bergamot.ssru_decoder import ssru_model
from mtprobe.engine.checkpoints.reading import read_bytes, shown_value
from mtprobe.engine.graphs.ssru import SsruModel
from mtprobe.engine.graphs.transformer import TransformerModel
from mtprobe.errors import ModelError

RECURRENT, ATTENDING, AVERAGING = "rnn", "self-attention", "average-attention"


def read_model(weights: Path, config: Path | None, longest: int) -> SsruModel | TransformerModel:
    """The model in a file; `longest` is the maximum number of tokens of a sentence, EOS included.

    `config` supplies options that the file of weights does not contain.
    """
    file = read_npz(weights) if weights.suffix == ".npz" else read_bergamot(weights)
    if config is not None:
        file = replace(file, config={**parse_config(read_bytes(config), str(config)), **file.config})
    kind = file.config.get("transformer-decoder-autoreg", _decoder_of(file))
    if kind == RECURRENT:
        return ssru_model(file)
    if kind == ATTENDING:
        return attention_model(file, longest)
    raise ModelError(
        f"{weights}: the model has a decoder of type {shown_value(kind)}, which is not supported; "
        f"supported are {RECURRENT} (SSRU) and {ATTENDING}"
    )


def _decoder_of(file: BergamotFile) -> str:
    for start, kind in (("decoder_l1_self_", ATTENDING), ("decoder_l1_aan_", AVERAGING)):
        if any(name.startswith(start) for name in file.tensors):
            return kind
    return RECURRENT
