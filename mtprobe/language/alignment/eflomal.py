"""eflomal (Östling and Tiedemann, 2016): a statistical aligner of high quality, run as a program of its own.

It is free software under the GPL and stays outside of this process. It samples at random, so that a word here
and there may be aligned otherwise the next time.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from mtprobe.errors import MtprobeError
from mtprobe.language.alignment.links import Alignment, Link, SentencePair, read_alignment
from mtprobe.system.programs import run_program

_PROGRAM = "eflomal-align"


def open_eflomal() -> Eflomal:
    """The aligner, or an error that says how to get it."""
    beside = shutil.which(_PROGRAM, path=str(Path(sys.executable).parent))
    program = beside or shutil.which(_PROGRAM)
    if program is None:
        raise MtprobeError(
            f'{_PROGRAM} is not installed: pip install "mtprobe[align]" (needs a C compiler); '
            "without it there is the aligner ibm1"
        )
    try:
        name = f"eflomal {version('eflomal')}"
    except PackageNotFoundError:  # it stands in another environment
        name = "eflomal"
    return Eflomal(name, program)


@dataclass(frozen=True, slots=True)
class Eflomal:
    name: str
    program: str

    def align(self, pairs: Sequence[SentencePair]) -> list[Alignment]:
        """Links that hold in both directions, and those of words that have none of these."""
        different = [
            pair for pair in dict.fromkeys(pairs) if pair.source.split() and pair.translation.split()
        ]
        if not different:
            return [() for _ in pairs]
        with tempfile.TemporaryDirectory(prefix="mtprobe-eflomal-") as folder:
            found = dict(zip(different, self._run(different, Path(folder)), strict=True))
        return [found.get(pair, ()) for pair in pairs]

    def _run(self, pairs: Sequence[SentencePair], folder: Path) -> list[Alignment]:
        names = ("source", "target", "forward", "reverse")
        source, target, forward, reverse = (folder / name for name in names)
        source.write_text("".join(f"{_plain(pair.source)}\n" for pair in pairs), encoding="utf-8")
        target.write_text("".join(f"{_plain(pair.translation)}\n" for pair in pairs), encoding="utf-8")
        command: list[str | Path] = [
            self.program,
            "-s",
            source,
            "-t",
            target,
            "-f",
            forward,
            "-r",
            reverse,
            "--overwrite",
        ]
        done = run_program(command)
        if done.returncode or not forward.exists() or not reverse.exists():
            last = (done.stderr.decode(errors="replace").strip().splitlines() or ["it said nothing"])[-1]
            raise MtprobeError(f"{_PROGRAM} failed ({done.returncode}): {last}")
        one, other = (path.read_text(encoding="utf-8").splitlines() for path in (forward, reverse))
        return [
            _together(read_alignment(to), read_alignment(back)) for to, back in zip(one, other, strict=True)
        ]


def _plain(text: str) -> str:
    """The same tokens without punctuation and capitals; a token of nothing but signs stays."""
    bare = ("".join(sign for sign in token.lower() if sign.isalnum()) for token in text.split())
    return " ".join(word or token for word, token in zip(bare, text.split(), strict=True))


def _together(one: Alignment, other: Alignment) -> Alignment:
    both: set[Link] = set(one) & set(other)
    sources = {link.source for link in both}
    return tuple(sorted(both | {link for link in (*one, *other) if link.source not in sources}))
