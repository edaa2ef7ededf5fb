"""Existing alignments: a file in Pharaoh format, one line per sentence pair, plain or packed with gzip.

The file contains no texts. Its lines correspond to those of the aligned pairs: the file of a `file:` model, or a file
that is named with it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from mtprobe.errors import Failure, MtprobeError, Place
from mtprobe.language.alignment.links import Alignment, SentencePair, check_alignment, read_alignment
from mtprobe.language.parallel_text import pairs_of
from mtprobe.system.named import is_file
from mtprobe.system.text_files import text_lines


def open_links(written: str) -> Links:
    """`LINKS` or `PAIRS,LINKS`; only a digest is read."""
    single = Path(written)
    paths = [single] if is_file(single) else [Path(part.strip()) for part in written.split(",")]
    for path in paths:
        if not is_file(path):
            raise MtprobeError(
                f"alignment: there is no file {path}; write ibm1, eflomal, LINKS (in Pharaoh format, "
                "beside a file: model) or PAIRS,LINKS"
            )
    if len(paths) > 2:
        raise MtprobeError("alignment: give one file of links, or pairs and links as two")
    return Links(paths[-1], tuple(paths[:-1]))


@dataclass(frozen=True)
class Links:
    """Finds the links of each pair by its texts."""

    path: Path
    pairs: tuple[Path, ...] = ()  # the files of the pairs; empty until they are known

    @property
    def name(self) -> str:
        with self.path.open("rb") as stream:
            return f"file:{hashlib.file_digest(stream, 'sha256').hexdigest()[:12]}"

    def beside(self, pairs: Sequence[Path] | None, model: str) -> Links:
        """The same for the pairs of a model whose translations come from files, unless it has pairs of its own."""
        if self.pairs:
            return self
        if pairs is None:
            raise MtprobeError(
                f"alignment: {self.path} is a file of links only, and {model} is not a file: model; "
                "name the aligned pairs too: PAIRS,LINKS"
            )
        return replace(self, pairs=tuple(pairs))

    def align(self, pairs: Sequence[SentencePair]) -> list[Alignment | Failure]:
        missing = f"{self.path.name} has no alignment of this source and translation"
        return [self._table.get(_key(*pair), Failure(missing)) for pair in pairs]

    @cached_property
    def _table(self) -> dict[SentencePair, Alignment]:
        table: dict[SentencePair, Alignment] = {}
        links = [text for _, text in text_lines(self.path)]
        last = 0
        for line, source, translation in pairs_of(self.pairs):
            last = line
            if line <= len(links):
                pair = _key(source, translation)
                table[pair] = self._alignment(links[line - 1], pair, line)
        if last != len(links):
            raise MtprobeError(f"{self.path} has {len(links)} lines, {self.pairs[-1]} has {last}")
        return table

    def _alignment(self, text: str, pair: SentencePair, line: int) -> Alignment:
        try:
            alignment = read_alignment(text)
            check_alignment(alignment, pair)
        except ValueError as error:
            raise MtprobeError(f"{Place(self.path, line)}: {error}") from None
        return alignment


def _key(source: str, translation: str) -> SentencePair:
    return SentencePair(" ".join(source.split()), " ".join(translation.split()))
