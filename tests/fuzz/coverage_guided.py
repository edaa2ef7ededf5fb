"""`python -m tests.fuzz.coverage_guided -runs=N`: atheris looks for inputs that reach new code of the loader.

What it makes is the suite's text, or a data file of one of the formats: the first byte chooses.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["mtprobe.suite", "mtprobe.datasets", "mtprobe.gates"]):
    import mtprobe.gates.parse
    import mtprobe.suite.load
    import mtprobe.suite.parsing.lines
    import mtprobe.suites  # noqa: F401

from tests.fuzz.corpus import SUITE, small
from tests.fuzz.walk import SECONDS, peak_megabytes, walk, within, write

ROOT = Path(tempfile.mkdtemp(prefix="mtprobe-atheris-"))
# Each file that a seed has, with the seed's other files around it.
FILES = [(seed, name) for seed in small() for name in seed.files]


def one_input(data: bytes) -> None:
    if not data:
        return
    seed, name = FILES[data[0] % len(FILES)]
    folder = ROOT / "case"
    folder.mkdir()
    try:
        with within(SECONDS):
            walk(write({**seed.files, name: data[1:]}, folder))
    finally:
        shutil.rmtree(folder)


def main() -> None:
    seeds = ROOT / "seeds"
    seeds.mkdir()
    for number, (seed, name) in enumerate(FILES):
        (seeds / str(number)).write_bytes(bytes([number % 256]) + seed.files[name])
    words = ROOT / "words"
    words.write_text("".join(f'"{word}"\n' for word in sorted(SUITE_WORDS)), encoding="ascii")
    # libFuzzer looks at the peak, which a process inherits from the one that started it.
    limit = 1500 + int(peak_megabytes())
    options = [f"-dict={words}", "-max_len=20000", f"-rss_limit_mb={limit}", "-timeout=20"]
    atheris.Setup([sys.argv[0], *options, *sys.argv[1:], str(seeds)], one_input)
    atheris.Fuzz()


SUITE_WORDS = {
    word
    for seed in small()
    for word in seed.files[SUITE].decode().replace(":", " : ").split()
    if word.isascii() and word.isalnum()
}

if __name__ == "__main__":
    main()
