"""The demo model, greedy, on one thread: mtprobe (fp32) and fxtranslate (int8, with and without its shortlist).

Goal: at least as fast as fxtranslate. In turns in one process; ratios of medians and of the best rounds.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from mtprobe.suite import load_suite
from mtprobe.translate.backend import OpenRequest
from mtprobe.translate.demo import demo_folder, open_demo

from .second_run import SUITE

ROUNDS = 9
SENTENCES = 192


def contestants() -> dict[str, Callable[[list[str]], object]]:
    ours = open_demo("", OpenRequest(threads=1))
    found: dict[str, Callable[[list[str]], object]] = {"mtprobe, 1 thread": ours.translate}
    try:
        from fxtranslate import Translator
    except ImportError:
        print("fxtranslate is not installed: pip install 'mtprobe[bench]'")
        return found
    folder = demo_folder()
    model, vocabulary = (next(folder.glob(name)).read_bytes() for name in ("model.*.bin", "vocab.*.spm"))
    shortlist = next(folder.glob("lex.*.bin")).read_bytes()
    for name, extra in (("fxtranslate", {}), ("fxtranslate with shortlist", {"shortlist": shortlist})):
        engine = Translator(model, vocabulary, vocabulary, **extra)
        found[name] = lambda sentences, engine=engine: [engine.translate(sentence) for sentence in sentences]
    return found


def main() -> None:
    sentences = [sample.source for sample in load_suite(SUITE).take(SENTENCES).samples]
    engines = contestants()
    for translate in engines.values():
        translate(sentences[:8])
    times: dict[str, list[float]] = {name: [] for name in engines}
    for _ in range(ROUNDS):
        for name, translate in engines.items():
            started = time.perf_counter()
            translate(sentences)
            times[name].append(time.perf_counter() - started)
    ours = times["mtprobe, 1 thread"]
    print(
        "| engine | sentences/s (median) | mtprobe is × as fast (medians) | (best rounds) |\n|---|---|---|---|"
    )
    for name, seconds in times.items():
        print(
            f"| {name} | {len(sentences) / statistics.median(seconds):.0f} "
            f"| {statistics.median(seconds) / statistics.median(ours):.2f} | {min(seconds) / min(ours):.2f} |"
        )


if __name__ == "__main__":
    main()
