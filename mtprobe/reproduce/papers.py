"""The test sets whose published tables can be reproduced."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from mtprobe.reproduce import dibimt, distil_lingeval, mucow, wino_x, winomt
from mtprobe.reproduce.laboratory import Laboratory
from mtprobe.reproduce.table import Table


@dataclass(frozen=True, slots=True)
class Paper:
    """A test set with the tables that were published with it."""

    name: str
    about: str
    files: str  # where its data is looked for
    tables: Callable[[Laboratory], Iterator[Table]]


PAPERS: Mapping[str, Paper] = {
    module.NAME: Paper(module.NAME, module.ABOUT, module.FILES, module.tables)
    for module in (winomt, mucow, distil_lingeval, wino_x, dibimt)
}
