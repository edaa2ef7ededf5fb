"""The training options of a Marian model, and the layers that they tie.

They are in the file of weights, or in a file next to it. A missing option has a default; an option that the graphs do
not implement is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from mtprobe.engine.checkpoints.bergamot.binary import BergamotFile
from mtprobe.engine.checkpoints.reading import MOST_LAYERS, shown_value
from mtprobe.errors import ModelError

# What all our graphs implement; any other value is refused rather than computed wrongly.
ALWAYS: Mapping[str, tuple[object, ...]] = {
    "type": ("transformer",),
    "transformer-ffn-depth": (2,),
    "transformer-decoder-ffn-depth": (0, 2),  # 0: as in the encoder
    "transformer-train-positions": (False,),
    "transformer-train-position-embeddings": (False,),
    "transformer-pool": (False,),
    "transformer-no-bias": (False,),
    "transformer-no-affine": (False,),
    "factors-dim-emb": (0,),
    "lemma-dim-emb": (0,),
    "lemma-dependency": ("",),
    "input-types": ([],),
    "right-left": (False,),
    "ulr": (False,),
}


@dataclass(frozen=True, slots=True)
class MarianOptions:
    path: Path
    config: Mapping[str, object]

    @classmethod
    def of(cls, file: BergamotFile) -> MarianOptions:
        return cls(file.path, file.config)

    def refuse_all_but(self, supported: Mapping[str, tuple[object, ...]]) -> None:
        """Raises `ModelError` if an option has none of the given values."""
        for key, values in supported.items():
            if key in self.config and self.config[key] not in values:
                self.refuse(key, " or ".join(repr(value) for value in values))

    def refuse(self, key: str, supported: str) -> None:
        raise ModelError(
            f"{self.path}: the model has {key}: {shown_value(self.config[key])}, which is not supported; "
            f"supported: {supported}"
        )

    def number(self, key: str, default: int) -> int:
        value = self.config.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise ModelError(f"{self.path}: {key} is {shown_value(value)}, which is not a positive number")
        return value

    def any_of(self, *keys: str) -> bool | None:
        """Whether any of these options is true; None if the configuration has none of them."""
        values = [self.config[key] for key in keys if key in self.config]
        return any(value is True for value in values) if values else None

    def operations(self, key: str, default: str) -> str:
        """The letters of a `transformer-…process` option without d (dropout), which only affects training."""
        return str(self.config.get(key, default)).replace("d", "")

    def tied_layers(self) -> tuple[int, ...]:
        """For each decoder layer, the layer whose weights it uses; empty if no layers are tied."""
        value = self.config.get("transformer-tied-layers") or []
        if (
            not isinstance(value, list)
            or len(value) > MOST_LAYERS
            or not all(type(layer) is int and layer > 0 for layer in value)
        ):
            self.refuse("transformer-tied-layers", "a list of layer numbers")
        return tuple(value)  # type: ignore[arg-type]

    def newer_than(self, *version: int) -> bool:
        """Whether a later version of Marian wrote the model; an unknown version counts as old."""
        numbers = re.match(r"v?(\d{1,4})\.(\d{1,4})\.(\d{1,4})", str(self.config.get("version", "")))
        return numbers is not None and tuple(map(int, numbers.groups())) > version


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
    pattern = re.compile(rf"{side}_l(\d{{1,4}})_")
    return {int(match[1]) for name in file.tensors if (match := pattern.match(name))}
