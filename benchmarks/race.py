"""Contestants in turns in one process: the machine may be busy, but it is so for all of them.

Ratios are of medians, with their spread over the rounds, and of the best rounds.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from mtprobe.system.cores import cores

OURS = "mtprobe"


@dataclass(frozen=True)
class Race:
    title: str
    units: int  # sentences or pairs of a round
    seconds: Mapping[str, list[float]]
    flops: Mapping[str, float] = field(default_factory=dict)  # of a round, where they can be told
    peak: list[float] = field(default_factory=list)  # a second, of large multiplications in the same rounds
    processor: Mapping[str, list[float]] = field(default_factory=dict)  # seconds, of all threads together

    def ratio(self, name: str) -> tuple[float, float, float, float]:
        """How many times as fast we are: of medians, the lowest and highest round, of the best rounds."""
        ours, theirs = self.seconds[OURS], self.seconds[name]
        rounds = [other / mine for mine, other in zip(ours, theirs, strict=True)]
        medians = statistics.median(theirs) / statistics.median(ours)
        return medians, min(rounds), max(rounds), min(theirs) / min(ours)

    def processor_time(self) -> str:
        """Where other programs keep the cores busy, it says more than the clock."""
        ours = self.processor[OURS]
        each = []
        for name, seconds in self.processor.items():
            rounds = [other / mine for mine, other in zip(ours, seconds, strict=True)]
            median = statistics.median(seconds)
            each.append(
                f"{name} {median:.1f} s ({median / statistics.median(ours):.2f} ×, {min(rounds):.2f}–{max(rounds):.2f})"
            )
        return f"Processor time of a round, medians: {', '.join(each)}."

    def markdown(self) -> str:
        lines = [
            f"| {self.title} | a second | {OURS} is × as fast (rounds) | best rounds | of GEMM peak |",
            "|---|---|---|---|---|",
        ]
        for name, seconds in self.seconds.items():
            rate = self.units / statistics.median(seconds)
            medians, lowest, highest, best = self.ratio(name)
            share = ""
            if name in self.flops:
                share = f"{self.flops[name] / min(seconds) / max(self.peak):.0%}"
            lines.append(
                f"| {name} | {rate:.1f} | {medians:.2f} ({lowest:.2f}–{highest:.2f}) | {best:.2f} | {share} |"
            )
        return "\n".join(lines)


def race(
    title: str,
    contestants: Mapping[str, Callable[[], object]],
    units: int,
    rounds: int,
    flops: Mapping[str, float] | None = None,
) -> Race:
    for run in contestants.values():
        run()
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    processor: dict[str, list[float]] = {name: [] for name in contestants}
    peak: list[float] = []
    for _ in range(rounds):
        if flops:
            peak.append(_peak())
        for name, run in contestants.items():
            started, worked = time.perf_counter(), time.process_time()
            run()
            seconds[name].append(time.perf_counter() - started)
            processor[name].append(time.process_time() - worked)
    return Race(title, units, seconds, flops or {}, peak, processor)


def _peak(size: int = 2048) -> float:
    """Floating-point operations a second of a large fp32 multiplication on all cores: the best of the libraries at hand.

    Which one knows the processor best differs: torch's multiplies at half of the speed of others on some.
    """
    return max(2 * size**3 / _best(run) for run in _multiplications(size))


def _best(run: Callable[[], object]) -> float:
    times = []
    for _ in range(4):
        started = time.perf_counter()
        run()
        times.append(time.perf_counter() - started)
    return min(times)


@cache
def _multiplications(size: int) -> Sequence[Callable[[], object]]:
    """The same multiplication by torch, numpy and ONNX Runtime."""
    import torch

    from mtprobe.backends.device import Device
    from mtprobe.engine.graphs.builder import FLOAT, GraphBuilder
    from mtprobe.engine.runtime.session import Session

    matrix = np.ones((size, size), np.float32)
    graph = GraphBuilder("peak")
    product = graph("Gemm", graph.input("x", FLOAT, [size, size]), graph.weight(matrix))
    graph.output(product, "product", FLOAT, [size, size])
    session, other = Session(graph.build(), Device("cpu"), cores()), torch.from_numpy(matrix)

    def by_torch() -> None:
        before = torch.get_num_threads()
        torch.set_num_threads(cores())
        other @ other
        torch.set_num_threads(before)

    return by_torch, lambda: matrix @ matrix, lambda: session.run(["product"], {"x": matrix})
