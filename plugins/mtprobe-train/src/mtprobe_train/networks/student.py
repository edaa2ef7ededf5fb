"""Students with fewer layers, initialized with evenly spaced layers of their teacher."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from mtprobe.backends import MtprobeError

from .network import Network

_LAYER = re.compile(r"(?P<stack>.*\b(?P<side>encoder|decoder)\.layers)\.(?P<layer>\d+)\.(?P<rest>.+)")


@dataclass(frozen=True, slots=True)
class Depth:
    """The numbers of layers."""

    encoder: int
    decoder: int

    @classmethod
    def parse(cls, text: str) -> Depth:
        match = re.fullmatch(r"([1-9]\d?)\+([1-9]\d?)", text)
        if match is None:
            raise MtprobeError(
                f'--layers: "{text}" is not a number of encoder layers, a plus and a number of decoder layers, as in 3+3'
            )
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.encoder}+{self.decoder}"


def evenly_spaced(available: int, wanted: int) -> list[int]:
    """The layers that a student keeps: the first, the last, and those between at equal distances."""
    if wanted == 1:
        return [0]
    return [layer * (available - 1) // (wanted - 1) for layer in range(wanted)]


def student_of(teacher: Network, depth: Depth) -> Network:
    """A network of this depth with the teacher's weights."""
    settings = teacher.module.config
    available = Depth(settings.encoder_layers, settings.decoder_layers)
    for side in ("encoder", "decoder"):
        if getattr(depth, side) > getattr(available, side):
            raise MtprobeError(f"--layers {depth}: the teacher has {available} layers; a student has no more")
    changed = {
        **settings.to_dict(),
        "encoder_layers": depth.encoder,
        "decoder_layers": depth.decoder,
        "num_hidden_layers": depth.encoder,
    }
    module = type(teacher.module)(type(settings).from_dict(changed))
    module.generation_config = teacher.module.generation_config
    module.load_state_dict(_chosen(teacher.module.state_dict(), available, depth))
    return Network(module.to(teacher.device), teacher.device, teacher.pad)


def _chosen(weights: dict[str, Any], available: Depth, depth: Depth) -> dict[str, Any]:
    kept = {
        side: {
            layer: place
            for place, layer in enumerate(evenly_spaced(getattr(available, side), getattr(depth, side)))
        }
        for side in ("encoder", "decoder")
    }
    chosen: dict[str, Any] = {}
    for name, values in weights.items():
        match = _LAYER.fullmatch(name)
        if match is None:
            chosen[name] = values
        elif (place := kept[match["side"]].get(int(match["layer"]))) is not None:
            chosen[f"{match['stack']}.{place}.{match['rest']}"] = values
    return chosen
