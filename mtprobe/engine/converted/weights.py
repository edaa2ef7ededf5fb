"""The weights of all graphs of a network in one file, without duplicates."""

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

PAGE = 4096  # alignment of arrays, so that the runtime can map them

Array: TypeAlias = npt.NDArray[Any]
Bytes: TypeAlias = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Layout:
    """The contents of the file, and the offset of each array in it."""

    written: Sequence[tuple[int, Bytes]]  # offset and content
    _offsets: dict[tuple[int, int], int]  # by address and size

    @property
    def size(self) -> int:
        offset, content = self.written[-1] if self.written else (0, np.zeros(0, np.uint8))
        return offset + content.nbytes

    def offset(self, array: Array) -> int:
        return self._offsets[_span(array)]

    def write(self, path: Path) -> SavedFile:
        digest, position = sha256(), 0
        with path.open("wb") as file:
            for offset, content in self.written:
                for chunk in (b"\0" * (offset - position), content.data):
                    digest.update(chunk)
                    file.write(chunk)
                position = offset + content.nbytes
        return SavedFile(size=position, sha256=digest.hexdigest())


def lay_out(arrays: Iterable[Array]) -> Layout:
    """Views of an array (such as a block of rows) are located within it, and copies at the first one.

    The arrays must live until the layout is written.
    """
    spans = sorted(
        {_span(array): array for array in arrays}.items(), key=lambda item: (item[0][0], -item[0][1])
    )
    written: list[tuple[int, Bytes]] = []
    offsets: dict[tuple[int, int], int] = {}
    by_start: defaultdict[tuple[int, bytes], list[tuple[int, Bytes]]] = defaultdict(list)
    outer, outer_offset, free = (0, 0), 0, 0  # the last array that is not a view, and its offset
    for span, array in spans:
        if span[0] + span[1] > sum(outer):
            content = array.reshape(-1).view(np.uint8)
            candidates = by_start[span[1], content[:64].tobytes()]
            copies = (offset for offset, other in candidates if np.array_equal(content, other))
            outer, outer_offset = span, next(copies, -1)
            if outer_offset < 0:
                outer_offset = -(-free // PAGE) * PAGE
                written.append((outer_offset, content))
                candidates.append((outer_offset, content))
                free = outer_offset + span[1]
        offsets[span] = outer_offset + span[0] - outer[0]
    return Layout(written, offsets)


def _span(array: Array) -> tuple[int, int]:
    """Address and size in bytes."""
    return array.__array_interface__["data"][0], array.nbytes
