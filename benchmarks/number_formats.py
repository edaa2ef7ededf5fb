"""int8 against fp32 on the CPU: how much faster, how far off, how large.

The random-weight model of the shape of opus-mt-en-de, and the demo model, whose weights are 8-bit integers by
themselves. In turns in one process; differences are of the log-probabilities of single tokens. Batches are those that
models run in, and a score alone must be the score in a batch to the last bit.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from benchmarks import OCCUPATIONS
from benchmarks.opus_shape import END, NEW_TOKENS, PAD, SENTENCES, contrastive, random_model, sentence
from benchmarks.race import OURS, race
from mtprobe.backends.device import Dtype, parse_device
from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.scorer import ScorePair
from mtprobe.engine.build import transformer_definition
from mtprobe.engine.checkpoints.huggingface.families import marian_model
from mtprobe.engine.demo import open_demo
from mtprobe.engine.engines import HfEngine
from mtprobe.engine.graphs.definition import NetworkDefinition
from mtprobe.engine.runtime.batches import Size, in_batches
from mtprobe.engine.runtime.transformer_network import TransformerNetwork
from mtprobe.engine.search.beam import search
from mtprobe.engine.search.decoding import Decoding
from mtprobe.suites import load_suite

ROUNDS, DEMO_SENTENCES = 5, 192
FORMATS: tuple[Dtype, Dtype] = ("fp32", "int8")
Scores = list[Sequence[float]]


@dataclass(frozen=True)
class Contestant:
    score: Callable[[], Scores]
    score_alone: Callable[[int], Sequence[float]]
    translate: Callable[[], object]
    size: int  # bytes of weights


def main() -> list[str]:
    return [compare("opus-mt's shape", opus()), compare("the demo model", demo())]


def compare(title: str, formats: dict[str, Contestant]) -> str:
    exact, rounded = (formats[dtype].score() for dtype in FORMATS)
    moved = np.abs(np.concatenate([np.subtract(*pair) for pair in zip(exact, rounded, strict=True)]))
    alone = [tuple(formats["int8"].score_alone(index)) for index in range(0, len(rounded), 10)]
    same = alone == [tuple(one) for one in rounded[::10]]
    sizes = [formats[dtype].size / 1e6 for dtype in FORMATS]
    lines = [
        f"| {title} | |",
        "|---|---|",
        f"| scoring, int8 × as fast as fp32 | {faster({d: one.score for d, one in formats.items()})} |",
        f"| translating, int8 × as fast as fp32 | {faster({d: one.translate for d, one in formats.items()})} |",
        f"| a token's log-probability, mean and largest difference | {moved.mean():.4f}, {moved.max():.2f} (n = {len(moved)}) |",
        f"| a score alone is the score in a batch, bit for bit | {'yes' if same else 'NO'} (n = {len(alone)}) |",
        f"| weights, fp32 and int8 | {sizes[0]:.0f} MB, {sizes[1]:.0f} MB |",
    ]
    return "\n".join(lines)


def faster(work: dict[str, Callable[[], object]]) -> str:
    run = race("", {OURS: work["int8"], "fp32": work["fp32"]}, 1, ROUNDS)
    medians, lowest, highest, best = run.ratio("fp32")
    seconds = statistics.median(run.seconds[OURS])
    return f"{medians:.2f} (rounds {lowest:.2f}–{highest:.2f}, best rounds {best:.2f}; int8 takes {seconds:.1f} s)"


def opus() -> dict[str, Contestant]:
    rng, made = random.Random(0), random_model()
    weights = {name: values.numpy() for name, values in made.state_dict().items()}
    model = marian_model(made.config, weights)
    pairs, sources = contrastive(rng), [sentence(rng, 17) for _ in range(SENTENCES)]
    return {dtype: _opus(transformer_definition(model, dtype), pairs, sources) for dtype in FORMATS}


def _opus(parts: NetworkDefinition, pairs: list[Any], sources: list[Any]) -> Contestant:
    network = TransformerNetwork(parts.dimensions, parts.graphs, parse_device("cpu"), None)  # type: ignore[arg-type]

    def run(batch: Sequence[Any]) -> Scores:
        found = network.score([pair[0] for pair in batch], [pair[1] for pair in batch], [(PAD,)] * len(batch))
        return [one.tolist() for one in found]

    def score() -> Scores:
        return in_batches(
            pairs,
            lambda pair: Size(len(pair[0]), len(pair[1])),
            run,
            HfEngine.score_budget,
            together=lambda pair: pair[0],
            lanes=network.open_for_scores(),
        )

    settings = Decoding(ends=(END,), max_new_tokens=NEW_TOKENS, beams=5)
    return Contestant(
        score,
        score_alone=lambda index: run([pairs[index]])[0],
        translate=partial(search, network, sources, [(PAD,)] * len(sources), settings),
        size=_size(parts),
    )


def demo() -> dict[str, Contestant]:
    sentences = [sample.source for sample in load_suite(OCCUPATIONS).take(DEMO_SENTENCES).samples]
    models = {dtype: open_demo("", OpenRequest(dtype=dtype)) for dtype in FORMATS}
    found = models["fp32"].translate(sentences)
    pairs = [ScorePair(source, str(target)) for source, target in zip(sentences, found, strict=True)]
    return {
        dtype: Contestant(
            score=partial(model.score, pairs),  # type: ignore[arg-type]
            score_alone=lambda index, model=model: model.score([pairs[index]])[0],  # type: ignore[misc]
            translate=partial(model.translate, sentences),
            size=_size(model.origin.build(dtype)),  # type: ignore[attr-defined]
        )
        for dtype, model in models.items()
    }


def _size(parts: NetworkDefinition) -> int:
    """What all graphs together hold of distinct numbers, as they are written to a disk."""
    from mtprobe.engine.converted.write import lay_out

    graphs = list(parts.graphs.values())
    return lay_out(weight for graph in graphs for weight in graph.weights.values()).size  # type: ignore[union-attr]


if __name__ == "__main__":
    print("\n\n".join(main()))
