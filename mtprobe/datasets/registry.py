"""The formats by name: ours, and those that packages add. Each is loaded when it is used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mtprobe.datasets.format import Format

GROUP = "mtprobe.formats"

_BUILT_IN = {
    "jsonl": "mtprobe.datasets.jsonl:FORMAT",
    "senses": "mtprobe.datasets.senses:FORMAT",
    "pairs": "mtprobe.datasets.pairs:FORMAT",
    "schemas": "mtprobe.datasets.schemas:FORMAT",
    "winomt": "mtprobe.datasets.winomt:FORMAT",
    "mucow": "mtprobe.datasets.mucow:FORMAT",
    "distil-lingeval": "mtprobe.datasets.contrastive.distil_lingeval:FORMAT",
    "lingeval97": "mtprobe.datasets.contrastive.lingeval97:FORMAT",
    "mucow-scoring": "mtprobe.datasets.contrastive.sense_variants:MUCOW_SCORING",
    "contrawsd": "mtprobe.datasets.contrastive.sense_variants:CONTRAWSD",
    "contrapro": "mtprobe.datasets.contrastive.contrapro:FORMAT",
    "wino-x": "mtprobe.datasets.contrastive.wino_x:FORMAT",
    "blimp": "mtprobe.datasets.contrastive.blimp:FORMAT",
    "mt-geneval": "mtprobe.datasets.mt_geneval:FORMAT",
    "gate": "mtprobe.datasets.gate:FORMAT",
    "dibimt": "mtprobe.datasets.dibimt:FORMAT",
}


class Formats(Mapping[str, "Format"]):
    """Packages are searched only for a name that is not ours, or when all formats are listed."""

    def __getitem__(self, name: str) -> Format:
        point = self._built_in.get(name) or self._plugins[name]
        format: Format = point.load()
        return format

    def __contains__(self, name: object) -> bool:
        return name in self._built_in or name in self._plugins

    def __iter__(self) -> Iterator[str]:
        yield from self._built_in
        yield from (name for name in self._plugins if name not in self._built_in)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @cached_property
    def _built_in(self) -> dict[str, EntryPoint]:
        return {name: EntryPoint(name, value, GROUP) for name, value in _BUILT_IN.items()}

    @cached_property
    def _plugins(self) -> dict[str, EntryPoint]:
        points = sorted(entry_points(group=GROUP), key=lambda point: point.name)
        return {point.name: point for point in points}


FORMATS = Formats()
