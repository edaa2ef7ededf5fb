"""The layers of a Marian file, some of which may be tied."""

from __future__ import annotations

import re
from dataclasses import replace

from mtprobe.engine.checkpoints.bergamot.binary import BergamotFile
from mtprobe.engine.checkpoints.bergamot.options import MarianOptions
from mtprobe.errors import ModelError


def layer_count(file: BergamotFile, side: str) -> int:
    """The number of layers; raises `ModelError` if the configuration says otherwise, as for a missing layer."""
    present = max(_numbers(file, side), default=0)
    layers = MarianOptions.of(file).number("enc-depth" if side == "encoder" else "dec-depth", present)
    if layers != present:
        raise ModelError(f"{file.path}: the {side} should have {layers} layers but has {present}")
    return layers


def with_all_layers(file: BergamotFile) -> BergamotFile:
    """The file with an entry for each tied layer of its decoder; the copies are the same arrays."""
    tied = MarianOptions.of(file).tied_layers()
    if not tied:
        return file
    present = _numbers(file, "decoder")
    if missing := {*tied} - present:
        raise ModelError(
            f"{file.path}: layers of the decoder are tied to layer {min(missing)}, which is missing"
        )
    untied = {name: tensor for name, tensor in file.tensors.items() if not name.startswith("decoder_l")}
    copies = {
        name.replace(f"decoder_l{origin}_", f"decoder_l{layer}_", 1): tensor
        for layer, origin in enumerate(tied, start=1)
        for name, tensor in file.tensors.items()
        if name.startswith(f"decoder_l{origin}_")
    }
    return replace(file, tensors=untied | copies)


def _numbers(file: BergamotFile, side: str) -> set[int]:
    pattern = re.compile(rf"{side}_l(\d+)_")
    return {int(match[1]) for name in file.tensors if (match := pattern.match(name))}
