"""How many layers a Marian file has, and which of them it keeps only once."""

from __future__ import annotations

import re
from dataclasses import replace

from mtprobe.engine.checkpoints.bergamot.binary import BergamotFile
from mtprobe.engine.checkpoints.bergamot.options import Options
from mtprobe.errors import ModelError


def layer_count(file: BergamotFile, side: str) -> int:
    """As many as the configuration says, so that a missing last layer is found; else as many as there are."""
    found = max(_numbers(file, side), default=0)
    layers = Options.of(file).number("enc-depth" if side == "encoder" else "dec-depth", found)
    if layers != found:
        raise ModelError(f"{file.path}: the {side} should have {layers} layers and has {found}")
    return layers


def with_all_layers(file: BergamotFile) -> BergamotFile:
    """The file with the tied layers of its decoder written out; the copies are the same arrays."""
    tied = Options.of(file).tied_layers()
    if not tied:
        return file
    present = _numbers(file, "decoder")
    if missing := {*tied} - present:
        raise ModelError(
            f"{file.path}: layers of the decoder are tied to layer {min(missing)}, which is missing"
        )
    own = {name: tensor for name, tensor in file.tensors.items() if not name.startswith("decoder_l")}
    written_out = {
        name.replace(f"decoder_l{origin}_", f"decoder_l{layer}_", 1): tensor
        for layer, origin in enumerate(tied, start=1)
        for name, tensor in file.tensors.items()
        if name.startswith(f"decoder_l{origin}_")
    }
    return replace(file, tensors=own | written_out)


def _numbers(file: BergamotFile, side: str) -> set[int]:
    pattern = re.compile(rf"{side}_l(\d+)_")
    return {int(match[1]) for name in file.tensors if (match := pattern.match(name))}
