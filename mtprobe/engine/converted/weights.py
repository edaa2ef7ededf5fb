"""The weights of all graphs of a network in one file, each number once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mtprobe.engine.converted.manifest import SavedFile

PAGE = 4096  # where an array starts, so that the runtime can map it

Array: TypeAlias = npt.NDArray[Any]
Bytes: TypeAlias = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Layout:
    """What is written one after the other, and where each array is then found."""

    written: Sequence[tuple[int, Bytes]]  # offset and content
    _offsets: dict[tuple[int, int], int]  # by address and size

    @property
    def size(self) -> int:
        offset, content = self.written[-1] if self.written else (0, np.zeros(0, np.uint8))
        return offset + content.nbytes

    def offset(self, array: Array) -> int:
        return self._offsets[_span(array)]

    def write(self, path: Path) -> SavedFile:
        digest, at = sha256(), 0
        with path.open("wb") as file:
            for offset, content in self.written:
                for part in (b"\0" * (offset - at), content.data):
                    digest.update(part)
                    file.write(part)
                at = offset + content.nbytes
        return SavedFile(size=at, sha256=digest.hexdigest())


def lay_out(arrays: Iterable[Array]) -> Layout:
    """The arrays have to live until the layout is written.

    Views of an array (the rows of a block) are found within it, and copies of an array where the first is.
    """
    spans = sorted(
        {_span(array): array for array in arrays}.items(), key=lambda item: (item[0][0], -item[0][1])
    )
    written: list[tuple[int, Bytes]] = []
    offsets: dict[tuple[int, int], int] = {}
    alike: defaultdict[tuple[int, bytes], list[tuple[int, Bytes]]] = defaultdict(list)
    around, place, free = (0, 0), 0, 0  # the last array that was not within another, and where it stands
    for span, array in spans:
        if span[0] + span[1] > sum(around):
            content = array.reshape(-1).view(np.uint8)
            candidates = alike[span[1], content[:64].tobytes()]
            copies = (offset for offset, other in candidates if np.array_equal(content, other))
            around, place = span, next(copies, -1)
            if place < 0:
                place = -(-free // PAGE) * PAGE
                written.append((place, content))
                candidates.append((place, content))
                free = place + span[1]
        offsets[span] = place + span[0] - around[0]
    return Layout(written, offsets)


def _span(array: Array) -> tuple[int, int]:
    return array.__array_interface__["data"][0], array.nbytes
