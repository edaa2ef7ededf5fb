"""The data formats by name: built-in formats and those added by packages, loaded lazily."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING

from mtprobe.errors import MtprobeError
from mtprobe.system.extensions import Extensions

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
    "lingeval97": "mtprobe.datasets.contrastive.lingeval97:LINGEVAL97",
    "mucow-scoring": "mtprobe.datasets.contrastive.lingeval97:MUCOW_SCORING",
    "contrawsd": "mtprobe.datasets.contrastive.lingeval97:CONTRAWSD",
    "contrapro": "mtprobe.datasets.contrastive.contrapro:FORMAT",
    "wino-x": "mtprobe.datasets.contrastive.wino_x:FORMAT",
    "blimp": "mtprobe.datasets.contrastive.blimp:FORMAT",
    "mt-geneval": "mtprobe.datasets.mt_geneval:FORMAT",
    "gate": "mtprobe.datasets.gate:FORMAT",
    "dibimt": "mtprobe.datasets.dibimt:FORMAT",
}


class _BuiltIn(Mapping[str, "Format"]):
    """Our formats; each module is imported when its format is used."""

    def __getitem__(self, name: str) -> Format:
        format: Format = EntryPoint(name, _BUILT_IN[name], GROUP).load()
        return format

    def __contains__(self, name: object) -> bool:
        return name in _BUILT_IN

    def __iter__(self) -> Iterator[str]:
        return iter(_BUILT_IN)

    def __len__(self) -> int:
        return len(_BUILT_IN)


def _format(name: str, loaded: object) -> Format:
    from mtprobe.datasets.format import Format

    if not isinstance(loaded, Format):
        raise MtprobeError("it is not a mtprobe.datasets.format.Format")
    if loaded.name != name:
        raise MtprobeError(f'its name is "{loaded.name}"')
    return loaded


FORMATS = Extensions["Format"](GROUP, _BuiltIn(), _format)
