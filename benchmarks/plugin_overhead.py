"""What the installed plugin costs a pytest run that has no suite. Goal: at most 30 ms."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 21


def seconds(folder: Path, *args: str) -> float:
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", *args],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - started


def main() -> list[str]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "test_one.py").write_text("def test_one(): pass\n")
        with_plugin, without = [], []
        seconds(folder)
        for _ in range(ROUNDS):  # in turns, so that both meet the same weather
            with_plugin.append(seconds(folder))
            without.append(seconds(folder, "-p", "no:mtprobe"))
    median = statistics.median(with_plugin) - statistics.median(without)
    least = min(with_plugin) - min(without)
    return [
        f"plugin overhead in an unrelated run: {median * 1000:.0f} ms (medians), {least * 1000:.0f} ms (minima) "
        f"of {statistics.median(without) * 1000:.0f} ms; goal 30 ms"
    ]


if __name__ == "__main__":
    print("\n\n".join(main()))
