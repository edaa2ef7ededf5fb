"""eflomal (Östling and Tiedemann, 2016): a statistical aligner of high quality, run as a separate program.

It is free software under the GPL and stays outside this process. It samples at random, so a few words may be aligned
differently the next time.
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
    """The aligner, or an error that says how to install it."""
    beside = shutil.which(_PROGRAM, path=str(Path(sys.executable).parent))
    program = beside or shutil.which(_PROGRAM)
    if program is None:
        raise MtprobeError(
            f'{_PROGRAM} is not installed: pip install "mtprobe[align]" (needs a C compiler); '
            "the aligner ibm1 needs no installation"
        )
    try:
        name = f"eflomal {version('eflomal')}"
    except PackageNotFoundError:  # it is in another environment
        name = "eflomal"
    return Eflomal(name, program)


@dataclass(frozen=True, slots=True)
class Eflomal:
    name: str
    program: str

    def align(self, pairs: Sequence[SentencePair]) -> list[Alignment]:
        """Links found in both directions, and for words that have none of these, links found in one."""
        different = [
            pair for pair in dict.fromkeys(pairs) if pair.source.split() and pair.translation.split()
        ]
        if not different:
            return [() for _ in pairs]
        try:
            with tempfile.TemporaryDirectory(prefix="mtprobe-eflomal-") as folder:
                alignments = dict(zip(different, self._run(different, Path(folder)), strict=True))
        except OSError as error:
            raise MtprobeError(
                f"{_PROGRAM} needs files in the temporary folder, which cannot be used ({error}): make room there, "
                "or set TMPDIR to another folder"
            ) from None
        return [alignments.get(pair, ()) for pair in pairs]

    def _run(self, pairs: Sequence[SentencePair], folder: Path) -> list[Alignment]:
        names = ("source", "target", "forward", "reverse")
        source, target, forward, reverse = (folder / name for name in names)
        source.write_text("".join(f"{_plain(pair.source)}\n" for pair in pairs), encoding="utf-8")
        target.write_text("".join(f"{_plain(pair.translation)}\n" for pair in pairs), encoding="utf-8")
        files = ("-s", source, "-t", target, "-f", forward, "-r", reverse)
        done = run_program([self.program, *files, "--overwrite"])
        if done.returncode or not forward.exists() or not reverse.exists():
            last = (done.stderr.decode(errors="replace").strip().splitlines() or ["no message"])[-1]
            raise MtprobeError(f"{_PROGRAM} failed ({done.returncode}): {last}")
        there, back = (path.read_text(encoding="utf-8").splitlines() for path in (forward, reverse))
        return [
            _combine(read_alignment(one), read_alignment(other))
            for one, other in zip(there, back, strict=True)
        ]


def _plain(text: str) -> str:
    """The same tokens in lower case without punctuation; a token of punctuation only stays."""
    bare = ("".join(filter(str.isalnum, token.lower())) for token in text.split())
    return " ".join(word or token for word, token in zip(bare, text.split(), strict=True))


def _combine(one: Alignment, other: Alignment) -> Alignment:
    both: set[Link] = set(one) & set(other)
    sources = {link.source for link in both}
    return tuple(sorted(both | {link for link in (*one, *other) if link.source not in sources}))
