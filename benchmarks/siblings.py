"""Greedy translation with drafts from similar sentences, and without: the demo model, and opus-mt-en-fr with one beam.

In turns in one process, on sentences of the shipped suites, each suite in one call. Every translation
is compared with the one without drafts. Goal: at least 2 × per sentence, and within 5 % where sentences are not alike
(most of `wsd` has no siblings). opus-mt-en-fr needs published weights in the folder `MTPROBE_MODELS`.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.engine.engines import Engine
from mtprobe.engine.search.siblings import Siblings
from mtprobe.suites import load_suite

from .race import OURS, race

SUITES = Path(__file__).parents[1] / "suites"
NAMES = ("gender/occupations", "robustness/preserve", "wsd/everyday-words")
Tokens = tuple[int, ...]
Translate = Callable[[Sequence[Tokens]], Sequence[Tokens]]


class Timed:
    """A contestant that also measures the processor's time, which other programs disturb less."""

    def __init__(self, engine: Engine, translate: Translate, sources: Sequence[Tokens]) -> None:
        self.engine, self.translate, self.sources = engine, translate, sources
        self.processor: list[float] = []
        self.outputs: Sequence[Tokens] = ()

    def __call__(self) -> None:
        self.engine.siblings.forget()  # the sentences of earlier rounds
        started = time.process_time()
        self.outputs = self.translate(self.sources)
        self.processor.append(time.process_time() - started)


def measure(name: str, spec: str, request: OpenRequest, sentences: int, rounds: int) -> list[str]:
    backend = open_backend(ModelSpec.parse(spec), request)
    backend.translate(["A self-test of the runtime."])  # type: ignore[attr-defined]
    engine: Engine = backend.engine  # type: ignore[attr-defined]
    lines = [
        f"| {name}, greedy | sentences | with siblings | a second, before | now | × as fast (rounds) | × processor | differ |",
        "|---|---|---|---|---|---|---|---|",
    ]
    compared = 0
    for suite in NAMES:
        texts = dict.fromkeys(sample.source for sample in load_suite(SUITES / f"{suite}.mt.yaml").samples)
        sources = list(dict.fromkeys(engine.source_tokens(text) for text in list(texts)[:sentences]))
        ours, before = Timed(engine, engine.translate, sources), Timed(engine, engine.plain, sources)
        result = race(suite, {OURS: ours, "before": before}, len(sources), rounds)
        medians, lowest, highest, _ = result.ratio("before")
        processor = statistics.median(before.processor[1:]) / statistics.median(ours.processor[1:])
        differ = sum(a != b for a, b in zip(ours.outputs, before.outputs, strict=True))
        known = Siblings()
        known.enter(sources)
        relatives = known.family
        alike = sum(relatives.count(relatives[place]) > 1 for place in range(len(sources)))
        rates = [len(sources) / statistics.median(result.seconds[who]) for who in ("before", OURS)]
        compared += len(sources)
        lines.append(
            f"| {suite} | {len(sources)} | {alike} | {rates[0]:.1f} | {rates[1]:.1f} | {medians:.2f} ({lowest:.2f}–{highest:.2f}) "
            f"| {processor:.2f} | {differ} |"
        )
    return ["\n".join(lines), f"Compared: {compared} sentences of {name}."]


def main() -> Iterator[str]:
    yield from measure("the demo model", "demo", OpenRequest(), sentences=400, rounds=5)
    folder = Path(os.environ.get("MTPROBE_MODELS", "")) / "opus-mt-en-fr"
    if not os.environ.get("MTPROBE_MODELS") or not folder.is_dir():
        yield "opus-mt-en-fr was not measured: `MTPROBE_MODELS` names no folder that has it."
        return
    request = OpenRequest(source="en", target="fr")
    yield from measure("opus-mt-en-fr", f"hf:{folder}?beams=1", request, sentences=180, rounds=3)


if __name__ == "__main__":
    for part in main():
        print(part, end="\n\n", flush=True)
