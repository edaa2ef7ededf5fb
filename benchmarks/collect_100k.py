"""What it takes pytest to collect a suite of 100,000 samples from JSON Lines. Goal: at most 5 s and 1 GB."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SAMPLES = 100_000

SUITE = """\
mtprobe: 1
name: large
about: How long does it take to collect many samples?
languages: {source: en, targets: any}
method: contrastive-conditioning
categories: [male, female]
cues:
  male: {correct: man, incorrect: woman}
  female: {correct: woman, incorrect: man}
gates:
  accuracy[female]: ">= 0.60"
  gap[pos]: "<= 0.20"
data: {file: samples.jsonl}
"""
WORDS = ["the", "a", "old", "doctor", "nurse", "walked", "slowly", "to", "river", "and", "left", "again"]

LOAD = """\
import time
from pathlib import Path
from mtprobe.suites import load_suite
started = time.process_time()
load_suite(Path("large.mt.yaml"))
print(time.process_time() - started)
"""


def write_suite(folder: Path) -> None:
    """Half of the samples have an id, attributes and cues of their own, half rely on the suite."""
    rng = random.Random(0)
    (folder / "large.mt.yaml").write_text(SUITE, encoding="utf-8")
    with (folder / "samples.jsonl").open("w", encoding="utf-8") as stream:
        for number in range(SAMPLES):
            words = rng.choices(WORDS, k=14)
            words[rng.randrange(14)] = f"<{rng.choice(WORDS)}>"
            sample: dict[str, object] = {
                "source": f"{' '.join(words)} {number}.",
                "category": rng.choice(["male", "female"]),
            }
            if number % 2:
                sample["id"] = f"sample-{number}"
                sample["attributes"] = {"pos": rng.choice(["noun", "verb"]), "sense_rank": number % 5}
                sample["cues"] = {"correct": ["one", "another"], "incorrect": "third"}
            stream.write(json.dumps(sample) + "\n")


def main() -> list[str]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_suite(folder)
        collect = [
            sys.executable,
            "-m",
            "pytest",
            "--collect-only",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:hypothesispytest",
        ]
        started = time.perf_counter()
        running = subprocess.Popen(
            [*collect, "--mt-model=demo", "large.mt.yaml"], cwd=folder, stdout=subprocess.DEVNULL
        )
        _, status, used = os.wait4(running.pid, 0)  # of this process alone, whatever ran before it
        seconds = time.perf_counter() - started
        if status:
            raise RuntimeError("pytest could not collect the suite")
        loading = float(subprocess.check_output([sys.executable, "-c", LOAD], cwd=folder))
    processor, megabytes = used.ru_utime + used.ru_stime, used.ru_maxrss / 1000  # kilobytes on Linux
    return [
        f"collecting {SAMPLES:,} samples: {seconds:.1f} s ({processor:.1f} s of processor time, {loading:.1f} s of it "
        f"for loading the suite), {megabytes:.0f} MB; goal 5 s, 1000 MB"
    ]


if __name__ == "__main__":
    print("\n\n".join(main()))
