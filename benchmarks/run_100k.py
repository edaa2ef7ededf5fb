"""What a whole run of 100,000 samples takes, without the model: its peak memory and its time. Goal: below 1.5 GB.

Contrastive conditioning with a `python:` model that costs next to nothing, an empty store, JSON report and JUnit off: cold,
and again when everything is in the store.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.collect_100k import SAMPLES, write_suite

MODEL = '''\
"""Translations and scores without a network: different for every sentence, always the same for one."""
from zlib import crc32

def translate(sources):
    return [f"Die {crc32(source.encode()) % 9973} geht {' '.join(reversed(source.split()[:6]))}." for source in sources]

def score(pairs):
    return [[-(crc32((source + target).encode()) % 997) / 500] * (len(target.split()) + 1) for source, target in pairs]

translate.score = score
translate.fingerprint = "constant"
'''


def main() -> list[str]:
    lines = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_suite(folder)
        (folder / "cheap.py").write_text(MODEL, encoding="utf-8")
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:hypothesispytest",
        ]
        command += [
            "--mt-model=python:cheap:translate",
            "--mt-target=de",
            f"--mt-store={folder / 'store'}",
            "large.mt.yaml",
        ]
        for run in ("cold", "warm"):
            started = time.perf_counter()
            with (folder / f"{run}.txt").open("wb") as output:
                running = subprocess.Popen(
                    command,
                    cwd=folder,
                    stdout=output,
                    stderr=output,
                    env={**os.environ, "PYTHONPATH": str(folder)},
                )
                _, status, used = os.wait4(running.pid, 0)
            seconds = time.perf_counter() - started
            code = os.waitstatus_to_exitcode(status)
            if code not in (0, 1):  # 1: gates fail, as these scores mean nothing
                raise RuntimeError(
                    f"pytest ended with {code}:\n{(folder / f'{run}.txt').read_text()[-2000:]}"
                )
            lines.append(
                f"{run}: {seconds:.0f} s ({used.ru_utime + used.ru_stime:.0f} s of processor time), "
                f"{used.ru_maxrss / 1000:.0f} MB"
            )
    return [f"a run of {SAMPLES:,} samples, {'; '.join(lines)}; goal below 1500 MB"]


if __name__ == "__main__":
    print("\n\n".join(main()))
