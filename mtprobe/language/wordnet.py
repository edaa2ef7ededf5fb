"""WordNet, if installed: the synsets of a word, their synonyms and hypernyms.

Reads the database files as they are published (wndb(5WN)), which Debian's `wordnet-base` and Princeton's archives have:
`index.noun` names the synsets of a word, most frequent first, and `data.noun` has each synset at the byte that is its
number. Nothing is loaded but the index of one part of speech.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mtprobe.errors import MtprobeError

POS = ("noun", "verb")
_LETTER = {"noun": "n", "verb": "v"}
_HYPERNYMS = ("@", "@i")
_USUAL = (
    Path("/usr/share/wordnet"),  # Debian
    Path("/usr/share/wordnet/dict"),  # Fedora
    Path("/usr/local/WordNet-3.0/dict"),
    Path("/opt/homebrew/opt/wordnet/dict"),
)
INSTALL = (
    "apt-get install wordnet-base, or the database files of WordNet 3 in a folder that WNSEARCHDIR names"
)


@dataclass(frozen=True, slots=True)
class Synset:
    """A sense: the words that have it, the most usual first."""

    pos: str
    offset: int
    lemmas: tuple[str, ...]
    hypernyms: tuple[int, ...]  # offsets
    gloss: str


class WordNet:
    """A folder with the database."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        missing = [name for name in _files() if not (folder / name).is_file()]
        if missing:
            raise MtprobeError(f"{folder}: not a WordNet database: it has no {missing[0]}; {INSTALL}")

    @cached_property
    def fingerprint(self) -> str:
        """Changes whenever synsets may change."""
        total = hashlib.sha256()
        for name in _files():
            total.update((self.folder / name).read_bytes())
        return f"wordnet:{total.hexdigest()[:12]}"

    def synsets(self, lemma: str, pos: str) -> tuple[Synset, ...]:
        """The senses of a word, the most frequent first."""
        line = self._index_line(lemma, pos)
        if line is None:
            return ()
        try:
            fields = line.split()
            count, pointers = int(fields[2]), int(fields[3])
            offsets = [int(field) for field in fields[6 + pointers : 6 + pointers + count]]
        except (ValueError, IndexError):
            raise self._malformed(f"index.{pos}", line) from None
        return tuple(self.synset(offset, pos) for offset in offsets)

    def synset(self, offset: int, pos: str) -> Synset:
        """The synset with this number."""
        with (self.folder / f"data.{pos}").open("rb") as data:
            data.seek(offset)
            line = data.readline().decode("utf-8", "replace")
        try:
            return _read_synset(line, offset, pos)
        except (ValueError, IndexError):
            raise self._malformed(f"data.{pos}", line) from None

    def hypernyms(self, synset: Synset) -> tuple[Synset, ...]:
        """The senses one step more general."""
        return tuple(self.synset(offset, synset.pos) for offset in synset.hypernyms)

    def ancestors(self, synset: Synset) -> Iterator[Synset]:
        """All more general senses, the nearest first."""
        known: set[int] = set()
        rest = list(synset.hypernyms)
        while rest:
            offset = rest.pop(0)
            if offset not in known:
                known.add(offset)
                ancestor = self.synset(offset, synset.pos)
                yield ancestor
                rest.extend(ancestor.hypernyms)

    def sense_number(self, lemma: str, synset: Synset) -> int:
        """Which of the word's senses by frequency the synset is, from 1; 0 if it is not one of them."""
        offsets = [other.offset for other in self.synsets(lemma, synset.pos)]
        return offsets.index(synset.offset) + 1 if synset.offset in offsets else 0

    def _index_line(self, lemma: str, pos: str) -> str | None:
        key = lemma.casefold().replace(" ", "_").encode()
        index = self._indexes[pos]
        start = index.find(b"\n" + key + b" ")
        if start < 0 or not key:
            return None
        return index[start + 1 : index.find(b"\n", start + 1)].decode("utf-8", "replace")

    @cached_property
    def _indexes(self) -> dict[str, bytes]:
        return {pos: b"\n" + (self.folder / f"index.{pos}").read_bytes() + b"\n" for pos in POS}

    def _malformed(self, file: str, line: str) -> MtprobeError:
        return MtprobeError(
            f'{self.folder / file}: not a WordNet database: cannot read "{line.strip()[:60]}"'
        )


def find_wordnet(folder: Path | None = None) -> WordNet | None:
    """The database in this folder, else where WNSEARCHDIR or WNHOME says, else in a usual place; None without one.

    A place that is named and has no database is an error.
    """
    if folder is not None:
        return WordNet(folder)
    if named := os.environ.get("WNSEARCHDIR"):
        return WordNet(Path(named))
    if home := os.environ.get("WNHOME"):
        return WordNet(Path(home) / "dict")
    for place in _USUAL:
        if all((place / name).is_file() for name in _files()):
            return WordNet(place)
    return None


def _files() -> list[str]:
    return [f"{kind}.{pos}" for pos in POS for kind in ("index", "data")]


def _read_synset(line: str, offset: int, pos: str) -> Synset:
    data, _, gloss = line.partition("|")
    fields = data.split()
    if int(fields[0]) != offset or fields[2] != _LETTER[pos]:
        raise ValueError(line)
    count = int(fields[3], 16)
    words = fields[4 : 4 + 2 * count : 2]
    at = 4 + 2 * count
    pointers = [fields[at + 1 + 4 * number : at + 5 + 4 * number] for number in range(int(fields[at]))]
    if len(words) != count or any(len(pointer) != 4 for pointer in pointers):
        raise ValueError(line)
    hypernyms = tuple(int(number) for symbol, number, its_pos, _ in pointers if symbol in _HYPERNYMS and its_pos == fields[2])  # fmt: skip
    return Synset(pos, offset, tuple(word.replace("_", " ") for word in words), hypernyms, gloss.strip())
