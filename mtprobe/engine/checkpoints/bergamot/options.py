"""What the configuration of a Marian model says, asked one question at a time.

Files carry the options that the model was trained with, or leave them beside the weights. An option that is
nowhere is answered with a default; what cannot be computed as the option wants it is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mtprobe.engine.checkpoints.bergamot.binary import BergamotFile
from mtprobe.errors import ModelError

# What all our graphs do; a configuration that says otherwise is refused rather than computed wrongly.
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
class Options:
    path: Path
    config: Mapping[str, object]

    @classmethod
    def of(cls, file: BergamotFile) -> Options:
        return cls(file.path, file.config)

    def refuse_all_but(self, supported: Mapping[str, tuple[object, ...]]) -> None:
        """An option that has none of the given values is a `ModelError`."""
        for key, values in supported.items():
            if key in self.config and self.config[key] not in values:
                self.refuse(key, " or ".join(repr(value) for value in values))

    def refuse(self, key: str, known: str) -> None:
        raise ModelError(
            f"{self.path}: the model has {key}: {self.config[key]!r}, which is not supported; known is {known}"
        )

    def number(self, key: str, default: int) -> int:
        value = self.config.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise ModelError(f"{self.path}: {key} is {value!r} where a positive number belongs")
        return value

    def any_of(self, *keys: str) -> bool | None:
        """Whether one of these is true; None if the configuration has none of them."""
        said = [self.config[key] for key in keys if key in self.config]
        return any(value is True for value in said) if said else None

    def operations(self, key: str, default: str) -> str:
        """The letters of a `transformer-…process` option without d: dropout does nothing outside training."""
        return str(self.config.get(key, default)).replace("d", "")

    def tied_layers(self) -> tuple[int, ...]:
        """For each layer of the decoder, the one that it has its weights from; empty if all have their own."""
        value = self.config.get("transformer-tied-layers") or []
        if not isinstance(value, list) or not all(isinstance(one, int) and one > 0 for one in value):
            self.refuse("transformer-tied-layers", "a list of numbers of layers")
        return tuple(value)  # type: ignore[arg-type]

    def newer_than(self, *version: int) -> bool:
        """Whether a later Marian than this wrote the model; one that does not say is taken for an old one."""
        numbers = re.match(r"v?(\d+)\.(\d+)\.(\d+)", str(self.config.get("version", "")))
        return numbers is not None and tuple(map(int, numbers.groups())) > version
